"""Who takes the pot: the settlement of a hand that has ended, in the widow form."""

from typing import assert_never

from engine import rulebook
from engine.consequences import Consequences, next_dealer, results
from engine.showing import Showing
from engine.wording import points
from schemas.rules import WidowRules
from schemas.ruling import Citation


def award_pot(showing: Showing, rules: WidowRules) -> Consequences:
    """Return who takes or shares the pot; no lives change."""
    citations: list[Citation] = []
    winners = _by_31(showing, citations) or _by_best_hand(showing, rules, citations)
    seats = list(showing.worth)
    return Consequences(
        results(showing, {}, dict.fromkeys(seats, "in")),
        citations,
        next_dealer=next_dealer(showing, seats, citations),
        pot_winners=tuple(winners),
    )


def _by_31(showing: Showing, citations: list[Citation]) -> list[int]:
    holders = sorted(showing.ending.holders)
    if holders:
        take = "takes" if len(holders) == 1 else "share"
        citations.append(
            showing.clerk.cite(rulebook.POT_BY_31, *holders, players=showing.clerk.names(holders), take=take)
        )
    return holders


def _by_best_hand(showing: Showing, rules: WidowRules, citations: list[Citation]) -> list[int]:
    clerk = showing.clerk
    highest, best = showing.highest()
    if len(best) == 1:
        citations.append(clerk.cite(rulebook.BEST_HAND, best[0], player=clerk.name(best[0]), points=points(highest)))
        return best
    highest_ranking = _highest_ranking(showing, best)
    match rules.pot_tie:
        case "split":
            winners = best
        case "card_rank":
            winners = highest_ranking
        case unknown:
            assert_never(unknown)
    take = "share the pot" if len(winners) > 1 else "takes the pot with the higher cards"
    citations.append(
        clerk.cite(
            rulebook.POT_TIE,
            *best,
            option="pot_tie" if highest_ranking != best else None,
            players=clerk.names(best),
            points=points(highest),
            what=f"{clerk.names(winners)} {take}",
        )
    )
    return winners


def _highest_ranking(showing: Showing, seats: list[int]) -> list[int]:
    """Return the seats whose counted cards, from the highest rank down, rank highest."""
    heights = {seat: sorted((card.height for card in showing.worth[seat].counted), reverse=True) for seat in seats}
    top = max(heights.values())
    return [seat for seat in seats if heights[seat] == top]
