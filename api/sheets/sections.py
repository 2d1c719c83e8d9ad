"""The sections of a rule sheet, and the sentences in them on which tables do not differ.

The sentences of the house rules are not here: an option is declared with its section and with a sentence for each
answer (`schemas`), and stands between what its section says before and after the options. Words in braces are figures.
"""

from collections.abc import Iterator, Mapping
from typing import get_args

from msgspec import Struct

from api.sheets.sheet import Section, Sentence
from engine.presets import ResolvedRules, changed
from schemas.options import Section as Key
from schemas.relevance import Where, holds, idle_options
from schemas.rules import RuleSet, StockRules, WidowRules, form_class, options_of


class Said(Struct, frozen=True):
    """A sentence of the game itself, and the answers under which it is said, if they can matter."""

    says: str
    where: Where = {}


class Part(Struct, frozen=True):
    """A section: its heading, and what is said before and after the sentences of its options."""

    heading: str
    before: tuple[Said, ...] = ()
    after: tuple[Said, ...] = ()
    first: tuple[str, ...] = ()
    """Options that read best in this order; all others of the section follow, as they are declared."""


_FIRST_DEALER = Said("Agree on the first dealer, or cut the pack for it: the lowest card deals.")
_FIRST_PLAYER = Said("Whoever sits on the dealer's left has the first turn, and turns go round clockwise.")
_HAS_TO_BE_SHOWN = ("at_once", "optional")
"""Answers to `thirty_one_claim` under which a 31 that nobody shows ends no hand."""
_VALUES = Part(
    "What a hand is worth",
    before=(
        Said("A hand counts in one suit only, the one in which its cards add up to most."),
        Said("Number cards count what they show, kings, queens and jacks {court}, and aces {ace}."),
        Said(
            "With {hand} suits in hand just the highest card counts, since suits do not mix.",
            {"three_of_a_kind": ("none",)},
        ),
        Said(
            "With {hand} suits in hand just the highest card counts, since suits do not mix, unless all {hand} cards "
            "are of one rank.",
            {"three_of_a_kind": ("30", "30.5")},
        ),
        Said("The most is {best}: an ace with two cards that count {court}, in one suit.", {"jokers": (0,)}),
        Said(
            "The most is {best}: an ace with two cards that count {court}, in one suit, or a joker in the place of the "
            "ace.",
            {"jokers": (1, 2)},
        ),
    ),
    after=(
        Said("Such a hand is of three suits, so it is worth one of its cards.", {"three_of_a_kind": ("none",)}),
        Said("Only a {best} beats that.", {"three_of_a_kind": ("30.5",)}),
    ),
)

STOCK: Mapping[Key, Part] = {
    "game": Part("The game", before=(Said("{form}"), Said("It goes by several names: 31, Thirty-One, Scat, Blitz."))),
    "deal": Part(
        "The deal",
        before=(
            _FIRST_DEALER,
            Said("Deal {hand} cards to each player, card by card, clockwise from the dealer's left."),
            Said("The next card, the upcard, begins the discard pile, face up; what is left is the stock, face down."),
            Said("From hand to hand the deal moves to the left, past whoever is out."),
        ),
    ),
    "turn": Part(
        "A turn",
        before=(
            _FIRST_PLAYER,
            Said(
                "Draw one card, from the top of the stock or of the discard pile, and discard one face up: {hand} stay "
                "in hand."
            ),
            Said("What comes from the stock may go straight to the discard pile."),
        ),
    ),
    "values": _VALUES,
    "knock": Part(
        "Knocking",
        before=(
            Said(
                "Instead of drawing, but never after it, a player may knock on the table. That ends the turn, and the "
                "knocker's cards do not change any more."
            ),
            Said(
                "The others have one last turn each, then everybody shows. There is no second knock.",
                {"first_knock": ("free", "after_first_round")},
            ),
            Said(
                "Unless the knock ends the hand at once, the others have one last turn each, then everybody shows. "
                "There is no second knock.",
                {"first_knock": ("ends_hand",)},
            ),
            Said("Knocking pays as soon as somebody else looks worse off."),
        ),
        after=(
            Said(
                "An empty stock is refilled first, so nobody keeps the hand for want of it.",
                {"last_turn_stand": ("stock_empty",), "stock_exhausted": ("reshuffle",)},
            ),
            Said(
                "The knocker discards nothing: with two players, the last discard of the other one is on top, and may "
                "be taken back."
            ),
        ),
    ),
    "thirty_one": Part(
        "Thirty-one",
        before=(
            Said(
                "A 31 in the deal is shown before the first turn, and one that is made in a turn right after the "
                "discard.",
                {"thirty_one_claim": ("at_once",), "first_knock": ("free", "after_first_round")},
            ),
            Said(
                "A 31 that is made in a turn is shown right after the discard.",
                {"thirty_one_claim": ("at_once",), "first_knock": ("ends_hand",)},
            ),
            Said(
                "The first player may show a dealt 31 in place of the first turn.",
                {"thirty_one_claim": _HAS_TO_BE_SHOWN, "first_knock": ("ends_hand",)},
            ),
            Said(
                "A 31 that is shown ends the hand there and then, and no hands are compared.",
                {"thirty_one_after_knock": ("ends_hand",), "thirty_one_claim": _HAS_TO_BE_SHOWN},
            ),
            Said(
                "A 31 ends the hand there and then, and no hands are compared.",
                {"thirty_one_after_knock": ("ends_hand",), "thirty_one_claim": ("automatic",)},
            ),
            Said(
                "Before a knock a 31 that is shown ends the hand there and then, and no hands are compared.",
                {"thirty_one_after_knock": ("top_hand",), "thirty_one_claim": _HAS_TO_BE_SHOWN},
            ),
            Said(
                "Before a knock a 31 ends the hand there and then, and no hands are compared.",
                {"thirty_one_after_knock": ("top_hand",), "thirty_one_claim": ("automatic",)},
            ),
            Said(
                "If several players show one together, none of them loses a life.",
                {"thirty_one_claim": _HAS_TO_BE_SHOWN},
            ),
            Said("If several players hold one, none of them loses a life.", {"thirty_one_claim": ("automatic",)}),
        ),
        after=(
            Said(
                "A 31 kept back is no help against one that is shown: its holder loses like the rest.",
                {"thirty_one_claim": ("at_once",)},
            ),
        ),
        first=("thirty_one_claim", "thirty_one_cost", "thirty_one_after_knock"),
    ),
    "losing": Part(
        "Losing lives",
        before=(
            Said("When all show, a player who alone has the lowest hand and did not knock loses {lowest}."),
            Said("A life lost is a token put in the middle, or a box crossed off on the score sheet."),
        ),
        after=(Said("If the tokens are real coins, agree beforehand who gets them in the end: no source says so."),),
    ),
    "empty_stock": Part(
        "When the stock runs out before a knock",
        after=(
            Said(
                "In turn, each player takes the top discard and discards as usual, or declines it.",
                {"stock_exhausted": ("discard_pile",)},
            ),
            Said(
                "The lowest hand loses as after a knock, but without a knocker nobody is spared in a tie.",
                {"stock_exhausted": ("discard_pile", "showdown"), "lowest_tie": ("all_lose",)},
            ),
            Said(
                "The lowest hand loses as after a knock.",
                {"stock_exhausted": ("discard_pile", "showdown"), "lowest_tie": ("nobody",)},
            ),
        ),
        first=("stock_exhausted",),
    ),
    "end": Part(
        "Going out, and the end of the game",
        after=(
            Said("Nobody comes to hold more lives than at the start of the game.", {"redemption": ("best_hand",)}),
            Said("Other names for the county: on welfare, on your honor, floating.", {"county": ("all",)}),
            Said(
                "For a bus ride that player alone is dealt {hand} cards and an upcard, draws and discards, and may "
                "stop early; no lives hang on it.",
                {"ride_the_bus": tuple(range(1, 10))},
            ),
            Said("Whoever is the last one in wins the game."),
        ),
    ),
}

WIDOW: Mapping[Key, Part] = {
    "game": Part(
        "The game",
        before=(Said("{form}"), Said("Before each deal everyone pays the same stake into the pot.")),
    ),
    "deal": Part(
        "The deal",
        before=(
            _FIRST_DEALER,
            Said("Deal {hand} cards to each player, card by card, clockwise from the dealer's left."),
            Said("Deal {hand} more face up in the middle: this is the widow. There is no stock."),
            Said("From hand to hand the deal moves to the left."),
        ),
    ),
    "turn": Part(
        "A turn",
        before=(_FIRST_PLAYER, Said("Exchange with the widow, which stays face up, or knock; there is no passing.")),
    ),
    "values": _VALUES,
    "knock": Part(
        "Knocking",
        before=(
            Said(
                "Instead of exchanging, a player may knock on the table. That ends the turn, and the knocker's cards "
                "do not change any more."
            ),
            Said(
                "The others have one last turn each, to exchange or to keep the hand, then everybody shows.",
                {"first_knock": ("free", "after_first_round")},
            ),
            Said(
                "Unless the knock ends the hand at once, the others have one last turn each, to exchange or to keep "
                "the hand, then everybody shows.",
                {"first_knock": ("ends_hand",)},
            ),
        ),
    ),
    "thirty_one": Part(
        "Thirty-one",
        before=(
            Said(
                "A 31 may be shown after the deal, at the start of the holder's turn, or right after the exchange that "
                "made it.",
                {"thirty_one": ("wins_at_once",)},
            ),
        ),
        after=(Said("Players who show one together share the pot.", {"thirty_one": ("wins_at_once",)}),),
    ),
    "losing": Part("The pot", before=(Said("When all show, the best hand takes the pot."),)),
    "empty_stock": Part("When the stock runs out"),
    "end": Part("The end", before=(Said("No lives are lost: every hand is played for a pot of its own."),)),
}

PARTS: Mapping[type[RuleSet], Mapping[Key, Part]] = {StockRules: STOCK, WidowRules: WIDOW}


def sections(resolved: ResolvedRules, figures: Mapping[str, object]) -> tuple[Section, ...]:
    """Return the sections of a rule set in which anything is said, in the order in which a game needs them."""
    parts = PARTS[form_class(resolved.rules)]
    found = [
        Section(parts[key].heading, tuple(_sentences(key, parts[key], resolved, figures))) for key in get_args(Key)
    ]
    return tuple(section for section in found if section.sentences)


def _sentences(key: Key, part: Part, resolved: ResolvedRules, figures: Mapping[str, object]) -> Iterator[Sentence]:
    rules, house = resolved.rules, changed(resolved.rules)
    idle = idle_options(rules)
    yield from _said(part.before, rules, idle, figures)
    options = options_of(rules)
    for name in dict.fromkeys((*part.first, *options)):
        if options[name].section == key and name not in idle:
            yield Sentence(options[name].says(getattr(rules, name)), name in house, name in resolved.silent)
    yield from _said(part.after, rules, idle, figures)


def _said(
    said: tuple[Said, ...], rules: RuleSet, idle: frozenset[str], figures: Mapping[str, object]
) -> Iterator[Sentence]:
    told = (each for each in said if holds(each.where, rules) and not idle & each.where.keys())
    return (Sentence(each.says.format_map(figures)) for each in told)
