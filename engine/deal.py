"""What a log needs before anyone plays: a table, a dealer, and a deal that one pack can have given."""

from collections import Counter
from collections.abc import Iterator, Sequence

from msgspec import UNSET

from engine import rulebook
from engine.clerk import Clerk
from engine.readings import has_county
from engine.wording import counted, shown
from schemas.cards import HAND_SIZE, Card, pack
from schemas.hand import HandLog, Player, ShownPlayer
from schemas.rules import RuleSet, StockRules, WidowRules
from schemas.ruling import Citation


def broken_by_deal(log: HandLog, rules: RuleSet, clerk: Clerk) -> tuple[Citation, ...]:
    """Return a citation for every rule that the record breaks before its first event."""
    return () if is_plainly_sound(log, rules) else tuple(faults_of_deal(log, rules, clerk))


def is_plainly_sound(log: HandLog, rules: RuleSet) -> bool:
    """Return whether nothing can be wrong with a deal of the stock form, asked at once, since nearly always nothing is.

    It is a shortcut, not a rule: a deal that is not plainly sound may be sound all the same, and a property test holds
    those that are to `faults_of_deal`.
    """
    deal, count = log.deal, len(log.players)
    if not isinstance(rules, StockRules) or count == 1 or log.dealer > count or len(deal.hands) != count:
        return False
    if deal.upcard is UNSET or deal.widow is not UNSET or deal.stock is not UNSET:
        return False
    if 0 in [player.lives for player in log.players]:
        return False
    dealt = {deal.upcard}.union(*deal.hands)
    return len(dealt) == HAND_SIZE * count + 1 and dealt <= pack(rules.jokers)


def faults_of_deal(log: HandLog, rules: RuleSet, clerk: Clerk) -> Iterator[Citation]:
    """Yield a citation for every rule that the record breaks before its first event, each asked by itself."""
    players, deal = len(log.players), log.deal
    if len(deal.hands) != players:
        why = f"{counted(players, 'player')}, {counted(len(deal.hands), 'hand')}"
        yield clerk.cite(rulebook.PLAYERS, why=why)
    if players == 1 and isinstance(rules, WidowRules):
        yield clerk.cite(rulebook.PLAYERS, why="the widow form needs two players")
    yield from broken_by_table(log.players, log.dealer, rules, clerk)
    yield from _broken_by_form(log, rules, clerk)
    cards = [card for hand in deal.hands for card in hand]
    cards += [] if deal.upcard is UNSET else [deal.upcard]
    cards += [] if deal.widow is UNSET else deal.widow
    stock = () if deal.stock is UNSET else deal.stock
    yield from broken_by_cards([*cards, *stock], rules, clerk)
    if deal.stock is not UNSET and Counter(stock) != Counter(pack(rules.jokers) - set(cards)):
        why = f"it is not the rest of a pack with {counted(rules.jokers, 'joker')}"
        yield clerk.cite(rulebook.STOCK_MISMATCH, why=why)


def broken_by_table(
    players: tuple[Player | ShownPlayer, ...], dealer: int | None, rules: RuleSet, clerk: Clerk
) -> Iterator[Citation]:
    """Yield a citation for everything that is wrong with who sits where."""
    count = len(players)
    if dealer is not None and dealer > count:
        yield clerk.cite(rulebook.DEALER, seat=dealer, count=counted(count, "player"))
    if isinstance(rules, WidowRules):
        return
    if count == 1 and not rules.ride_the_bus:
        yield clerk.cite(rulebook.NO_BUS, 1)
    on_county = [seat for seat, player in enumerate(players, start=1) if not player.lives]
    if on_county and count > 1 and not has_county(rules):
        yield clerk.cite(rulebook.NO_COUNTY, *on_county, players=clerk.names(on_county))


def broken_by_cards(cards: Sequence[Card], rules: RuleSet, clerk: Clerk) -> Iterator[Citation]:
    """Yield a citation for every way in which one pack cannot have given these cards."""
    different = set(cards)
    if len(different) < len(cards):
        twice = [card for card, times in Counter(cards).items() if times > 1]
        yield clerk.cite(rulebook.CARD_TWICE, cards=shown(twice))
    if strange := different - pack(rules.jokers):
        yield clerk.cite(rulebook.CARD_NOT_IN_PACK, cards=shown(strange), jokers=counted(rules.jokers, "joker"))


def _broken_by_form(log: HandLog, rules: RuleSet, clerk: Clerk) -> Iterator[Citation]:
    deal = log.deal
    given = {"upcard": deal.upcard, "widow": deal.widow, "stock": deal.stock}
    form, needed, strange = (
        ("widow", "widow", ("upcard", "stock")) if isinstance(rules, WidowRules) else ("stock", "upcard", ("widow",))
    )
    for part in strange:
        if given[part] is not UNSET:
            yield clerk.cite(rulebook.OTHER_FORM, what=f"A deal with `{part}`", form=form)
    if given[needed] is UNSET:
        yield clerk.cite(rulebook.OTHER_FORM, what=f"A deal without `{needed}`", form=form)
