"""The canonical form once more, made from `docs/replay-format.md` alone: it shares no code with the project.

Requests are taken as decoded JSON, and the rules complete.
"""

from hashlib import sha256
from typing import Any

import rfc8785

Plain = dict[str, Any]

_SUITS = "shdc"
_RANKS = "AKQJT98765432"
_SYMBOLS = dict(zip("\u2660\u2661\u2662\u2663\u2664\u2665\u2666\u2667", "shdcshdc", strict=True))
_SELECTORS = "\ufe0e\ufe0f"


def question(hand: Plain, rules: Plain) -> bytes:
    """Return the canonical bytes of a question."""
    return rfc8785.dumps({"format": 1, "hand": _hand(hand), "rules": rules})


def replay_id(hand: Plain, rules: Plain) -> str:
    """Return the id of a replay."""
    return sha256(question(hand, rules)).hexdigest()


def rule_set_id(rules: Plain) -> str:
    """Return the id of a rule set."""
    return sha256(rfc8785.dumps(rules)).hexdigest()


def answer(ruling: Plain) -> bytes:
    """Return the bytes of the answer whose ruling a client was given for a question without names."""
    return rfc8785.dumps(_unstated(ruling))


def card(text: str) -> str:
    """Return a card as the canonical form writes it."""
    text = text.rstrip(_SELECTORS)
    rank, suit = text[:-1].upper(), text[-1].lower()
    return rank.replace("10", "T") + _SYMBOLS.get(suit, suit)


def _hand(hand: Plain) -> Plain:
    return _log(hand) if hand["kind"] == "log" else _showdown(hand)


def _log(log: Plain) -> Plain:
    given = log["deal"]
    deal: Plain = {"hands": [_sorted(cards) for cards in given["hands"]]}
    if "upcard" in given:
        deal["upcard"] = card(given["upcard"])
    if "widow" in given:
        deal["widow"] = _sorted(given["widow"])
    if "stock" in given:
        deal["stock"] = [card(each) for each in given["stock"]]
    return {
        "kind": "log",
        "players": [_player(player) for player in log["players"]],
        "dealer": log["dealer"],
        "deal": deal,
        "events": _events(deal, log["events"]),
    }


def _events(deal: Plain, events: list[Plain]) -> list[Plain]:
    pile = [deal["upcard"]] if "upcard" in deal else []
    stock = list(deal.get("stock", []))
    found = []
    for given in events:
        event = dict(given)
        if "card" in event:
            event["card"] = card(event["card"])
        if event["type"] == "exchange":
            event["give"], event["take"] = _sorted(event["give"]), _sorted(event["take"])
        if event["type"] == "discard":
            pile.append(event["card"])
        if event["type"] == "take_discard" and pile:
            _leave_out(event, pile.pop())
        if event["type"] == "draw_stock" and stock:
            _leave_out(event, stock.pop(0))
        if event["type"] == "reshuffle":
            if "stock" in event:
                event["stock"] = [card(each) for each in event["stock"]]
            pile, stock = pile[-1:], list(event.get("stock", []))
        found.append(event)
    return found


def _leave_out(event: Plain, top: str) -> None:
    if event.get("card") == top:
        del event["card"]


def _showdown(record: Plain) -> Plain:
    ending = dict(record["ended_by"])
    if "seats" in ending:
        ending["seats"] = sorted(set(ending["seats"]))
    players = [
        _player(player) | {"cards": _sorted(player["cards"]), "unclaimed_31": player.get("unclaimed_31", False)}
        for player in record["players"]
    ]
    found = {"kind": "showdown", "players": players, "ended_by": ending}
    return found | ({"dealer": record["dealer"]} if "dealer" in record else {})


def _player(player: Plain) -> Plain:
    return {"lives": player["lives"], "redeemed": player.get("redeemed", False)}


def _sorted(cards: list[str]) -> list[str]:
    return sorted((card(each) for each in cards), key=_place)


def _place(code: str) -> tuple[int, int]:
    return (len(_SUITS), int(code[1])) if code[0] == "X" else (_SUITS.index(code[1]), _RANKS.index(code[0]))


def _unstated(ruling: Any) -> Any:
    if isinstance(ruling, dict):
        return {key: _unstated(value) for key, value in ruling.items() if key != "stated"}
    return [_unstated(value) for value in ruling] if isinstance(ruling, list) else ruling
