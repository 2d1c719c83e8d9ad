"""Laws that hold for every hand under every rule set; each test is named after its law."""

import os
import subprocess
import sys
from collections import Counter
from itertools import chain
from pathlib import Path

import msgspec
from hypothesis import assume, given
from hypothesis import strategies as st

from engine.presets import resolve
from engine.rulebook import RULE_BY_ID
from schemas.cards import pack
from schemas.hand import (
    Declare,
    Hand,
    HandLog,
    Knock,
)
from schemas.rules import StockRules, WidowRules
from schemas.ruling import Refused, Ruling, Settled, Unfinished
from tests.bookkeeping import dealer_of, events_to_try, hands_left, judged_events, next_of, tables_of
from tests.questions import cited, without
from tests.strategies import (
    damaged_logs,
    drawn,
    examples,
    legal_logs,
    questions,
    settled,
    unfinished_logs,
    wild_records,
)

ROOT = Path(__file__).parents[2]

JUDGE = """
import sys, msgspec
from engine.adjudicate import adjudicate
from schemas.hand import Hand
from schemas.rules import RuleSet

decoder = msgspec.json.Decoder(tuple[Hand, RuleSet, frozenset[str]])
for line in sys.stdin.buffer:
    sys.stdout.buffer.write(msgspec.json.encode(adjudicate(*decoder.decode(line))) + b"\\n")
"""


@examples(10)
@given(st.one_of(wild_records(), questions()))
def test_totality(question):
    """Every record that can be decoded gets exactly one ruling, and one that its own schema allows."""
    assert msgspec.json.decode(msgspec.json.encode(question.hand), type=Hand) == question.hand
    ruling = question.ruling()
    assert msgspec.json.decode(msgspec.json.encode(ruling), type=Ruling) == ruling


@examples(2)
@given(legal_logs())
def test_conservation(question):
    """After every event each card is still in one place, and a hand has three cards, or four in mid-turn."""
    widow = isinstance(question.rules, WidowRules)
    deal = question.hand.deal
    in_play = {*deal.widow, *chain(*deal.hands)} if widow else pack(question.rules.jokers)
    for table in tables_of(question):
        rest = table.widow if widow else [*table.pile, *table.unseen]
        assert Counter([*chain(*table.hands.values()), *rest]) == Counter(in_play)
        assert table.stock is None or Counter(table.stock) == Counter(table.unseen)
        for seat, hand in table.hands.items():
            assert len(hand) == (4 if table.drawn and seat == table.to_act else 3)


@examples(1)
@given(legal_logs())
def test_hands_shown(question):
    """A ruling shows exactly the cards that the events have left in each hand."""
    ruling = question.ruling()
    assume(not isinstance(ruling, Refused))
    assert [own.cards for own in ruling.seats] == hands_left(question.hand, judged_events(question.hand, ruling))


def test_determinism():
    """The same bytes in give the same bytes out, in any process and under any hash seed."""
    asked = drawn(questions(), 300)
    lines = [msgspec.json.encode((q.hand, q.rules, resolve(q.choice).silent)) for q in asked]
    here = [msgspec.json.encode(question.ruling()) for question in asked]
    for seed in ("0", "1", "2"):
        there = subprocess.run(  # noqa: S603 - this project's own code
            [sys.executable, "-c", JUDGE],
            input=b"\n".join(lines),
            stdout=subprocess.PIPE,
            check=True,
            cwd=ROOT,
            env={**os.environ, "PYTHONHASHSEED": seed},
        )
        assert there.stdout.splitlines() == here


@examples(2)
@given(damaged_logs(), questions())
def test_prefix_of_a_refusal(question, other):
    """Nothing after the refused event influences the refusal."""
    refusal = question.ruling()
    assume(isinstance(refusal, Refused))
    judged = question.hand.events[: 0 if refusal.at is None else refusal.at + 1]
    tail = other.hand.events if isinstance(other.hand, HandLog) else ()
    assert question.with_events(*judged).ruling() == refusal
    assert question.with_events(*judged, *tail).ruling() == refusal


@examples(1)
@given(legal_logs())
def test_step_by_step(question):
    """Asked after every event, the referee never takes back what was said before the end of the hand."""
    events = question.hand.events
    rulings = [question.with_events(*events[:count]).ruling() for count in range(len(events) + 1)]
    assume(not isinstance(rulings[0], Refused))
    ended = [isinstance(ruling, Settled) for ruling in rulings]
    assert all(isinstance(ruling, Settled | Unfinished) for ruling in rulings)
    assert ended == sorted(ended), "a settled hand went on"
    for count, ruling in enumerate(rulings):
        if isinstance(ruling, Settled):
            judged = 0 if ruling.ended_at is None else ruling.ended_at + 1
            assert judged + ruling.unplayed == count
            added_to_the_end = events[ended.index(True) : judged]
            assert all(isinstance(event, Declare) for event in added_to_the_end)
            same = ("unplayed", "open_claims")
            assert without(ruling, *same) == without(rulings[judged], *same)


@examples(0.5)
@given(unfinished_logs())
def test_may(question):
    """`may` names exactly the types of event of which some event is accepted."""
    ruling = question.ruling()
    assume(isinstance(ruling, Unfinished))
    accepted: dict[str, bool] = {}
    for event in events_to_try(question, ruling):
        kind = event.__struct_config__.tag
        if not accepted.get(kind):
            judged = question.with_events(*question.hand.events, event).ruling()
            accepted[kind] = not isinstance(judged, Refused)
    assert {kind for kind, legal in accepted.items() if legal} == set(ruling.may)
    assert len(ruling.may) == len(set(ruling.may))


@examples(2)
@given(legal_logs())
def test_open_claims(question):
    """`open_claims` are exactly the seats whose 31, shown now, would be judged and change the result."""
    ruling = question.ruling()
    assume(isinstance(ruling, Settled))
    same = ("ended_at", "unplayed", "open_claims")
    for seat in range(1, len(question.hand.players) + 1):
        after = question.with_events(*question.hand.events, Declare(seat)).ruling()
        assert (without(after, *same) != without(ruling, *same)) == (seat in ruling.open_claims)


@examples(5)
@given(st.one_of(damaged_logs(), wild_records(), questions()))
def test_soundness_of_a_refusal(question):
    """A refusal cites rules that refuse, each once and all at its event, and is of the kind they make it."""
    ruling = question.ruling()
    assume(isinstance(ruling, Refused))
    assert all(RULE_BY_ID[citation.rule].refuses for citation in ruling.broken)
    assert not any(RULE_BY_ID[citation.rule].refuses for citation in ruling.citations)
    assert {citation.event for citation in ruling.broken} == {ruling.at}
    assert {citation.event for citation in ruling.citations} <= {ruling.at, None}
    impossible = any(citation.rule.startswith(("log.", "turn.")) for citation in ruling.broken)
    assert ruling.kind == ("impossible" if impossible else "illegal")
    said = [(citation.rule, citation.says) for citation in ruling.broken]
    assert len(said) == len(set(said))


@examples(5)
@given(questions())
def test_citations(question):
    """A citation is of a known rule, follows from an option of that rule, and names events that are there."""
    ruling = question.ruling()
    for citation in cited(ruling):
        rule = RULE_BY_ID[citation.rule]
        assert citation.option in (*rule.options, None)
        assert citation.option is None or citation.option == "form" or hasattr(question.rules, citation.option)
        assert list(citation.seats) == sorted(set(citation.seats))
        assert citation.event is None or citation.event < len(question.hand.events)


@examples(2)
@given(legal_logs())
def test_events_cited(question):
    """A settlement cites the event with which the hand was over, or a 31 after that, or the knock itself."""
    ruling, events = question.ruling(), question.hand.events
    assume(isinstance(ruling, Settled))
    for citation in ruling.citations:
        if citation.rule == "end.knock":
            assert events[citation.event] == Knock(ruling.knocker)
        elif citation.event is not None:
            before, after = (question.with_events(*events[: citation.event + more]).ruling() for more in (0, 1))
            assert isinstance(after, Settled)
            assert isinstance(before, Unfinished) or isinstance(events[citation.event], Declare)


@examples(3)
@given(settled(StockRules))
def test_balance(question):
    """What is left is what was held and changed, never below none, and says where a player stands."""
    ruling = question.ruling()
    for own, player in zip(ruling.seats, question.hand.players, strict=True):
        assert own.before == player.lives
        assert own.after == max(0, own.before + own.change)
        if ruling.ended_by == "bus_ride":
            assert (own.change, own.status) == (0, "out")
        elif own.after:
            assert own.status == "in"
        else:
            on_county = own.status == "county"
            assert on_county or own.status == "out"
            assert not on_county or question.rules.county == "all"
            assert not on_county or own.before or not own.change, "lost on the county and still there"


@examples(3)
@given(settled(StockRules))
def test_who_loses(question):
    """Only the lowest lose, one life or the knocker two; but to a 31 all lose who have not shown one."""
    ruling = question.ruling()
    lowest = min(own.value for own in ruling.seats)
    losers = [own for own in ruling.seats if own.change < 0]
    if ruling.ended_by == "thirty_one":
        assert all(own.change < 0 or (own.value == 31 and own.counts_as == "suit") for own in ruling.seats)
    else:
        assert all(own.value == lowest for own in losers)
        assert all(own.change >= (-2 if own.seat == ruling.knocker else -1) for own in losers)
    for own in ruling.seats:
        if own.change > 0:
            best = sum(own.value <= other.value for other in ruling.seats) == 1
            assert own.change == 1
            assert question.rules.redemption == "best_hand"
            assert best or ruling.ended_by == "thirty_one"


@examples(3)
@given(settled(StockRules))
def test_what_follows(question):
    """A game is over when at most one is left, who has won it; else the deal passes to one still in."""
    ruling = question.ruling()
    assume(ruling.ended_by != "bus_ride")
    left = tuple(own.seat for own in ruling.seats if own.status != "out")
    if ruling.play_again:
        assert not any(own.change for own in ruling.seats)
        assert ruling.next_dealer == dealer_of(question)
        assert question.rules.everyone_out == "play_again"
    elif len(left) > 1:
        assert (ruling.game_over, ruling.winners) == (False, ())
        assert ruling.next_dealer == next_of(left, dealer_of(question))
    else:
        everyone = tuple(own.seat for own in ruling.seats)
        won = left or {"shared_win": everyone, "no_winner": ()}[question.rules.everyone_out]
        assert (ruling.game_over, ruling.winners, ruling.next_dealer) == (True, won, None)


@examples(2)
@given(settled(WidowRules))
def test_pot(question):
    """In the widow form no lives change, and the pot goes to some of those who hold the best hand."""
    ruling = question.ruling()
    assert all((own.change, own.after, own.status) == (0, own.before, "in") for own in ruling.seats)
    best = max(own.value for own in ruling.seats)
    assert ruling.pot_winners
    assert {own.value for own in ruling.seats if own.seat in ruling.pot_winners} == {best}
    assert (ruling.game_over, ruling.winners, ruling.play_again) == (False, (), False)
