"""The engine against a naive model of the game, event by event: hands that nobody chose, legal events and others."""

import json

import msgspec
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, precondition, rule

from engine.adjudicate import adjudicate
from schemas.hand import Hand
from schemas.rules import STOCK_OPTIONS, RuleSet
from tests.making.naive import JOKERS, PACK, Naive, worth
from tests.strategies import dice, examples

LEFT_OUT = {"thirty_one_claim": "automatic", "redemption": "none", "ride_the_bus": 0}
"""Options that the model does not know. Nobody holds a 31, so that the others of 31 change nothing."""
RULES = st.fixed_dictionaries(
    {
        name: st.just(LEFT_OUT[name]) if name in LEFT_OUT else st.sampled_from([each.answer for each in option.answers])
        for name, option in STOCK_OPTIONS.items()
    }
)
CARDS = st.sampled_from(PACK + JOKERS)
SEATS = st.integers(1, 16)
PLACES = st.integers(0, 60)
STRANGE = st.one_of(
    st.fixed_dictionaries(
        {"type": st.sampled_from(["draw_stock", "take_discard", "discard"]), "seat": SEATS, "card": CARDS}
    ),
    st.fixed_dictionaries({"type": st.sampled_from(["draw_stock", "take_discard", "knock", "stand"]), "seat": SEATS}),
    st.fixed_dictionaries({"type": st.just("declare"), "seat": SEATS}),
    st.fixed_dictionaries({"type": st.just("reshuffle"), "stock": st.lists(CARDS, max_size=3)}),
    st.just({"type": "reshuffle"}),
    st.fixed_dictionaries(
        {"type": st.just("exchange"), "seat": SEATS, "give": st.lists(CARDS, max_size=2), "take": st.just([])}
    ),
)


class Hands(RuleBasedStateMachine):
    """A hand, played at both tables."""

    @initialize(
        rules=RULES,
        players=st.sampled_from((2, 3, 4, 16)),
        rolls=dice(70),
        dealer=SEATS,
        known=st.booleans(),
    )
    def deal(self, rules, players, rolls, dealer, known):
        cards = rolls.shuffled(PACK + JOKERS)
        lives = [rolls.pick((2, 1, 0, 3)) for _ in range(players)]
        if rules["county"] == "none":
            rules["loss_beyond_lives"], lives = "out", [held or 1 for held in lives]
        if rules["stock_exhausted"] not in ("discard_pile", "reshuffle"):
            rules["knock_after_stock"] = "forbidden"
        cards = [card for card in cards if card not in JOKERS[rules["jokers"] :]]
        hands = [cards[3 * seat : 3 * seat + 3] for seat in range(players)]
        upcard, *stock = cards[3 * players :]
        self.holds_31 = any(worth(hand, rules) == 31 for hand in hands)
        self.lives, self.rules = lives, rules
        self.dealer = (dealer - 1) % players + 1
        self.naive = Naive(hands, upcard, stock if known else None, self.dealer, rules)
        self.deal_part = {"hands": hands, "upcard": upcard} | ({"stock": stock} if known else {})
        self.events = []

    def ruling(self, *events):
        log = {
            "kind": "log",
            "players": [{"lives": held} for held in self.lives],
            "dealer": self.dealer,
            "deal": self.deal_part,
            "events": [*self.events, *events],
        }
        hand = msgspec.convert(log, Hand)
        ruling = adjudicate(hand, msgspec.convert({"form": "stock", **self.rules}, RuleSet))
        return json.loads(msgspec.json.encode(ruling))

    def goes_on(self):
        return not self.holds_31 and not self.naive.ended

    def ask(self, event):
        """Ask both about an event, and let it happen if it is legal."""
        ruling, faults = self.ruling(event), self.naive.faults(event)
        if faults:
            assert (ruling["outcome"], ruling["at"]) == ("refused", len(self.events))
            assert {citation["rule"] for citation in ruling["broken"]} == faults
            return
        assert ruling["outcome"] != "refused", ruling["broken"]
        self.naive.happen(event)
        self.events.append(event)
        self.holds_31 = any(len(hand) == 3 and worth(hand, self.rules) == 31 for hand in self.naive.hands)

    @precondition(goes_on)
    @rule(place=PLACES, names_it=st.booleans())
    def draw(self, place, names_it):
        naive = self.naive
        rest = naive.stock or [
            card for card in naive.pack if card not in naive.pile and not any(card in hand for hand in naive.hands)
        ]
        card = naive.stock[0] if naive.stock else rest[place % len(rest)] if rest else "2s"
        named = {"card": card} if names_it or naive.stock is None else {}
        self.ask({"type": "draw_stock", "seat": naive.turn} | named)

    @precondition(goes_on)
    @rule()
    def take(self):
        self.ask({"type": "take_discard", "seat": self.naive.turn})

    @precondition(goes_on)
    @rule(place=PLACES)
    def discard(self, place):
        hand = self.naive.hands[self.naive.turn - 1]
        self.ask({"type": "discard", "seat": self.naive.turn, "card": hand[place % len(hand)]})

    @precondition(goes_on)
    @rule(kind=st.sampled_from(("knock", "stand")))
    def knock_or_stand(self, kind):
        self.ask({"type": kind, "seat": self.naive.turn})

    @precondition(goes_on)
    @rule(rolls=dice(50), names_it=st.booleans())
    def reshuffle(self, rolls, names_it):
        stock = rolls.shuffled(self.naive.pile[:-1])
        self.ask({"type": "reshuffle"} | ({"stock": stock} if names_it else {}))

    @precondition(goes_on)
    @rule(event=STRANGE)
    def anything(self, event):
        self.ask(event)

    @precondition(lambda self: not self.goes_on())
    @rule(event=STRANGE)
    def after_the_end(self, event):
        """Whatever happens then is only counted."""
        if not self.holds_31:
            assert self.ruling(event) == self.ruling() | {"unplayed": 1}

    @precondition(goes_on)
    @rule(turns=st.integers(1, 20), place=PLACES)
    def time_passes(self, turns, place):
        for turn in range(turns):
            self.take_a_turn(place + turn)

    @precondition(goes_on)
    @rule(place=PLACES)
    def knock_and_play_on(self, place):
        """Let somebody knock, and the others have their last turns, if that is allowed."""
        self.take_a_turn(place, "knock")
        for turn in range(self.naive.players):
            self.take_a_turn(place + turn)

    def take_a_turn(self, place, kind="stand"):
        """Let the player whose turn it is draw and discard; or knock, or stand where there is nothing to draw."""
        if self.goes_on() and len(self.naive.hands[self.naive.turn - 1]) == 3:
            if kind == "knock" or not self.naive.left:
                self.knock_or_stand(kind)
                return
            self.draw(place, names_it=True)
        if self.goes_on():
            self.discard(place)

    @invariant()
    def both_agree(self):
        if not hasattr(self, "naive") or self.holds_31:
            return
        ruling, naive = self.ruling(), self.naive
        assert [sorted(own["cards"]) for own in ruling["seats"]] == [sorted(hand) for hand in naive.hands]
        if not naive.ended:
            assert (ruling["outcome"], ruling["to_act"]) == ("unfinished", naive.turn)
            return
        assert (ruling["outcome"], ruling["ended_by"]) == ("settled", naive.ended)
        assert (ruling["ended_at"], ruling["knocker"]) == (len(self.events) - 1, naive.knocker or None)
        assert [own["value"] for own in ruling["seats"]] == [worth(hand, self.rules) for hand in naive.hands]
        seats = {part: [own[part] for own in ruling["seats"]] for part in ("change", "after", "status")}
        rest = {part: ruling[part] for part in ("next_dealer", "winners", "play_again")}
        assert seats | rest == naive.standing(self.lives)


class TestHands(Hands.TestCase):
    settings = examples(0.3)
