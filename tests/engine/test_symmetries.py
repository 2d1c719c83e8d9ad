"""Laws on hands that mean the same: what makes no difference at the table makes none to the ruling."""

import json
from collections import Counter

import msgspec
from hypothesis import assume, given
from hypothesis import strategies as st
from msgspec import UNSET, to_builtins
from msgspec.structs import replace

from schemas.cards import SUITS, in_order, pack
from schemas.hand import DrawStock, Hand, HandLog, Reshuffle, TakeDiscard
from schemas.rules import WidowRules
from schemas.ruling import Refused, Ruling, Settled
from tests.making.dice import Dice
from tests.questions import cited, without
from tests.strategies import dice, examples, legal_logs, questions
from tests.symmetries import changed, named, resuited, rotated, said_of


@examples(4)
@given(questions(), st.integers(1, 15))
def test_rotation(question, by):
    """Renumbering the seats cyclically renumbers the ruling and changes nothing else."""
    players = len(question.hand.players)
    assume(not isinstance(question.hand, HandLog) or len(question.hand.deal.hands) == players)
    turned = question._replace(hand=changed(question.hand, lambda hand: rotated(hand, by, players)))
    expected, seen = rotated(plain(question.ruling()), by, players), plain(turned.ruling())
    for citations in ("citations", "broken"):
        assert unordered(expected.pop(citations, [])) == unordered(seen.pop(citations, []))
    assert expected == seen


@examples(4)
@given(questions(), st.permutations(SUITS))
def test_suits(question, suits):
    """Exchanging suits changes no value, change or status, and no pot but by the suit named of equal ones."""
    suit = dict(zip(SUITS, suits, strict=True))
    exchanged = question._replace(hand=changed(question.hand, lambda hand: resuited(hand, suit)))
    ruling, seen = question.ruling(), exchanged.ruling()
    of_suits = ("seats", "pot_winners", "citations", "broken")
    assert without(ruling, *of_suits) == without(seen, *of_suits)
    for own, other in zip(ruling.seats, seen.seats, strict=True):
        assert without(own, "cards", "counted") == without(other, "cards", "counted")
    if isinstance(ruling, Refused):
        assert [citation.rule for citation in ruling.broken] == [citation.rule for citation in seen.broken]
    if isinstance(ruling, Settled) and same_cards_counted(ruling, seen, suit):
        assert ruling.pot_winners == seen.pot_winners


@examples(2)
@given(questions())
def test_names(question):
    """A player's name stands in the sentences in place of the seat, and changes nothing else."""
    players = len(question.hand.players)
    with_names = question._replace(hand=changed(question.hand, lambda hand: named(hand, name_of)))
    ruling, seen = question.ruling(), with_names.ruling()
    assert without(ruling, "citations", "broken") == without(seen, "citations", "broken")
    for citation, other in zip(cited(ruling), cited(seen), strict=True):
        assert other == replace(citation, says=said_of(citation.says, name_of, players))


@examples(2)
@given(questions(), dice(60))
def test_order_in_the_hand(question, rolls):
    """In which order a hand's cards are written down makes no difference."""
    assert question._replace(hand=with_hands_shuffled(question.hand, rolls)).ruling() == question.ruling()


@examples(2)
@given(legal_logs())
def test_implied_cards(question):
    """A card that is implied, the top discard or the next of a known stock, may be left out."""
    hand = question.hand
    stock_is_known = hand.deal.stock is not UNSET
    implied = []
    for event in hand.events:
        if isinstance(event, Reshuffle):
            stock_is_known = event.stock is not UNSET
        leave_out = isinstance(event, TakeDiscard) or (isinstance(event, DrawStock) and stock_is_known)
        implied.append(replace(event, card=UNSET) if leave_out else event)
    assert question.with_events(*implied).ruling() == question.ruling()


@examples(2)
@given(legal_logs(), dice(60))
def test_known_stock(question, rolls):
    """Knowing the order of the stock, where it agrees with the draws, makes no difference."""
    hand = question.hand
    assume(not isinstance(question.rules, WidowRules) and hand.deal.stock is UNSET)
    used = [card for dealt in hand.deal.hands for card in dealt]
    left = [card for card in in_order(pack(question.rules.jokers)) if card not in {*used, hand.deal.upcard}]
    drawn = []
    for event in hand.events:
        if isinstance(event, Reshuffle):
            break
        if isinstance(event, DrawStock) and event.card in left:
            drawn.append(event.card)
            left.remove(event.card)
    stock = (*drawn, *rolls.shuffled(left))
    known = question._replace(hand=replace(hand, deal=replace(hand.deal, stock=stock)))
    assert known.ruling() == question.ruling()


def plain(ruling: Ruling) -> dict:
    """Return a ruling as it goes out."""
    return json.loads(msgspec.json.encode(ruling))


def unordered(citations: list[dict]) -> Counter:
    """Return citations without their sentences and without their order, which both follow the seats."""
    return Counter(str({**citation, "says": ""}) for citation in citations)


def same_cards_counted(ruling: Settled, seen: Settled, suit: dict[str, str]) -> bool:
    """Return whether no hand counts another of its suits because another is now the first to be named."""
    for own, other in zip(ruling.seats, seen.seats, strict=True):
        expected = resuited({"cards": to_builtins(own.counted)}, suit)["cards"]
        if Counter(expected) != Counter(to_builtins(other.counted)):
            return False
    return True


def with_hands_shuffled(hand: Hand, rolls: Dice) -> Hand:
    if isinstance(hand, HandLog):
        hands = tuple(tuple(rolls.shuffled(dealt)) for dealt in hand.deal.hands)
        return replace(hand, deal=replace(hand.deal, hands=hands))
    players = tuple(replace(player, cards=tuple(rolls.shuffled(player.cards))) for player in hand.players)
    return replace(hand, players=players)


def name_of(seat: int) -> str:
    return f"Player {seat:02}"
