"""The narrative: a judged hand in words that a child can follow, from the deal to what follows from it."""

from collections.abc import Iterator

from msgspec import UNSET

from engine.clerk import Clerk
from engine.examples import outcome
from engine.examples.sums import asides, tally
from engine.examples.turns import Turns
from engine.valuation import worth
from engine.wording import counted, lives, shown
from schemas.examples import Passage
from schemas.hand import Hand, HandLog
from schemas.rules import RuleSet, StockRules
from schemas.ruling import Refused, Ruling, Settled, Unfinished


def narrate(hand: Hand, ruling: Ruling) -> tuple[Passage, ...]:
    """Return what happens in a hand, as plain text; `ruling` is what `adjudicate` says of this very hand.

    The sums are the engine's own, and the sentences on rules are the ruling's citations, word for word.
    """
    return tuple(_passages(hand, ruling))


def _passages(hand: Hand, ruling: Ruling) -> Iterator[Passage]:
    clerk = Clerk(hand.players, None)
    if isinstance(hand, HandLog) and not _is_refused_as_a_whole(ruling):
        turns = Turns(hand, ruling.rules, clerk)
        turns.follow(hand.events[: _judged(hand, ruling)])
        yield _deal(hand, ruling.rules, clerk)
        yield from _play(turns, ruling)
        attempt = turns.attempt(hand.events[ruling.at]) if isinstance(ruling, Refused) and ruling.at is not None else ""
    else:
        attempt = "The record itself cannot stand."
        if isinstance(ruling, Settled):
            yield Passage("Only the end of this hand is recorded.")
    match ruling:
        case Settled():
            yield from outcome.settled(ruling, clerk)
        case Refused():
            yield from outcome.refused(ruling, attempt, clerk)
        case Unfinished():
            yield from outcome.unfinished(ruling, clerk)


def _is_refused_as_a_whole(ruling: Ruling) -> bool:
    """Return whether the record was refused before any event, so that its deal need not make sense."""
    return isinstance(ruling, Refused) and ruling.at is None


def _judged(log: HandLog, ruling: Ruling) -> int:
    """Return how many events of a log were played."""
    match ruling:
        case Settled(ended_at=None):
            return 0
        case Settled(ended_at=int(last)):
            return last + 1
        case Refused(at=int(refused)):
            return refused
        case _:
            return len(log.events)


def _deal(log: HandLog, rules: RuleSet, clerk: Clerk) -> Passage:
    if len(log.players) == 1 and isinstance(rules, StockRules):
        start = [
            f"{clerk.name(1)} is out of the game and rides the bus: {counted(rules.ride_the_bus, 'draw')} at most."
        ]
    else:
        start = [f"{clerk.name(log.dealer)} deals. {clerk.name(log.dealer % len(log.players) + 1)} plays first."]
    if log.deal.upcard is not UNSET:
        start.append(f"The upcard is {log.deal.upcard.sign}.")
    if log.deal.widow is not UNSET:
        start.append(f"The widow is {shown(log.deal.widow)}.")
    return Passage(" ".join(start), tuple(_dealt(log, rules, clerk)))


def _dealt(log: HandLog, rules: RuleSet, clerk: Clerk) -> Iterator[str]:
    """Yield an item for each dealt hand."""
    has_lives = isinstance(rules, StockRules) and len(log.players) > 1
    hands = [worth(cards, rules) for cards in log.deal.hands]
    for seat, (player, own, aside) in enumerate(zip(log.players, hands, asides(hands), strict=True), start=1):
        who = clerk.name(seat)
        if has_lives:
            who += f" has {lives(player.lives)} and" if player.lives else " is on the county and"
        yield f"{who} is dealt {shown(own.cards)}: {tally(own)}.{aside}"


def _play(turns: Turns, ruling: Ruling) -> Iterator[Passage]:
    if turns.lines:
        yield Passage("The play:", turns.lines)
    ended_at_once = isinstance(ruling, Settled) and ruling.ended_by == "first_knock"
    if turns.others_after_knock and not ended_at_once:
        yield Passage(f"{turns.others_after_knock} has one last turn.", turns.lines_after_knock)
