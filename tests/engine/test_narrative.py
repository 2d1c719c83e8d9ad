"""The narrative: its sums add up, it says what the ruling says, and a few are as written out in `narratives/`."""

import re
from itertools import chain
from pathlib import Path

import msgspec
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st
from msgspec.structs import replace

from api.examples import EARLY_KNOCK, SHOWN, TIED_KNOCKER
from engine.examples.markdown import as_markdown
from engine.examples.narrative import narrate
from engine.presets import RuleChoice
from engine.valuation import worth
from engine.wording import points
from schemas.cards import Card, in_order, pack
from schemas.hand import Deal, Discard, DrawStock, Hand, HandLog, Player, Stand
from schemas.rules import StockRules
from schemas.ruling import Refused, Unfinished
from tests.bookkeeping import judged_events, tables_of
from tests.corpus import CASES, EXAMPLES, hands
from tests.questions import Question
from tests.strategies import damaged_logs, examples, legal_logs, questions, settled, unfinished_logs, wild_records

NARRATIVES = Path(__file__).parent / "narratives"
ASKED = {str(pair): pair for pair in [*hands(CASES), *hands(EXAMPLES)]}
SUM = re.compile(r"(\d+(?: \+ \d+)+) = (\d+)")
TURN = re.compile(r"(?:and|,) (?:discards|throws)|^.{1,9} discards ")
TURNS_TOGETHER = re.compile(r"^The next (\d+) turns change no hand")


def told(question):
    """Return the passages of a question."""
    return narrate(question.hand, question.ruling())


def texts(question):
    """Return all paragraphs and items of a narrative, in order."""
    return list(chain.from_iterable((passage.says, *passage.items) for passage in told(question)))


@examples(2)
@given(st.one_of(questions(), wild_records()))
def test_every_ruling_can_be_told(question):
    """Every paragraph and item is text of whole sentences, each noun in its number."""
    for text in texts(question):
        assert re.fullmatch(r"[^\s{}]([^{}\n]*[^\s{}.])?[.:]", text), text
        assert "  " not in text
        assert not re.search(r"(?<!Seat )\b1 (lives|cards|jokers|players|hands|draws|events|turns)\b", text)
        assert not re.search(r"(?<!Seat )\b(0|[2-9]|\d\d+) (life|card|joker|player|hand|draw|event|turn)\b", text)


@examples(0.5)
@given(st.one_of(legal_logs(), settled()))
def test_sums_add_up_to_the_value_of_a_hand(question):
    if isinstance(question.hand, HandLog):
        held = [tuple(hand) for table in tables_of(question) for hand in table.hands.values() if len(hand) == 3]
    else:
        held = [player.cards for player in question.hand.players]
    values = {worth(cards, question.rules).half_points for cards in held}
    for parts, total in SUM.findall("\n".join(texts(question))):
        assert sum(map(int, parts.split(" + "))) == int(total)
        assert 2 * int(total) in values


@examples(0.5)
@given(st.one_of(damaged_logs(), wild_records()))
def test_sums_of_what_is_refused_add_up(question):
    for parts, total in SUM.findall("\n".join(texts(question))):
        assert sum(map(int, parts.split(" + "))) == int(total)


@examples(0.5)
@given(settled())
def test_a_settled_hand_is_told_to_its_end(question):
    """Every player's last value is in the item of that player, and every rule that decides in the text."""
    ruling, passages = question.ruling(), told(question)
    shown = next(passage for passage in passages if passage.says.endswith("at the end:"))
    for own, item in zip(ruling.seats, shown.items, strict=True):
        assert item.startswith(f"Seat {own.seat}: {' '.join(card.sign for card in own.cards)}. ")
        assert re.search(rf"[=:s] {points(int(2 * own.value))}\.", item) or own.counts_as == "unclaimed_31"
        assert own.counts_as != "unclaimed_31" or item.endswith(" = 31, which counts 30.")
    text, at = " ".join(texts(question)), 0
    for citation in ruling.citations:
        if citation.says in text or citation.rule not in {"value.joker", "value.three-of-a-kind"}:
            at = text.index(citation.says, at)


@examples(0.5)
@given(settled(StockRules))
def test_lives_are_told(question):
    """The list at the end names everyone once, and what the lives of each are then."""
    ruling = question.ruling()
    assume(ruling.ended_by != "bus_ride")
    items = next(passage for passage in told(question) if passage.says == "After this hand:").items
    named = [int(seat) for item in items for seat in re.findall(r"Seat (\d+)", item)]
    assert sorted(named) == [own.seat for own in ruling.seats]
    for own in ruling.seats:
        (item,) = [item for item in items if re.search(rf"\bSeat {own.seat}\b", item)]
        assert ("is out." in item) == (own.status == "out")
        assert ("on the county" in item) == (own.status == "county")
        assert own.status != "in" or re.search(rf"\b{own.after} (left|life|lives)\b", item)


@examples(0.5)
@given(damaged_logs())
def test_a_refusal_is_told_with_all_that_is_broken(question):
    ruling = question.ruling()
    assume(isinstance(ruling, Refused))
    text = " ".join(texts(question))
    no_31 = ruling.broken[0].rule == "declare.not-31"
    assert all(broken.says in text or (no_31 and broken.rule == "declare.lapsed") for broken in ruling.broken)
    end = "So there is nothing to be judged."
    if ruling.at is not None:
        what = "That is not allowed" if ruling.kind == "illegal" else "That cannot be"
        end = f"{what}, and the hand is judged no further."
    assert text.endswith(end)


@examples(0.5)
@given(unfinished_logs())
def test_an_unfinished_hand_is_told_with_what_may_happen(question):
    ruling = question.ruling()
    assume(isinstance(ruling, Unfinished))
    *_, last, now = told(question)
    assert last.says == f"The hand is not over. It is Seat {ruling.to_act}'s turn."
    assert len(last.items) == len(ruling.may)
    assert len(now.items) == len(ruling.seats)


@examples(0.5)
@given(legal_logs(StockRules))
def test_no_turn_is_left_out(question):
    """The turns told, one by one or together, are as many as were played; and only long runs are told together."""
    ruling = question.ruling()
    assume(not isinstance(ruling, Refused))
    discards = sum(isinstance(event, Discard) for event in judged_events(question.hand, ruling))
    together = [int(count[1]) for text in texts(question) if (count := TURNS_TOGETHER.match(text))]
    assert all(count > 4 for count in together)
    one_by_one = sum(bool(TURN.search(text)) and not TURNS_TOGETHER.match(text) for text in texts(question))
    assert one_by_one + sum(together) == discards


@examples(0.5)
@given(questions())
def test_names_stand_where_the_seats_do(question):
    """A hand with names is told as without, with each name in place of its seat."""
    seats = len(question.hand.players)
    names = {str(seat): f"P{seat:02}" for seat in range(1, seats + 1)}
    players = tuple(replace(player, name=names[str(n)]) for n, player in enumerate(question.hand.players, start=1))
    named = question._replace(hand=replace(question.hand, players=players))
    without = [re.sub(r"Seat (\d+)", lambda seat: names.get(seat[1], seat[0]), text) for text in texts(question)]
    assert [re.sub(r"Seat (\d+)", lambda seat: names.get(seat[1], seat[0]), text) for text in texts(named)] == without


def test_a_31_that_is_not_shown_is_told_when_it_is_too_late():
    assert "Ben does not show the 31 in time." in texts(
        ASKED["grounds.showing-a-31-late-after-a-knock [pagat]"].question()
    )


def _of(record, **rules):
    return Question(msgspec.convert(record, Hand), RuleChoice(**rules))


def _the_whole_stock():
    """Return a hand of two in which nobody wants a card of the stock, nor the last discard."""
    dealt = msgspec.convert([["Ks", "Qs", "2h"], ["Ah", "Kh", "3c"]], tuple[tuple[Card, ...], ...])
    upcard, *stock = in_order(pack(0).difference(*dealt))
    turns = [(DrawStock(1 + n % 2, card), Discard(1 + n % 2, card)) for n, card in enumerate(stock)]
    players = (Player(3, name="Ana"), Player(1, name="Ben"))
    return Question(HandLog(players, 2, Deal(dealt, upcard), (*chain.from_iterable(turns), Stand(2))), RuleChoice())


WRITTEN_OUT = {
    "tied-knocker": _of(TIED_KNOCKER),
    "unfinished": _of(EARLY_KNOCK),
    "showdown-record": _of(SHOWN, preset="casual"),
    "dealt-31": ASKED["variants.redemption-by-a-31 [casual]"].question(),
    "thrown-back": ASKED["procedure.taken-discard-thrown-back [pagat]"].question(),
    "widow": ASKED["variants.widow-31-after-an-exchange [widow]"].question(),
    "whole-stock": _the_whole_stock(),
    "bus-ride": ASKED["variants.bus-three-draws [ride-the-bus]"].question(),
    "joker": ASKED["variants.widow-joker [widow jokers=1]"].question(),
}


@pytest.mark.parametrize("name", WRITTEN_OUT)
def test_as_written_out(name):
    assert as_markdown(told(WRITTEN_OUT[name])) == (NARRATIVES / f"{name}.md").read_text()
