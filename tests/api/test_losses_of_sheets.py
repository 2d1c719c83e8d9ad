"""The table of who loses what, read as a player reads it: each row is held against many hands that fit its words."""

import re
from contextlib import suppress
from typing import NamedTuple

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec import UNSET, convert
from msgspec.structs import replace

from api.sheets.endings import suited
from api.sheets.losses import losses_table
from engine.adjudicate import adjudicate
from engine.contrast import differ
from engine.presets import resolve
from schemas.cards import SUITS
from schemas.compatibility import IncompatibleAnswersError
from schemas.hand import DeclareEnding, FirstKnockEnding, HandLog, KnockEnding, ShowdownRecord, ShownPlayer, StockEnding
from schemas.relevance import IDLE, idle_options
from schemas.rules import STOCK_OPTIONS, StockRules, WidowRules
from schemas.ruling import Settled
from tests.strategies import dice, examples, rule_choices

TIE = "everyone ties for lowest, one loss from going out"
BEST = "a player one loss from going out has the only highest hand"
SHOWN = "The 31 of a player one loss from going out ends the hand"
LAST, BEYOND, COUNTY = (
    "A player with 1 life left loses it",
    "A player with 1 life left has to lose 2",
    "A player on the county loses",
)


class Fits(NamedTuple):
    """A row that a hand fits, and the seats that it means by each of its words."""

    says: str
    means: dict[str, set[int]]


def made_up(roll, rules):
    """Return a showdown record with many ties and few lives: of any hand that these rules have, and of some others."""
    least = max(20, rules.minimum_knock)
    count = roll.pick((2, 3, 4))
    worths = [roll.pick((least - 6, least, least - 6, 30, 31)) for _ in range(count)]
    if roll.chance(20):
        worths = [worths[0]] * count
    hands = [suited(SUITS[place], worth) for place, worth in enumerate(worths)]
    lives = [roll.pick((9, 8, 2, 1, 1, 0)) for _ in range(count)]
    if roll.chance(30):
        lives = [roll.pick((0, 1))] * count
    holders = [seat for seat in range(1, count + 1) if worths[seat - 1] == 31]
    knocker = 1 + roll.below(count)
    endings = [KnockEnding(knocker), StockEnding(), FirstKnockEnding(knocker)]
    if holders:
        shown = tuple(roll.some(holders, 1 + roll.below(len(holders))))
        endings += [DeclareEnding(shown), DeclareEnding(shown, UNSET if knocker in shown else knocker)]
    players = tuple(ShownPlayer(held, hand, redeemed=roll.chance(20)) for held, hand in zip(lives, hands, strict=True))
    return ShowdownRecord(players, roll.pick(endings))


def fitted(ruling, holders, rules):
    """Return the row on the end of a hand that it fits; None if there is no row for what is rare."""
    knocker = {ruling.knocker} - {None}
    if ruling.ended_by == "thirty_one":
        return fitted_31(ruling, knocker, holders, rules)
    least = min(seat.value for seat in ruling.seats)
    lowest = {seat.seat for seat in ruling.seats if seat.value == least}
    if ruling.ended_by == "stock_exhausted":
        if len(lowest) == 1:
            return Fits("Stock out; one player has the lowest hand", {"that player": lowest})
        return Fits("Stock out; players tie for lowest", {"those players": lowest})
    return fitted_knock(knocker, lowest)


def fitted_31(ruling, knocker, holders, rules):
    others = {seat.seat for seat in ruling.seats} - holders
    if knocker:
        means = {"the knocker": knocker, "every other player": others - knocker}
        return None if knocker & holders else Fits("31 of another player after a knock", means)
    if len(holders) == 1:
        return Fits("31 before anyone knocks", {"every other player": others})
    if rules.thirty_one_claim == "automatic":
        return Fits("31 in several hands before anyone knocks", {"everyone without one": others})
    return Fits("Several players show 31 together before anyone knocks", {"every other player": others})


def fitted_knock(knocker, lowest):
    if lowest == knocker:
        return Fits("Knock; the knocker alone is lowest", {"the knocker": knocker})
    if knocker <= lowest:
        means = {"the knocker": knocker, "the others in the tie": lowest - knocker}
        return Fits("Knock; the knocker ties for lowest", means)
    if len(lowest) == 1:
        return Fits("Knock; one other player has the lowest hand", {"that player": lowest})
    return Fits("Knock; players other than the knocker tie for lowest", {"those players": lowest})


def read(fits, rows):
    """Return who loses how many lives by a row, and whether it says that whoever does is out."""
    if fits is None:
        return None
    if fits.says not in rows:
        assert fits.says == "Stock out; players tie for lowest"
        assert rows["Stock out; one player has the lowest hand"] == ("Nobody", "none")
        return {}
    who, lives = rows[fits.says]
    who = who.lower().partition(" (")[0]
    named = who.split(" and ")
    assert named == ["nobody"] or set(named) <= fits.means.keys()
    each = {
        role: (amount, bool(out))
        for amount, role, out in re.findall(r"(\d|every life)(?: each)? for ([a-z ]+?)( \(out\))?(?= and|,|$)", lives)
    }
    if not each and named != ["nobody"]:
        amount, out = re.fullmatch(r"(\d|every life)(?: each)?( \(out\))?", lives).groups()
        each = dict.fromkeys(named, (amount, bool(out)))
    assert set(each) == (set() if named == ["nobody"] else set(named))
    return {seat: loss for role, loss in each.items() for seat in fits.means[role]}


def check(rows, ruling, holders, players, rules):
    """Assert that a ruling is what the rows say, read by someone who knows nothing else."""
    fits = fitted(ruling, holders, rules)
    last_chance = 0 if rules.county == "all" else 1
    by_knock = ruling.ended_by in {"knock", "first_knock"}
    if ruling.ended_by == "first_knock":
        assert rows["Knock as the very first act of the hand"] == ("As after any other knock", "as there")
    if by_knock and rules.thirty_one_after_knock == "top_hand":
        assert rows["31 of another player after a knock"] == ("As after any other knock", "as there")
    all_tie = len({seat.value for seat in ruling.seats}) == 1
    if ruling.ended_by != "thirty_one" and all_tie and all(seat.before == last_chance for seat in ruling.seats):
        row = rows.get(f"{'Knock' if by_knock else 'Stock out'}; {TIE}")
        if row is not None:
            check_that_all_go_out(row, ruling)
            return
    if ruling.play_again or all(seat.status == "out" for seat in ruling.seats):
        assert len({seat.before for seat in ruling.seats}) > 1 or ruling.seats[0].before != last_chance
        return
    losses = read(fits, rows)
    if losses is None:
        return
    won_back = redeemed(rows, ruling, holders, players, last_chance)
    for seat in ruling.seats:
        if seat.seat in won_back:
            assert seat.seat not in losses
            assert (seat.change, seat.status) == (1, "in")
        elif seat.seat in losses:
            check_loss(rows, seat, *losses[seat.seat])
        else:
            assert seat.change == 0


def check_that_all_go_out(row, ruling):
    if ruling.play_again:
        assert row == ("Nobody; the hand is played again", "none")
    else:
        assert row == (f"Everyone; {'they share the win' if ruling.winners else 'nobody wins'}", "all out")
        assert all(seat.status == "out" for seat in ruling.seats)


def check_loss(rows, seat, amount, out):
    """Assert that a player has lost what a row says, and become what the rows on the last lives say."""
    if amount == "every life":
        beyond = seat.before < 2 and seat.change == -2
        assert beyond or -seat.change == max(seat.before, 1)
    else:
        assert seat.change == -int(amount)
    if seat.before == 0:
        row = rows[COUNTY]
        assert row == ("That player", "out")
        assert seat.status == "out"
    elif -seat.change > seat.before:
        who, what = rows[BEYOND]
        assert who == "That player"
        assert what == f"the 1 left ({'out' if seat.status == 'out' else 'on the county'})"
    elif -seat.change == seat.before:
        who, what = rows[LAST]
        assert who == "That player"
        assert what == f"1 ({'out' if seat.status == 'out' else 'on the county'})"
    else:
        assert seat.status == "in"
    assert not out or seat.status == "out"


def redeemed(rows, ruling, holders, players, last_chance):
    """Return who wins a life back by the rows."""
    best = max(seat.value for seat in ruling.seats)
    highest = {seat.seat for seat in ruling.seats if seat.value == best}
    if ruling.ended_by == "thirty_one":
        says, best_hands = SHOWN, holders
    else:
        says = f"{'Stock out' if ruling.ended_by == 'stock_exhausted' else 'Knock'}; {BEST}"
        best_hands = highest if len(highest) == 1 else set()
    if says not in rows:
        return set()
    assert rows[says] == ("As above; that player wins a life back, once a game", "1 won back")
    return {
        seat for seat in best_hands if ruling.seats[seat - 1].before == last_chance and not players[seat - 1].redeemed
    }


def rows_of(rules):
    return {row[0]: row[1:] for row in losses_table(rules).rows}


@examples(6)
@given(rule_choices(StockRules), dice(40))
def test_every_row_is_true_of_every_hand_that_fits_its_words(choice, roll):
    rules = resolve(choice).rules
    record = made_up(roll, rules)
    ruling = adjudicate(record, rules)
    if isinstance(ruling, Settled):
        shown = record.ended_by.seats if isinstance(record.ended_by, DeclareEnding) else ()
        held = {seat.seat for seat in ruling.seats if seat.value == 31}
        holders = held if rules.thirty_one_claim == "automatic" else set(shown)
        check(rows_of(rules), ruling, holders, record.players, rules)


@examples(6)
@given(rule_choices(StockRules), dice(40), st.sampled_from(IDLE), st.data())
def test_an_option_is_left_out_only_where_no_hand_tells_its_answers_apart(choice, roll, entry, data):
    """Under few rules something is left out by chance, so these are bent until it is."""
    name, where = entry
    answers = {option: data.draw(st.sampled_from(allowed)) for option, allowed in where.items()}
    rules = replace(resolve(choice).rules, **{"loss_beyond_lives": "out", "knock_after_stock": "forbidden", **answers})
    bent = []
    for answer in STOCK_OPTIONS[name].answers:
        with suppress(IncompatibleAnswersError):
            bent.append(replace(rules, **{name: answer.answer}))
    assert all(name in idle_options(each) for each in bent)
    record = made_up(roll, rules)
    first, *others = (adjudicate(record, each) for each in bent)
    assert not any(differ(first, other) for other in others)


def knock_with_a_31(second, lives):
    """Return a hand in which the first player knocks with a dealt 31, and the second one keeps these cards."""
    return convert(
        {
            "players": [{"lives": left} for left in lives],
            "dealer": 2,
            "deal": {"hands": [["As", "Ks", "Qs"], second], "upcard": "4d"},
            "events": [
                {"type": "knock", "seat": 1},
                {"type": "draw_stock", "seat": 2, "card": "Tc"},
                {"type": "discard", "seat": 2, "card": "Tc"},
            ],
        },
        HandLog,
    )


@pytest.mark.parametrize("lives", [(9, 8), (1, 1), (1, 0), (0, 0)])
@pytest.mark.parametrize("second", [("5d", "6d", "8d"), ("Ad", "9d", "Td"), ("7h", "7d", "7c"), ("Ad", "Kd", "Jd")])
@pytest.mark.parametrize("claim", ["at_once", "optional"])
@pytest.mark.parametrize("first_knock", ["free", "ends_hand"])
@pytest.mark.parametrize("tie", ["safe", "double", "only_two"])
def test_a_knock_that_only_a_31_is_worth_is_told_of(lives, second, claim, first_knock, tie):
    rules = StockRules(
        minimum_knock=31, thirty_one_claim=claim, first_knock=first_knock, knocker_tie=tie, three_of_a_kind="30.5"
    )
    log = knock_with_a_31(second, lives)
    if first_knock == "ends_hand":
        log = replace(log, events=log.events[:1])
    ruling = adjudicate(log, rules)
    assert ruling.ended_by == ("knock" if first_knock == "free" else "first_knock")
    check(rows_of(rules), ruling, set(), log.players, rules)


def test_nothing_is_told_of_a_knock_where_no_hand_is_ever_worth_one():
    for answers in ({"thirty_one_claim": "automatic"}, {"first_knock": "after_first_round"}):
        table = losses_table(StockRules(minimum_knock=31, knocker_on_31=2, **answers))
        said = [row[0] for row in table.rows]
        assert not any(each.startswith("Knock") or "after a knock" in each or "lose 2" in each for each in said)
        assert {"A player with 1 life left loses it", "A player on the county loses"} <= set(said)


def test_a_tie_in_the_widow_form_is_told_of_whatever_a_knock_needs():
    for minimum in (0, 30, 31):
        said = [row[0] for row in losses_table(WidowRules(minimum_knock=minimum)).rows]
        assert sum("worth the same" in each for each in said) == 2
        said = [row[0] for row in losses_table(WidowRules(minimum_knock=minimum, pot_tie="split")).rows]
        assert sum("worth the same" in each for each in said) == 1
