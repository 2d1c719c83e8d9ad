"""What a player may exchange with the widow."""

from collections import Counter
from typing import assert_never

from engine import rulebook
from engine.requirements.citing import breach
from engine.table import Table
from engine.wording import counted, shown
from schemas.cards import HAND_SIZE
from schemas.hand import Exchange
from schemas.rules import WidowRules
from schemas.ruling import Citation


def as_many_as_allowed(table: Table[WidowRules], event: Exchange) -> Citation | None:
    """As many cards are taken as are given: one, or up to three where the rules say so."""
    give, take = len(event.give), len(event.take)
    most = _most(table.rules)
    option = None
    if give != take:
        why = "as many must be taken as are given"
    elif not give:
        why = "an exchange needs a card"
    elif give > most:
        option = "exchange" if give <= HAND_SIZE else None
        why = f"at most {counted(most, 'card')} may be exchanged in a turn"
    else:
        return None
    given, taken = counted(give, "card"), counted(take, "card")
    return breach(table, rulebook.EXCHANGE_COUNT, event, option=option, give=given, take=taken, why=why)


def holds_given(table: Table[WidowRules], event: Exchange) -> Citation | None:
    """Cards are given from the hand."""
    missing = Counter(event.give) - Counter(table.hands[event.seat])
    return breach(table, rulebook.CARD_NOT_HELD, event, cards=shown(missing)) if missing else None


def widow_has_taken(table: Table[WidowRules], event: Exchange) -> Citation | None:
    """Cards are taken from the widow."""
    missing = Counter(event.take) - Counter(table.widow)
    return breach(table, rulebook.WIDOW_MISMATCH, event, cards=shown(missing)) if missing else None


def _most(rules: WidowRules) -> int:
    """Return how many cards may be exchanged in a turn."""
    match rules.exchange:
        case "one":
            return 1
        case "any":
            return HAND_SIZE
        case unknown:
            assert_never(unknown)
