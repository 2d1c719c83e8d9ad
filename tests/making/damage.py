"""Damaged logs: legal play in which one or two things are wrong."""

from collections.abc import Callable

from msgspec import UNSET
from msgspec.structs import fields, replace

from schemas.cards import Card
from schemas.hand import (
    Deal,
    Declare,
    Discard,
    DrawStock,
    Event,
    Exchange,
    HandLog,
    Knock,
    Reshuffle,
    Stand,
    TakeDiscard,
)
from tests.making.deals import MOST_PLAYERS
from tests.making.dice import Dice

_CARDS = tuple(Card)


def damaged(dice: Dice, log: HandLog) -> HandLog:
    """Return the log with one or two mutations, which may happen to leave it legal."""
    for _ in range(dice.pick((1, 1, 2))):
        log = dice.pick(_MUTATIONS)(dice, log)
    return log


def damaged_deal(dice: Dice, log: HandLog) -> HandLog:
    """Return the log with one mutation before its first event, which may happen to leave it legal."""
    return dice.pick(_OF_DEAL)(dice, log)


def any_event(dice: Dice, seats: int = MOST_PLAYERS) -> Event:
    """Return an event of any type, seat and cards."""
    seat = 1 + dice.below(seats)
    card = dice.pick((UNSET, any_card(dice)))
    return dice.pick(
        (
            DrawStock(seat, card),
            TakeDiscard(seat, card),
            Discard(seat, any_card(dice)),
            Knock(seat),
            Declare(seat),
            Stand(seat),
            Reshuffle(dice.pick((UNSET, any_cards(dice, 3)))),
            Exchange(seat, any_cards(dice, 4), any_cards(dice, 4)),
        )
    )


def any_card(dice: Dice) -> Card:
    """Return any card, a joker too."""
    return dice.pick(_CARDS)


def any_cards(dice: Dice, most: int) -> tuple[Card, ...]:
    """Return up to so many cards, which may be alike."""
    return tuple(any_card(dice) for _ in range(dice.below(most + 1)))


Mutation = Callable[[Dice, HandLog], HandLog]


def _swap(dice: Dice, log: HandLog) -> HandLog:
    if len(log.events) < 2:
        return log
    at = dice.below(len(log.events) - 1)
    first, second = log.events[at : at + 2]
    return _with_events(log, at, 2, second, first)


def _drop(dice: Dice, log: HandLog) -> HandLog:
    return _with_events(log, _position(dice, log), 1)


def _duplicate(dice: Dice, log: HandLog) -> HandLog:
    at = _position(dice, log)
    return _with_events(log, at, 0, *log.events[at : at + 1])


def _other_seat(dice: Dice, log: HandLog) -> HandLog:
    """Give an event to another player, at times to one who is not at the table."""
    at = _position(dice, log)
    seat = 1 + dice.below(min(len(log.players) + 1, MOST_PLAYERS))
    changed = [replace(event, seat=seat) for event in log.events[at : at + 1] if hasattr(event, "seat")]
    return _with_events(log, at, len(changed), *changed)


def _other_card(dice: Dice, log: HandLog) -> HandLog:
    """Let an event name another card, or none."""
    places = [at for at, event in enumerate(log.events) if hasattr(event, "card") or hasattr(event, "give")]
    if not places:
        return log
    at = dice.pick(places)
    event = log.events[at]
    if isinstance(event, Exchange):
        which = dice.pick(("give", "take"))
        cards = getattr(event, which)
        changed = dice.pick(((any_card(dice), *cards[1:]), cards[1:], (*cards, any_card(dice))))
        return _with_events(log, at, 1, replace(event, **{which: changed}))
    card = any_card(dice) if isinstance(event, Discard) or dice.chance(70) else UNSET
    return _with_events(log, at, 1, replace(event, card=card))


def _straight_back(dice: Dice, log: HandLog) -> HandLog:
    """Let a player throw back the card just drawn from either pile."""
    pairs = zip(log.events, log.events[1:], strict=False)
    places = [
        at
        for at, (drawn, thrown) in enumerate(pairs, start=1)
        if isinstance(drawn, TakeDiscard) and isinstance(thrown, Discard)
    ]
    if not places:
        return log
    at = dice.pick(places)
    before = [event.card for event in log.events[:at] if isinstance(event, Discard)]
    card = before[-1] if before else log.deal.upcard
    return log if card is UNSET else _with_events(log, at, 1, replace(log.events[at], card=card))


def _foreign_event(dice: Dice, log: HandLog) -> HandLog:
    """Put in an event of any kind."""
    return _with_events(log, _position(dice, log), 0, any_event(dice, len(log.players)))


def _late_31(dice: Dice, log: HandLog) -> HandLog:
    """Move the showing of a 31 to another moment."""
    places = [at for at, event in enumerate(log.events) if isinstance(event, Declare)]
    if not places:
        return log
    at = dice.pick(places)
    shown = log.events[at]
    log = _with_events(log, at, 1)
    return _with_events(log, _position(dice, log), 0, shown)


def _junk_after_the_end(dice: Dice, log: HandLog) -> HandLog:
    return _with_events(log, len(log.events), 0, *(any_event(dice) for _ in range(1 + dice.below(3))))


def _cut_off(dice: Dice, log: HandLog) -> HandLog:
    return replace(log, events=log.events[: _position(dice, log)])


def _other_dealer(dice: Dice, log: HandLog) -> HandLog:
    return replace(log, dealer=1 + dice.below(MOST_PLAYERS))


def _other_lives(dice: Dice, log: HandLog) -> HandLog:
    at = dice.below(len(log.players))
    player = replace(log.players[at], lives=dice.pick((0, 1, 99)))
    return replace(log, players=(*log.players[:at], player, *log.players[at + 1 :]))


def _other_players(dice: Dice, log: HandLog) -> HandLog:
    """Let a player be missing, or one sit there without a hand."""
    fewer = log.players[1:] or log.players
    return replace(log, players=dice.pick((fewer, (*log.players, log.players[0])[:MOST_PLAYERS])))


def _other_hand(dice: Dice, log: HandLog) -> HandLog:
    """Deal a card that may be dealt already or be a joker, or one hand less."""
    hands = log.deal.hands
    if not hands or dice.chance(20):
        return replace(log, deal=replace(log.deal, hands=hands[:-1]))
    at = dice.below(len(hands))
    hand = (any_card(dice), *hands[at][1:])
    return replace(log, deal=replace(log.deal, hands=(*hands[:at], hand, *hands[at + 1 :])))


def _other_form(dice: Dice, log: HandLog) -> HandLog:
    """Deal a part that the other form has, or leave out what this one needs."""
    part = dice.pick([field.name for field in fields(Deal) if field.name != "hands"])
    cards = tuple(any_card(dice) for _ in range(3))
    given = {"upcard": cards[0], "widow": cards, "stock": cards}[part]
    return replace(log, deal=replace(log.deal, **{part: UNSET if dice.chance(50) else given}))


def _other_stock(dice: Dice, log: HandLog) -> HandLog:
    """Put the known stock in another order, or make it other than the rest of the pack."""
    stock = log.deal.stock
    if stock is UNSET or not stock:
        return log
    swapped = (*stock[1:], stock[0])
    changed = dice.pick((swapped, stock[:-1], (any_card(dice), *stock[1:]), (*stock, any_card(dice))))
    return replace(log, deal=replace(log.deal, stock=changed))


def _position(dice: Dice, log: HandLog) -> int:
    """Return a place among the events or behind them."""
    return dice.below(len(log.events) + 1)


def _with_events(log: HandLog, at: int, instead_of: int, *events: Event) -> HandLog:
    return replace(log, events=(*log.events[:at], *events, *log.events[at + instead_of :]))


_OF_DEAL: tuple[Mutation, ...] = (
    _other_dealer,
    _other_lives,
    _other_players,
    _other_hand,
    _other_form,
    _other_stock,
)
_MUTATIONS: tuple[Mutation, ...] = (
    _drop,
    _duplicate,
    _swap,
    _other_seat,
    _other_card,
    _straight_back,
    _foreign_event,
    _late_31,
    _junk_after_the_end,
    _cut_off,
    *_OF_DEAL,
)
