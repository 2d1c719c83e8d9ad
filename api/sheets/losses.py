"""The table of who loses what: every ending that a rule set has, settled by the engine and read off its ruling."""

from collections.abc import Iterator

from msgspec import Struct
from msgspec.structs import replace

from api.sheets.endings import STOCK_CASES, THIRTY_ONE, WIDOW_CASES, WINS_BACK, Case, Role
from api.sheets.sheet import Table
from engine.adjudicate import adjudicate
from engine.readings import claim_of_31, first_knock, last_chance
from engine.wording import listed
from schemas.hand import ShowdownRecord
from schemas.relevance import holds
from schemas.rules import RuleSet, StockRules, WidowRules
from schemas.ruling import SeatResult, Settled

_LEAST = 20
"""What the knocker of a made-up hand has, if that is enough to knock: below it there is room for lower hands."""
_NOBODY = "Nobody"
_AS_ANY_KNOCK = "As after any other knock"
_MOST = 2
"""Lives that can be lost at once under rules that do not take all that are left."""


class Told(Struct, frozen=True):
    """An ending, the hand made up for it, and what the engine says of it."""

    case: Case
    record: ShowdownRecord
    ruling: Settled


def losses_table(rules: RuleSet) -> Table:
    """Return who loses what in every ending that these rules have; in the widow form, who takes the pot."""
    endings = told_endings(rules)
    if isinstance(rules, WidowRules):
        won = [(told.case.says, _who_wins(told)) for told in endings]
        return Table("Who takes the pot", ("What happens", "Who takes the pot"), tuple(won))
    lost = [(told.case.says, *_who_loses(told)) for told in endings if not _goes_without_saying(told, endings)]
    return Table("Who loses what", ("What happens", "Who loses", "Lives"), tuple(lost))


def told_endings(rules: RuleSet) -> tuple[Told, ...]:
    """Return the endings that these rules have, each with a hand that ended so."""
    cases = STOCK_CASES if isinstance(rules, StockRules) else WIDOW_CASES
    return tuple(told for case in cases for told in _tell(case, rules))


def cost_of_lowest(rules: StockRules) -> int:
    """Return what a player other than the knocker loses for the lowest hand."""
    told = next(_tell(STOCK_CASES[0], replace(rules, minimum_knock=0)))
    return -_of(told, told.case.roles[0])[0].change


def can_knock(rules: RuleSet) -> bool:
    """Return whether a hand may come to be worth a knock; where only a 31 is, it may have to be shown first."""
    claim = claim_of_31(rules)
    shown_first = claim.by_itself or (claim.lapses and first_knock(rules).waits_for_round)
    return rules.minimum_knock < THIRTY_ONE or not shown_first


def _tell(case: Case, rules: RuleSet) -> Iterator[Told]:
    """Yield the first hand of a case that these rules settle as expected, if there is one."""
    if not holds(case.where, rules):
        return
    brink = last_chance(rules) if isinstance(rules, StockRules) else 1
    # What a knocker needs does not change who loses; but a 31 that was worth a knock counts less than one afterwards,
    # where it was not shown: no record says that it was enough.
    settled_by = replace(rules, minimum_knock=0)
    for showdown in case.showdowns:
        if showdown.after_a_knock and not can_knock(rules):
            continue
        record = showdown.record(max(_LEAST, rules.minimum_knock), brink)
        ruling = adjudicate(record, settled_by) if record else None
        if record and isinstance(ruling, Settled) and _is_expected(Told(case, record, ruling)):
            yield Told(case, record, ruling)
            return


def _goes_without_saying(told: Told, endings: tuple[Told, ...]) -> bool:
    """Return whether nobody loses in a tie because nobody loses in any hand that ends so."""
    first = next(other for other in endings if other.ruling.ended_by == told.ruling.ended_by)
    return told is not first and not told.case.puts_out_all and _is_harmless(told) and _is_harmless(first)


def _is_harmless(told: Told) -> bool:
    return not any(seat.change for seat in told.ruling.seats)


def _is_expected(told: Told) -> bool:
    case, ruling = told.case, told.ruling
    if ruling.ended_by not in case.ended_by or (case.lowest and _lowest(ruling) != case.lowest):
        return False
    if case.loses is not None and any(seat.change != -case.loses for seat in _of(told, case.roles[0])):
        return False
    return not case.puts_out_all or ruling.play_again or all(seat.status == "out" for seat in ruling.seats)


def _lowest(ruling: Settled) -> tuple[int, ...]:
    least = min(seat.value for seat in ruling.seats)
    return tuple(seat.seat for seat in ruling.seats if seat.value == least)


def _of(told: Told, role: Role) -> list[SeatResult]:
    return [seat for seat in told.ruling.seats if seat.seat in role.seats]


def _who_wins(told: Told) -> str:
    if told.case.as_any_knock:
        return _AS_ANY_KNOCK
    winners = told.ruling.pot_winners or ()
    roles = [role for role in told.case.roles if set(role.seats) & set(winners)]
    return _capital(listed([role.name for role in roles]) + (", who share it" if len(winners) > 1 else ""))


def _who_loses(told: Told) -> tuple[str, str]:
    """Return who loses, and how many lives."""
    return _in_set_words(told) or _in_figures(told)


def _in_set_words(told: Told) -> tuple[str, str] | None:
    """Return what is said of an ending, where that does not hang on who the losers are."""
    if told.ruling.play_again:
        return f"{_NOBODY}; the hand is played again", "none"
    if told.case.puts_out_all:
        return f"Everyone; {'they share the win' if told.ruling.winners else 'nobody wins'}", "all out"
    if told.case.as_any_knock:
        return _AS_ANY_KNOCK, "as there"
    if told.case.loses == WINS_BACK:
        return "As above; that player wins a life back, once a game", "1 won back"
    return None


def _in_figures(told: Told) -> tuple[str, str]:
    harmed = {role: _of(told, role) for role in told.case.roles if any(seat.change for seat in _of(told, role))}
    if not harmed:
        return _NOBODY, "none"
    lives = {role: _lives(seats) for role, seats in harmed.items()}
    who = _capital(listed([role.name for role in harmed]) + _who_is_safe(told))
    several = sum(map(len, harmed.values())) > 1
    if len(set(lives.values())) == 1:
        ((amount, state),) = set(lives.values())
        return who, amount + (" each" if several else "") + state
    each = [
        f"{amount}{' each' if len(harmed[role]) > 1 else ''} for {role.name}{state}"
        for role, (amount, state) in lives.items()
    ]
    return who, listed(each)


def _lives(seats: list[SeatResult]) -> tuple[str, str]:
    """Return what the players of a role lose, and what that makes of them."""
    changes = {seat.change for seat in seats}
    status = {seat.status for seat in seats}
    state = " (out)" if status == {"out"} else " (on the county)" if status == {"county"} else ""
    if min(changes) < -_MOST:
        # On the county there are no lives to lose: whoever is there goes out instead.
        return "every life", state if status == {"out"} else ""
    (change,) = changes
    left = max(seat.before for seat in seats)
    if left < -change:
        return (f"the {left} left", state) if left else ("out", "")
    return str(-change), state


def _who_is_safe(told: Told) -> str:
    """Return a remark on those who have the lowest hand and lose nothing."""
    lowest = _lowest(told.ruling) if told.case.lowest else ()
    safe = [role for role in told.case.roles if not any(seat.change for seat in _of(told, role))]
    named = [role for role in safe if set(role.seats) <= set(lowest)]
    return "".join(f" ({role.name} {'is' if len(_of(told, role)) == 1 else 'are'} safe)" for role in named)


def _capital(text: str) -> str:
    return text[:1].upper() + text[1:]
