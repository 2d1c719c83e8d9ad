"""Requests that say the same otherwise, and requests that say something else.

All work on the plain form of a hand, as `plain` gives it: cards in canonical notation, no names.
"""

import json
from collections.abc import Callable, Iterator
from typing import Any

import msgspec

from engine.presets import RuleChoice, resolve
from schemas.cards import Card, in_order
from schemas.changes import Changes
from schemas.rules import options_of
from tests.making.damage import any_event
from tests.making.deals import MOST_PLAYERS
from tests.making.dice import Dice
from tests.making.rules import PRESETS_OF, answer_of, choice_of

Plain = dict[str, Any]

NAMES = ("Zo\u00eb", "\u5f20\u4f1f", "O'Neil", "Ben\u2028", "\U0001f0cf")
"""Names that stand in no sentence of their own."""

_CARDS = [str(card) for card in in_order(Card)]
_SYMBOLS = {"s": "\u2660\u2664", "h": "\u2661\u2665", "d": "\u2662\u2666", "c": "\u2663\u2667"}
_LISTS_WITHOUT_ORDER = frozenset({"widow", "give", "take", "cards"})


def plain(part: Any) -> Any:
    """Return a hand, a part of one, or rules as decoded JSON."""
    return json.loads(msgspec.json.encode(part))


def implied_cards(log: Plain) -> Iterator[str | None]:
    """Yield, for each event of a log, the card that the piles imply, or None."""
    pile = [log["deal"]["upcard"]] if "upcard" in log["deal"] else []
    stock = log["deal"].get("stock", [])
    for event in log["events"]:
        top = None
        match event["type"]:
            case "discard":
                pile = [*pile, event["card"]]
            case "take_discard":
                top, pile = (pile[-1], pile[:-1]) if pile else (None, [])
            case "draw_stock":
                top, stock = (stock[0], stock[1:]) if stock else (None, [])
            case "reshuffle":
                pile, stock = pile[-1:], event.get("stock", [])
        yield top


def explicit(hand: Plain) -> Plain:
    """Return a hand as it is meant: every implied card written down, and sorted what has no order."""
    if hand["kind"] == "log":
        events = [
            {**event, "card": event.get("card", top)} if top else event
            for event, top in zip(hand["events"], implied_cards(hand), strict=True)
        ]
        hand = {**hand, "events": events}

    def with_order(key: str, value: Any) -> Any:
        if key in _LISTS_WITHOUT_ORDER:
            return _sorted(value)
        return sorted(set(value)) if key == "seats" else value

    return _mapped(hand, with_order)


def respelt(dice: Dice, hand: Plain) -> Plain:
    """Return a hand that says the same, as another client might write it."""
    if hand["kind"] == "log":
        events = [
            _with_or_without(dice, event, top) for event, top in zip(hand["events"], implied_cards(hand), strict=True)
        ]
        hand = {**hand, "events": events}

    def written(key: str, value: Any) -> Any:
        if key in {"card", "upcard"}:
            return spelt(dice, value)
        if key == "stock":
            return [spelt(dice, card) for card in value]
        if key in _LISTS_WITHOUT_ORDER:
            return [spelt(dice, card) for card in dice.shuffled(value)]
        if key == "seats":
            return dice.shuffled([*value, *value][: max(len(value), dice.below(MOST_PLAYERS + 1))])
        if key == "players":
            return [_player(dice, player) for player in value]
        return value

    return _shuffled(dice, _mapped(hand, written))


def sent(dice: Dice, request: Plain) -> tuple[bytes, bool]:
    """Return the body of a request, and whether it is MessagePack."""
    if dice.chance(40):
        return msgspec.msgpack.encode(request), True
    indent, ascii_only = dice.pick((None, 1)), dice.chance(50)
    return json.dumps(request, indent=indent, ensure_ascii=ascii_only).encode(), False


def chosen_otherwise(dice: Dice, choice: RuleChoice) -> RuleChoice:
    """Return another choice of the same rules: any preset of the form, and every answer as a change."""
    rules = resolve(choice).rules
    preset = dice.pick(PRESETS_OF[type(rules)])
    return RuleChoice(preset.id, Changes(**{name: getattr(rules, name) for name in options_of(rules)}))


def ruled_otherwise(dice: Dice, choice: RuleChoice) -> RuleChoice:
    """Return a choice of rules that differ in an answer, which may happen to be none."""
    rules = resolve(choice).rules
    answers = {name: getattr(rules, name) for name in options_of(rules)}
    name = dice.pick(list(answers))
    return choice_of(choice.preset, answers | {name: answer_of(dice, name, options_of(rules)[name])})


def altered(dice: Dice, hand: Plain) -> Plain:
    """Return a hand with a change in one place, which may happen to say the same."""
    hand = explicit(hand)
    places = list(_places(hand))
    change = places[(256 * dice.below(256) + dice.below(256)) % len(places)]
    change(dice)
    return hand


def _places(part: Any) -> Iterator[Callable[[Dice], None]]:
    """Yield a function for each change that can be made in a part; it makes the change in place."""
    if isinstance(part, list):
        if part and isinstance(part[0], dict) and "type" in part[0]:
            yield lambda dice: part.pop(dice.below(len(part)))
            yield lambda dice: part.append(dice.pick(part))
            yield lambda dice: part.__setitem__(dice.below(len(part)), plain(any_event(dice)))
        if len(part) > 1 and not isinstance(part[0], int):
            yield lambda dice: _swap(part, dice.below(len(part) - 1))
        items: Any = enumerate(part)
    elif isinstance(part, dict):
        items = part.items()
    else:
        return
    for key, value in items:
        if isinstance(value, list | dict):
            yield from _places(value)
        elif (other := _other(key, value)) is not None:
            yield lambda dice, key=key, other=other: part.__setitem__(key, other(dice))


def _other(key: str | int, value: Any) -> Callable[[Dice], Any] | None:
    if isinstance(value, bool):
        return lambda _: not value
    if isinstance(value, int):
        return lambda dice: dice.below(100) if key == "lives" else 1 + dice.below(MOST_PLAYERS)
    return (lambda dice: dice.pick(_CARDS)) if value in _CARDS else None


def _swap(part: list[Any], at: int) -> None:
    part[at], part[at + 1] = part[at + 1], part[at]


def _with_or_without(dice: Dice, event: Plain, top: str | None) -> Plain:
    """Return an event with or without its card, where that is implied."""
    if top is None or event.get("card", top) != top:
        return event
    return {**event, "card": top} if dice.chance(50) else {key: event[key] for key in event if key != "card"}


def _player(dice: Dice, player: Plain) -> Plain:
    """Return a player with or without a name, and with or without what is left out by default."""
    kept = {key: value for key, value in player.items() if value is not False or dice.chance(50)}
    return {**kept, "name": dice.pick(NAMES)} if dice.chance(50) else kept


def spelt(dice: Dice, card: str) -> str:
    """Return a card in another notation."""
    rank, suit = card
    rank = dice.pick(("T", "10", "t")) if rank == "T" else dice.pick((rank, rank.lower()))
    if rank in "Xx" or dice.chance(50):
        return rank + dice.pick((suit, suit.upper()))
    return rank + dice.pick(_SYMBOLS[suit]) + dice.pick(("", "\ufe0e", "\ufe0f"))


def _sorted(cards: list[str]) -> list[str]:
    return sorted(cards, key=_CARDS.index)


def _shuffled(dice: Dice, part: Any) -> Any:
    """Return a part whose objects have their keys in another order."""
    if isinstance(part, dict):
        return {key: _shuffled(dice, part[key]) for key in dice.shuffled(list(part))}
    return [_shuffled(dice, each) for each in part] if isinstance(part, list) else part


def _mapped(part: Any, seen: Callable[[str, Any], Any], key: str = "") -> Any:
    """Return a copy of a part with the value of every key seen otherwise; each dealt hand has the key `cards`."""
    part = seen(key, part)
    if isinstance(part, dict):
        return {name: _mapped(value, seen, name) for name, value in part.items()}
    if isinstance(part, list | tuple):
        return [_mapped(value, seen, "cards" if key == "hands" else "") for value in part]
    return part
