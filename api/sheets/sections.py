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
    """A sentence of the game itself, and the answers under which it is said."""

    says: str
    where: Where = {}


class Part(Struct, frozen=True):
    """A section: its heading, and what is said before and after the sentences of its options."""

    heading: str
    before: tuple[Said, ...] = ()
    after: tuple[Said, ...] = ()
    first: tuple[str, ...] = ()
    """Options that read best in this order; all others of the section follow, as they are declared."""


_FIRST_DEALER = Said("Choose the first dealer in any way, for example by cutting the pack: the lowest card deals.")
_FIRST_PLAYER = Said("The player on the dealer's left begins, and turns go round clockwise.")
_VALUES = Part(
    "What a hand is worth",
    before=(
        Said("Add up the cards of one suit, in whichever suit that comes to most."),
        Said("An ace counts {ace}, a king, queen or jack {court}, and every other card its number."),
        Said(
            "Suits are never mixed: a hand of {hand} different suits is worth its highest card alone.",
            {"three_of_a_kind": ("none",)},
        ),
        Said(
            "Suits are never mixed: a hand of {hand} different suits is worth its highest card alone, unless all "
            "{hand} are of one rank.",
            {"three_of_a_kind": ("30", "30.5")},
        ),
        Said("The best hand is {best}: an ace and two cards that count {court}, all of one suit."),
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
            Said(
                "Deal {hand} cards to each player, one at a time, beginning on the dealer's left and going clockwise."
            ),
            Said("Turn the next card face up to begin the discard pile; the rest, face down beside it, is the stock."),
            Said("After each hand the deal passes to the left, to the next player still in."),
        ),
    ),
    "turn": Part(
        "A turn",
        before=(
            _FIRST_PLAYER,
            Said(
                "Draw the top card of the stock or of the discard pile, then discard one card face up, "
                "which leaves {hand} in hand."
            ),
            Said("A card drawn from the stock may be discarded at once."),
        ),
    ),
    "values": _VALUES,
    "knock": Part(
        "Knocking",
        before=(
            Said(
                "At the start of a turn a player may knock on the table in place of drawing, never after it. That is "
                "the whole turn, and the hand stays as it is."
            ),
            Said("Every other player then has one last turn, and all show their cards. Nobody knocks a second time."),
            Said("A knock is worth it if at least one other player is likely to end up lower."),
        ),
        after=(
            Said(
                "An empty stock is refilled first, so nobody keeps the hand for want of it.",
                {"last_turn_stand": ("stock_empty",), "stock_exhausted": ("reshuffle",)},
            ),
            Said(
                "With two players, what the other one threw away last is still on top in that last turn, "
                "and may be taken back."
            ),
        ),
    ),
    "thirty_one": Part(
        "Thirty-one",
        before=(
            Said(
                "Show a dealt 31 before anyone plays, and one that is made in a turn right after the discard.",
                {"thirty_one_claim": ("at_once",), "first_knock": ("free", "after_first_round")},
            ),
            Said(
                "Show a 31 that is made in a turn right after the discard.",
                {"thirty_one_claim": ("at_once",), "first_knock": ("ends_hand",)},
            ),
            Said(
                "A 31 ends the hand there and then, and no hands are compared.",
                {"thirty_one_after_knock": ("ends_hand",)},
            ),
            Said(
                "Before a knock a 31 ends the hand there and then, and no hands are compared.",
                {"thirty_one_after_knock": ("top_hand",)},
            ),
            Said(
                "If several players show one together, none of them loses a life.",
                {"thirty_one_claim": ("at_once", "optional")},
            ),
            Said("If several players hold one, none of them loses a life.", {"thirty_one_claim": ("automatic",)}),
        ),
        after=(
            Said(
                "Whoever keeps a 31 back loses with the others when another player shows one.",
                {"thirty_one_claim": ("at_once",)},
            ),
        ),
        first=("thirty_one_claim", "thirty_one_cost", "thirty_one_after_knock"),
    ),
    "losing": Part(
        "Losing lives",
        before=(
            Said("When all show, a player who alone has the lowest hand and did not knock loses {lowest}."),
            Said("For each life lost, pay one token into the middle, or cross it off on a score sheet."),
        ),
        after=(Said("No source says who gets those tokens in the end: settle it beforehand if they are real coins."),),
    ),
    "empty_stock": Part(
        "When the stock runs out before a knock",
        after=(
            Said(
                "In turn, each player takes the top discard and discards as usual, or declines it.",
                {"stock_exhausted": ("discard_pile",)},
            ),
            Said(
                "The lowest hand loses as after a knock, except that in a tie nobody is safe: there is no knocker.",
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
            Said("Being on the county is also called on welfare, on your honor or floating.", {"county": ("all",)}),
            Said("Play hand after hand until one player is left in: that player wins the game."),
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
            Said(
                "Deal {hand} cards to each player, one at a time, beginning on the dealer's left and going clockwise."
            ),
            Said("Deal {hand} more face up in the middle: this is the widow. There is no stock."),
            Said("After each hand the deal passes to the left."),
        ),
    ),
    "turn": Part(
        "A turn",
        before=(_FIRST_PLAYER, Said("Exchange with the widow, face up, or knock.")),
    ),
    "values": _VALUES,
    "knock": Part(
        "Knocking",
        before=(
            Said(
                "A player may knock on the table in place of an exchange. That is the whole turn, and the hand stays "
                "as it is."
            ),
            Said(
                "Every other player then has one last turn, to exchange or to keep the hand, and all show their cards."
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
    yield from _said(part.before, rules, figures)
    options = options_of(rules)
    for name in dict.fromkeys((*part.first, *options)):
        if options[name].section == key and name not in idle:
            yield Sentence(options[name].says(getattr(rules, name)), name in house, name in resolved.silent)
    yield from _said(part.after, rules, figures)


def _said(said: tuple[Said, ...], rules: RuleSet, figures: Mapping[str, object]) -> Iterator[Sentence]:
    return (Sentence(each.says.format_map(figures)) for each in said if holds(each.where, rules))
