"""How a hand comes out, told: the showdown, the rules that decide, and where every player stands afterwards."""

from collections.abc import Iterable, Iterator, Sequence

from engine import rulebook
from engine.clerk import Clerk
from engine.examples.sums import asides, laid_open, worth_of
from engine.wording import are, counted, lives, shown
from schemas.examples import Passage
from schemas.rules import WidowRules
from schemas.ruling import Citation, EventType, Refused, SeatResult, SeatStanding, Settled, Unfinished

_OF_THE_ENDING = ("end.", "stock.")
_TOLD_WITH_THE_CARDS = frozenset({rulebook.BEST_SUIT.id, rulebook.JOKER.id})
_OF_THE_NEXT_HAND = frozenset({rulebook.DEAL_PASSES.id})

_BESIDES = {rulebook.NOT_31.id: (rulebook.LAPSED.id,)}
"""Broken rules that are not worth telling beside another one: what is no 31 cannot be shown too late."""
_NEEDLESS = frozenset({rulebook.NEED_NOT_WAIT.id})

_MAY: dict[EventType, str] = {
    "draw_stock": "{player} may draw from the stock.",
    "take_discard": "{player} may take the top discard.",
    "discard": "{player} may discard a card.",
    "knock": "{player} may knock.",
    "declare": "A player with a 31 may show it.",
    "stand": "{player} may keep the hand without drawing.",
    "reshuffle": "The discards may be reshuffled.",
    "exchange": "{player} may exchange cards with the widow.",
}


def settled(ruling: Settled, clerk: Clerk) -> Iterator[Passage]:
    """Yield the showdown and what follows from it."""
    ending = [cited for cited in ruling.citations if cited.rule.startswith(_OF_THE_ENDING)]
    decided = [cited for cited in _worth_saying(ruling.citations, ruling.seats) if cited not in ending]
    hands = "This is the hand at the end:" if len(ruling.seats) == 1 else "These are the hands at the end:"
    yield Passage(_sentences(ending))
    yield Passage(hands, tuple(_shown_hands(ruling.seats, clerk)), is_showdown=True)
    if deciding := [cited for cited in decided if cited.rule not in _OF_THE_NEXT_HAND]:
        yield Passage(_sentences(deciding))
    if ruling.open_claims:
        could = clerk.names(ruling.open_claims)
        yield Passage(f"{could} may still show a 31 at once, and that would change how the hand comes out.")
    yield from _standing_afterwards(ruling, clerk)
    follows = [cited.says for cited in decided if cited.rule in _OF_THE_NEXT_HAND]
    if ruling.play_again and ruling.next_dealer is not None:
        follows.append(f"{clerk.name(ruling.next_dealer)} deals again.")
    if ruling.unplayed:
        events = counted(ruling.unplayed, "event")
        count = "does not count" if ruling.unplayed == 1 else "do not count"
        follows.append(f"The record has {events} after the end of the hand, which {count}.")
    if follows:
        yield Passage(" ".join(follows))


def refused(ruling: Refused, attempt: str, clerk: Clerk) -> Iterator[Passage]:
    """Yield what was tried, every rule that it breaks, and what else the refusal rests on."""
    if ruling.at is None and ruling.seats:
        yield Passage("These are the hands in the record:", tuple(_shown_hands(ruling.seats, clerk)))
    broken = [cited for cited in ruling.broken if cited.rule not in _BESIDES.get(ruling.broken[0].rule, ())]
    grounds = [cited for cited in _worth_saying(ruling.citations, ruling.seats) if cited.rule not in _NEEDLESS]
    yield Passage(_sentences([*broken, *grounds], before=attempt))
    if ruling.at is None:
        yield Passage("So there is nothing to be judged.")
    elif ruling.kind == "illegal":
        yield Passage("That is not allowed, and the hand is judged no further.")
    else:
        yield Passage("That cannot be, and the hand is judged no further.")


def unfinished(ruling: Unfinished, clerk: Clerk) -> Iterator[Passage]:
    """Yield whose turn it is, what may happen, and what everyone holds."""
    player = clerk.name(ruling.to_act)
    may = tuple(_MAY[kind].format_map({"player": player}) for kind in ruling.may)
    yield Passage(f"The hand is not over. It is {player}'s turn.", may)
    grounds = list(_worth_saying(ruling.citations, ruling.seats))
    yield Passage(_sentences(grounds, "These are the hands now:"), tuple(_shown_hands(ruling.seats, clerk)))


def _sentences(cited: Iterable[Citation], after: str = "", before: str = "") -> str:
    """Return what citations say, each sentence once, between others."""
    return " ".join(filter(None, dict.fromkeys([before, *(one.says for one in cited), after])))


def _worth_saying(citations: Iterable[Citation], seats: Sequence[SeatResult | SeatStanding]) -> Iterator[Citation]:
    """Yield the citations but those that only say how a value comes about, which is told with the cards."""
    triples = {seat.seat for seat in seats if seat.counts_as == "three_of_a_kind"}
    for cited in citations:
        told = cited.rule in _TOLD_WITH_THE_CARDS or (
            cited.rule == rulebook.TRIPLE.id and triples.issuperset(cited.seats)
        )
        if not told:
            yield cited


def _shown_hands(seats: Sequence[SeatResult | SeatStanding], clerk: Clerk) -> Iterator[str]:
    """Yield an item for each hand."""
    hands = [worth_of(seat) for seat in seats]
    for seat, own, aside in zip(seats, hands, asides(hands), strict=True):
        player = clerk.name(seat.seat)
        if own is None:
            yield f"{player}: {shown(seat.cards)}, and one of them has to be discarded."
        else:
            yield f"{player}: {laid_open(own)}{aside}"


def _standing_afterwards(ruling: Settled, clerk: Clerk) -> Iterator[Passage]:
    if isinstance(ruling.rules, WidowRules):
        return
    if ruling.ended_by == "bus_ride":
        yield Passage(f"No lives change: {clerk.name(1)} is out of the game already.")
        return
    yield Passage("After this hand:", tuple(_afterwards(ruling, clerk)))


def _afterwards(ruling: Settled, clerk: Clerk) -> Iterator[str]:
    """Yield an item for each player whom the hand costs or gives a life, and for those whom it leaves alike."""
    unchanged: dict[int, list[int]] = {}
    for seat in ruling.seats:
        if seat.change == 0:
            unchanged.setdefault(seat.before, []).append(seat.seat)
    for seat in ruling.seats:
        if seat.change:
            shares = seat.status == "out" and seat.seat in ruling.winners
            yield _changed(seat, clerk.name(seat.seat), " and shares the win" if shares else "")
        elif (alike := unchanged[seat.before])[0] == seat.seat:
            yield _kept(seat.before, alike, clerk)


def _kept(held: int, seats: Sequence[int], clerk: Clerk) -> str:
    players = clerk.names(seats)
    if not held:
        return f"{players} {are(seats)} still on the county."
    return f"{players} keeps {lives(held)}." if len(seats) == 1 else f"{players} keep {lives(held)} each."


def _changed(seat: SeatResult, player: str, and_then: str) -> str:
    """Return a sentence on what a hand leaves a player: "Ana loses 1 life and has 2 left."."""
    if seat.change > 0:
        return f"{player} wins back {lives(seat.change)} and has {lives(seat.after)}."
    if seat.after:
        return f"{player} loses {lives(-seat.change)} and has {seat.after} left."
    where = "out" if seat.status == "out" else "on the county"
    if not seat.before:
        return f"{player} is {where}{and_then}."
    lost = _ALL.get(seat.before) or f"all {lives(seat.before)}"
    return f"{player} loses {lost} and is {where}{and_then}."


_ALL = {1: "the last life", 2: "both lives"}
