"""The stock form once more, told plainly from the rules as a player knows them: it shares no code with the engine.

Events are decoded JSON, cards are text, and a hand is a list. It knows every option but those of 31, bus rides and
redemption, so nobody may come to hold a 31. It is slow and small on purpose.
"""

from collections import Counter
from typing import Any

RANKS, SUITS = "23456789TJQKA", "shdc"
PACK = [rank + suit for suit in SUITS for rank in RANKS]
JOKERS = ["X1", "X2"]
POINTS = {"A": 11, "K": 10, "Q": 10, "J": 10, "T": 10} | {rank: int(rank) for rank in "23456789"}

Rules = dict[str, Any]
Event = dict[str, Any]


def worth(cards: list[str], rules: Rules) -> float:
    """Return what three cards are worth."""
    jokers = sum(card in JOKERS for card in cards)
    sums = [sum(POINTS[card[0]] for card in cards if card[1] == suit and card not in JOKERS) for suit in SUITS]
    values = [value + 11 * used for value in sums for used in range(jokers + 1) if value + 11 * used <= 31]
    if rules["three_of_a_kind"] != "none" and not jokers and len({card[0] for card in cards}) == 1:
        values.append(float(rules["three_of_a_kind"]))
    return max(values)


class Naive:
    """A table, with what has happened at it."""

    def __init__(self, hands: list[list[str]], upcard: str, stock: list[str] | None, dealer: int, rules: Rules) -> None:
        self.hands, self.pile, self.stock = [list(hand) for hand in hands], [upcard], stock and list(stock)
        self.rules, self.players, self.dealer = rules, len(hands), dealer
        self.pack = PACK + JOKERS[: rules["jokers"]]
        self.left = len(self.pack) - 3 * self.players - 1
        self.turn = dealer % self.players + 1
        self.turns, self.taken, self.knocker = 0, "", 0
        self.ended = ""

    def faults(self, event: Event) -> set[str]:
        """Return the id of every rule that an event breaks."""
        kind, seat = event["type"], event.get("seat", 0)
        if kind == "reshuffle":
            return {"log.reshuffle"} - ({"log.reshuffle"} if self._may_reshuffle(event) else set())
        if seat > self.players:
            return {"log.seat"} | ({"turn.out-of-turn"} if kind != "declare" else set())
        if kind == "exchange":
            return {"log.form"} | ({"turn.out-of-turn"} if seat != self.turn else set())
        if kind == "declare":
            waits = self.rules["first_knock"] == "ends_hand" and not self.turns and seat != self.turn
            return {"declare.not-31"} | ({"declare.wait"} if waits else set())
        holds, card = self.hands[seat - 1], event.get("card")
        is_in_turn, is_mid_turn = seat == self.turn, len(holds) == 4
        refills, declines = (
            self.rules["stock_exhausted"] == "reshuffle",
            self.rules["stock_exhausted"] == "discard_pile",
        )
        where = Counter(self.pile) + Counter(held for hand in self.hands for held in hand)
        may_stand = (
            self.rules["last_turn_stand"] == "always" or (not self.left and not refills)
            if self.knocker
            else not self.left and declines
        )
        common = {"turn.out-of-turn": not is_in_turn, "log.card-not-in-pack": bool(card) and card not in self.pack}
        starts = {"turn.already-drawn": is_mid_turn}
        of_kind = {
            "draw_stock": starts
            | {
                "log.stock-empty": not self.left,
                "log.card-unknown": not card and self.stock is None,
                "log.stock-mismatch": bool(card and self.stock) and card != self.stock[0],
                "log.card-twice": bool(card) and card in self.pack and card in where,
            },
            "take_discard": starts
            | {
                "log.pile-empty": not self.pile,
                "log.discard-mismatch": bool(card and self.pile) and card != self.pile[-1],
            },
            "discard": {
                "turn.not-drawn": not is_mid_turn,
                "log.card-not-held": card not in holds,
                "discard.returned": is_in_turn
                and card == self.taken
                and self.rules["return_taken_discard"] == "forbidden",
            },
            "knock": starts
            | {
                "knock.second": bool(self.knocker),
                "knock.minimum": not is_mid_turn and worth(holds, self.rules) < self.rules["minimum_knock"],
                "knock.first-round": self.rules["first_knock"] == "after_first_round" and self.turns < self.players,
                "knock.stock-empty": not self.left and self.rules["knock_after_stock"] == "forbidden",
            },
            "stand": starts | {"stand.not-allowed": not may_stand},
        }
        return {rule for rule, is_broken in (common | of_kind[kind]).items() if is_broken}

    def _may_reshuffle(self, event: Event) -> bool:
        new = Counter(event.get("stock", self.pile[:-1]))
        is_time = not self.left and len(self.hands[self.turn - 1]) == 3 and len(self.pile) > 1
        return self.rules["stock_exhausted"] == "reshuffle" and is_time and new == Counter(self.pile[:-1])

    def happen(self, event: Event) -> None:
        """Let a legal event happen."""
        kind, holds = event["type"], self.hands[self.turn - 1]
        if kind == "reshuffle":
            order = event.get("stock")
            self.left, self.stock, self.pile = len(self.pile) - 1, order and list(order), self.pile[-1:]
        elif kind == "draw_stock":
            holds.append(self.stock.pop(0) if self.stock else event["card"])
            self.left -= 1
        elif kind == "take_discard":
            self.taken = self.pile.pop()
            holds.append(self.taken)
        else:
            if kind == "discard":
                holds.remove(event["card"])
                self.pile.append(event["card"])
            self._end_turn(kind)

    def _end_turn(self, kind: str) -> None:
        self.turns, self.taken = self.turns + 1, ""
        if kind == "knock":
            self.knocker = self.turn
            if self.turns == 1 and self.rules["first_knock"] == "ends_hand":
                self.ended = "first_knock"
        self.turn = self.turn % self.players + 1
        if self.knocker:
            if kind != "knock" and self.turn == self.knocker:
                self.ended = "knock"
        elif kind == "stand" or (not self.left and self.rules["stock_exhausted"] in ("showdown", "no_loser")):
            self.ended = "stock_exhausted"

    def losses(self) -> dict[int, int]:
        """Return the lives that the end of the hand takes, by seat."""
        values = {seat: worth(hand, self.rules) for seat, hand in enumerate(self.hands, start=1)}
        lowest = [seat for seat in values if values[seat] == min(values.values())]
        if self.ended == "stock_exhausted" and self.rules["stock_exhausted"] == "no_loser":
            return {}
        if self.knocker not in lowest:
            return {} if len(lowest) > 1 and self.rules["lowest_tie"] == "nobody" else dict.fromkeys(lowest, 1)
        if len(lowest) == 1:
            return {self.knocker: self.rules["knocker_alone"]}
        knocker, others = {"safe": (0, 1), "shares": (1, 1), "double": (2, 1), "only_one": (1, 0), "only_two": (2, 0)}[
            self.rules["knocker_tie"]
        ]
        return {seat: lost for seat in lowest if (lost := knocker if seat == self.knocker else others)}

    def standing(self, lives: list[int]) -> dict[str, Any]:
        """Return what becomes of everybody who had so many lives."""
        losses = self.losses()
        after = [max(0, held - losses.get(seat, 0)) for seat, held in enumerate(lives, start=1)]
        status = [self._status(held, losses.get(seat, 0)) for seat, held in enumerate(lives, start=1)]
        left = [seat for seat, what in enumerate(status, start=1) if what != "out"]
        again = not left and self.rules["everyone_out"] == "play_again"
        if again:
            losses, after = {}, list(lives)
            status = ["in" if held else "county" for held in lives]
        changes = [-losses.get(seat, 0) for seat in range(1, self.players + 1)]
        order = [(self.dealer + turn) % self.players + 1 for turn in range(self.players)]
        if again:
            dealer, winners = self.dealer, []
        elif len(left) > 1:
            dealer, winners = next(seat for seat in order if seat in left), []
        else:
            everyone = list(range(1, self.players + 1)) if self.rules["everyone_out"] == "shared_win" else []
            dealer, winners = None, left or everyone
        return {
            "change": changes,
            "after": after,
            "status": status,
            "next_dealer": dealer,
            "winners": winners,
            "play_again": again,
        }

    def _status(self, held: int, lost: int) -> str:
        if not lost:
            return "in" if held else "county"
        if not held:
            return "out"
        if lost < held:
            return "in"
        has_county = self.rules["county"] == "all"
        stays = has_county and (lost == held or self.rules["loss_beyond_lives"] == "county")
        return "county" if stays else "out"
