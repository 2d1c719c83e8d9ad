"""Writing: from a record to its text in the strict form, of which there is one."""

from collections.abc import Iterator

from msgspec import UNSET

from schemas.hand import (
    Declare,
    DeclareEnding,
    Discard,
    DrawStock,
    Ending,
    Event,
    Exchange,
    FirstKnockEnding,
    HandLog,
    Knock,
    KnockEnding,
    Player,
    Reshuffle,
    ShowdownRecord,
    ShownPlayer,
    Stand,
    TakeDiscard,
)
from schemas.notation.cards import NOTHING, written
from schemas.notation.names import Names, needs_quotes, quoted
from schemas.notation.notated import Notated, NotatedRules


def write(notated: Notated) -> str:
    """Return the text of a record, in the strict form; every line of it has its end."""
    return "".join([f"{line}\n" for line in _lines(notated)])


def _lines(notated: Notated) -> Iterator[str]:
    hand = notated.hand
    names = Names([player.name for player in hand.players])
    notes = _notes(notated)
    yield from notes.get(None, ())
    for rules in notated.rules:
        yield _rules(rules)
    if hand.dealer is not UNSET:
        yield f"[dealer {names.of(hand.dealer)}]"
    if isinstance(hand, ShowdownRecord):
        for seat, shown in enumerate(hand.players, start=1):
            yield f"{_player(seat, shown)}: {written(shown.cards)}"
        yield from _ending(hand.ended_by, names)
    else:
        yield from _deal(hand)
        yield from _turns(hand.events, names, notes)


def _notes(notated: Notated) -> dict[int | None, list[str]]:
    """Return the marks and comments of each event, and those of the hand, as they are written."""
    notes: dict[int | None, list[str]] = {event: ["?"] for event in notated.disputed}
    for comment in notated.comments:
        notes.setdefault(comment.event, []).append(f"{{{comment.says}}}")
    return notes


def _rules(rules: NotatedRules) -> str:
    changes = [f"{option}={answer}" for option, answer in sorted(rules.changes.items())]
    preset = [] if rules.preset is UNSET else [rules.preset]
    return f"[{' '.join(['rules', *preset, *changes])}]"


def _player(seat: int, player: Player | ShownPlayer) -> str:
    name = f"Seat {seat}" if player.name is UNSET else player.name
    if player.name is not UNSET and needs_quotes(name):
        name = quoted(name)
    held = [str(player.lives)]
    if player.redeemed:
        held.append("redeemed")
    if isinstance(player, ShownPlayer) and player.unclaimed_31:
        held.append("unclaimed")
    return f"{name}({', '.join(held)})"


def _deal(log: HandLog) -> Iterator[str]:
    deal, players = log.deal, log.players
    for seat, player in enumerate(players, start=1):
        cards = written(deal.hands[seat - 1]) if seat <= len(deal.hands) else NOTHING
        yield f"{_player(seat, player)}: {cards}"
    for hand in deal.hands[len(players) :]:
        yield f"Extra: {written(hand)}"
    if deal.upcard is not UNSET:
        yield f"Up: {deal.upcard}"
    if deal.widow is not UNSET:
        yield f"Widow: {written(deal.widow)}"
    if deal.stock is not UNSET:
        yield f"Stock: {written(deal.stock)}"


def _ending(ending: Ending, names: Names) -> Iterator[str]:
    match ending:
        case KnockEnding(seat=seat):
            yield f"End: knock {names.of(seat)}"
        case FirstKnockEnding(seat=seat):
            yield f"End: first knock {names.of(seat)}"
        case DeclareEnding(seats=seats, knocker=knocker):
            yield f"End: 31 {', '.join(map(names.of, seats))}"
            if knocker is not UNSET:
                yield f"Knocker: {names.of(knocker)}"
        case _:
            yield "End: stock"


def _turns(events: tuple[Event, ...], names: Names, notes: dict[int | None, list[str]]) -> Iterator[str]:
    for line in _by_turn(events):
        first = events[line[0]]
        head = "" if isinstance(first, Reshuffle) else f"{names.of(first.seat)}: "
        yield head + " ".join([word for at in line for word in (_act(events[at]), *notes.get(at, ()))])


def _by_turn(events: tuple[Event, ...]) -> list[list[int]]:
    """Return the positions of the events that each line has."""
    lines: list[list[int]] = []
    for at, event in enumerate(events):
        if at and _goes_on(events[at - 1], event):
            lines[-1].append(at)
        else:
            lines.append([at])
    return lines


def _goes_on(before: Event, event: Event) -> bool:
    """Return whether an event stands in one line with the event before it."""
    if isinstance(before, Reshuffle) or isinstance(event, Reshuffle) or before.seat != event.seat:
        return False
    is_end_of_turn = isinstance(event, Discard) and isinstance(before, DrawStock | TakeDiscard)
    return is_end_of_turn or isinstance(event, Declare)


def _act(event: Event) -> str:
    if isinstance(event, Reshuffle):
        return "reshuffle" if event.stock is UNSET else f"Reshuffle: {written(event.stock)}"
    if isinstance(event, Exchange):
        return f"swap {written(event.give)} for {written(event.take)}"
    if isinstance(event, DrawStock | TakeDiscard | Discard):
        sign, unknown = _SIGNS[type(event)]
        return f"{sign}{unknown if event.card is UNSET else event.card}"
    return _WORDS[type(event)]


_SIGNS: dict[type[Event], tuple[str, str]] = {DrawStock: ("+", "?"), TakeDiscard: ("^", ""), Discard: ("-", "")}
"""How an event with a card begins, and what stands for a card that is not given."""
_WORDS: dict[type[Event], str] = {Knock: "knock", Declare: "31", Stand: "stand"}
