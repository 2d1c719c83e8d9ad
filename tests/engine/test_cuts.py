"""Laws of the cut."""

from hypothesis import given
from hypothesis import strategies as st

from engine.cuts import cut
from schemas.cards import RANKS, in_order, pack

CARDS = st.lists(st.sampled_from(in_order(pack(0))), min_size=2, max_size=16, unique=True)
RULES = st.sampled_from(["lowest", "highest"])


@given(CARDS, RULES)
def test_either_one_deals_or_several_cut_again(cards, rule):
    ranks = [RANKS.index(card.rank) for card in cards]
    best = max(ranks) if rule == "lowest" else min(ranks)
    seats = [seat for seat, rank in enumerate(ranks, start=1) if rank == best]
    found = cut(cards, rule)
    dealer, tied = (seats[0], ()) if len(seats) == 1 else (None, tuple(seats))
    assert (found.dealer, found.tied) == (dealer, tied)
    assert all(f"Seat {seat}" in found.says and cards[seat - 1].sign in found.says for seat in seats)


@given(CARDS, RULES, st.randoms(use_true_random=False))
def test_who_deals_does_not_depend_on_the_seats(cards, rule, random):
    order = random.sample(range(len(cards)), len(cards))
    first, second = cut(cards, rule), cut([cards[place] for place in order], rule)
    moved = sorted(order.index(seat - 1) + 1 for seat in (first.tied or [first.dealer]))
    assert moved == list(second.tied or [second.dealer])
