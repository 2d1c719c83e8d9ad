"""What the answers mean. An option that several parts of the engine ask about is read here, and only here."""

from typing import Literal, assert_never

from msgspec import Struct

from schemas.rules import RuleSet, StockRules, WidowRules


class EmptyStock(Struct, frozen=True, gc=False):
    """What happens when the stock is empty and nobody has knocked."""

    then: Literal["discard_pile", "refill", "end"]
    """Play goes on with the discard pile until a player keeps the hand; or the discards under the top one become
    the stock; or the hand ends with the turn that took the last card."""
    hands_are_compared: bool
    """Whether the lowest hand loses, if the hand ends for want of a stock."""


def empty_stock(rules: StockRules) -> EmptyStock:
    """Return the meaning of `stock_exhausted`."""
    match rules.stock_exhausted:
        case "discard_pile":
            return EmptyStock("discard_pile", hands_are_compared=True)
        case "showdown":
            return EmptyStock("end", hands_are_compared=True)
        case "no_loser":
            return EmptyStock("end", hands_are_compared=False)
        case "reshuffle":
            return EmptyStock("refill", hands_are_compared=True)
        case unknown:
            assert_never(unknown)


class FirstKnock(Struct, frozen=True, gc=False):
    """What a knock early in the hand may do."""

    waits_for_round: bool
    """It is legal only once every player has had a turn."""
    ends_hand: bool
    """As the hand's very first act it ends the hand, with no last turns."""


def first_knock(rules: RuleSet) -> FirstKnock:
    """Return the meaning of `first_knock`."""
    match rules.first_knock:
        case "free":
            return FirstKnock(waits_for_round=False, ends_hand=False)
        case "after_first_round":
            return FirstKnock(waits_for_round=True, ends_hand=False)
        case "ends_hand":
            return FirstKnock(waits_for_round=False, ends_hand=True)
        case unknown:
            assert_never(unknown)


class Claim(Struct, frozen=True, gc=False):
    """How a 31 is claimed."""

    lapses: bool
    """It has to be shown at once, or the unchanged hand counts 30."""
    by_itself: bool
    """It takes effect without being shown."""


def claim_of_31(rules: RuleSet) -> Claim:
    """Return the meaning of `thirty_one_claim`; in the widow form a 31 may be shown, and never lapses."""
    if isinstance(rules, WidowRules):
        return Claim(lapses=False, by_itself=False)
    match rules.thirty_one_claim:
        case "at_once":
            return Claim(lapses=True, by_itself=False)
        case "optional":
            return Claim(lapses=False, by_itself=False)
        case "automatic":
            return Claim(lapses=False, by_itself=True)
        case unknown:
            assert_never(unknown)


def is_only_top_hand(rules: RuleSet, *, knocked: bool) -> bool:
    """Return whether a 31 does not end the hand but is only its best hand, before or after a knock."""
    if isinstance(rules, WidowRules):
        match rules.thirty_one:
            case "wins_at_once":
                return False
            case "top_hand":
                return True
            case unknown:
                assert_never(unknown)
    match rules.thirty_one_after_knock:
        case "ends_hand":
            return False
        case "top_hand":
            return knocked
        case unknown_after_knock:
            assert_never(unknown_after_knock)


def has_county(rules: StockRules) -> bool:
    """Return whether a player without lives is still in."""
    match rules.county:
        case "all":
            return True
        case "none":
            return False
        case unknown:
            assert_never(unknown)


def last_chance(rules: StockRules) -> int:
    """Return the lives of a player whom the next loss puts out: none on the county, else one."""
    return 0 if has_county(rules) else 1


def dealt_31s_wait(rules: RuleSet) -> bool:
    """Return whether a 31 dealt to another player waits while the first player may end the hand by a knock."""
    return isinstance(rules, StockRules) and first_knock(rules).ends_hand
