"""The presets: each rule set that a source describes, as one value in one tuple."""

from functools import lru_cache
from typing import TYPE_CHECKING, Annotated, Literal

from msgspec import UNSET, Meta, Struct, UnsetType
from msgspec.structs import asdict, replace

from engine.wording import listed
from schemas.changes import Changes, given
from schemas.options import Choice
from schemas.rules import RuleSet, StockRules, WidowRules, form_of, options_of


class Preset(Struct, frozen=True, kw_only=True):
    """A named rule set: what a source's game is, and what that source leaves open."""

    id: str
    name: str
    summary: str
    fewest_players: int
    most_players: int
    """Advice for rule sheets; it refuses nothing."""
    more_players: bool = False
    """Whether the source lets bigger groups play too."""
    sources: tuple[str, ...]
    rules: RuleSet
    silent: frozenset[str]
    """Options on which the source is silent or contradicts itself, so that the answer is our reading."""
    readings: tuple[str, ...] = ()
    """Corners in which our reading goes beyond the source, in sentences."""


STANDARD = StockRules()
_WIKIPEDIA = StockRules(thirty_one_after_knock="top_hand", stock_exhausted="no_loser")
_WIKIPEDIA_SILENT = frozenset(
    {"return_taken_discard", "loss_beyond_lives", "last_turn_stand", "everyone_out", "knocker_tie"}
)
_WIKIPEDIA_TIE = "Two statements on a knocker who ties contradict each other; the tied knocker is taken to be safe."
_CASUAL = StockRules(county="none", knocker_alone=1, knocker_tie="shares")
_CASUAL_SILENT = frozenset(
    {
        "thirty_one_claim",
        "return_taken_discard",
        "stock_exhausted",
        "knock_after_stock",
        "last_turn_stand",
        "everyone_out",
    }
)
_FAMILY_SILENT = frozenset(
    {
        "lowest_tie",
        "loss_beyond_lives",
        "stock_exhausted",
        "knock_after_stock",
        "last_turn_stand",
        "everyone_out",
        "county",
    }
)
_FAMILY_COUNTY = "Staying in without lives is optional there; the county is taken to be played."
_PAGAT_SILENT = frozenset({"knock_after_stock", "last_turn_stand", "everyone_out"})
_PAGAT_WIPE_OUT = "Playing again is stated only where the stock is empty and all on the county tie."

PRESETS = (
    Preset(
        id="pagat",
        name="Scat (31), the standard game",
        summary="Three lives and the county; the lowest hand loses a life, a knocker alone at the bottom two.",
        fewest_players=2,
        most_players=9,
        more_players=True,
        sources=("S0", "PG"),
        rules=STANDARD,
        silent=_PAGAT_SILENT,
        readings=(_PAGAT_WIPE_OUT,),
    ),
    Preset(
        id="wikipedia",
        name="Thirty-one after Wikipedia",
        summary="A 31 ends the hand only before a knock, and nobody loses when the stock runs out.",
        fewest_players=2,
        most_players=7,
        sources=("S0", "WP"),
        rules=_WIKIPEDIA,
        silent=_WIKIPEDIA_SILENT,
        readings=(_WIKIPEDIA_TIE,),
    ),
    Preset(
        id="large-group",
        name="Thirty-one for large groups",
        summary="Out of the gate: a knock on the very first turn ends the hand, and a dealt 31 waits for that turn.",
        fewest_players=2,
        most_players=16,
        sources=("S0", "WP"),
        rules=replace(_WIKIPEDIA, first_knock="ends_hand", thirty_one_after_knock="ends_hand", knocker_on_31=2),
        silent=_WIKIPEDIA_SILENT,
        readings=(
            _WIKIPEDIA_TIE,
            "When the first player knocks, a 31 dealt to another player is taken to be the top hand, no more.",
        ),
    ),
    Preset(
        id="pub",
        name="Pub Thirty-One",
        summary="No county, a 31 may be shown when its holder likes, and an empty stock ends the hand.",
        fewest_players=2,
        most_players=7,
        sources=("S1",),
        rules=StockRules(county="none", thirty_one_claim="optional", stock_exhausted="showdown"),
        silent=frozenset({"county", "return_taken_discard", "everyone_out", "last_turn_stand"}),
        readings=("The page both lets a player without lives go on and calls that regional; we take it as no county.",),
    ),
    Preset(
        id="casual",
        name="Casual 31",
        summary="Zero lives is out, and the knocker is treated like everyone else: no penalty and no protection.",
        fewest_players=2,
        most_players=9,
        sources=("S2",),
        rules=_CASUAL,
        silent=_CASUAL_SILENT,
    ),
    Preset(
        id="family",
        name="Family Thirty-One",
        summary="The full rules of a family page: a tied knocker is safe, alone at the bottom a knocker loses two.",
        fewest_players=2,
        most_players=8,
        sources=("S3",),
        rules=STANDARD,
        silent=_FAMILY_SILENT,
        readings=(_FAMILY_COUNTY,),
    ),
    Preset(
        id="quick-knock",
        name="Family Thirty-One with Quick knock",
        summary="As the family game, but a tied knocker loses too and any loss costs the knocker two lives.",
        fewest_players=2,
        most_players=8,
        sources=("S3",),
        rules=StockRules(knocker_tie="double", knocker_on_31=2),
        silent=_FAMILY_SILENT,
        readings=(_FAMILY_COUNTY,),
    ),
    Preset(
        id="cadillac",
        name="Cadillac",
        summary="The standard game with four lives. Other games share the name; this is the one with four nickels.",
        fewest_players=2,
        most_players=9,
        sources=("S0", "PG"),
        rules=StockRules(lives=4),
        silent=_PAGAT_SILENT,
        readings=(_PAGAT_WIPE_OUT,),
    ),
    Preset(
        id="blitz",
        name="Blitz",
        summary="As the casual game, but a 31 costs the others every life. Elsewhere the name means 31 itself.",
        fewest_players=2,
        most_players=9,
        sources=("S2",),
        rules=replace(_CASUAL, thirty_one_cost="all"),
        silent=_CASUAL_SILENT,
    ),
    Preset(
        id="wild-jokers",
        name="31 with wild jokers",
        summary="As the casual game, with two jokers that count 0 or 11.",
        fewest_players=2,
        most_players=9,
        sources=("S2",),
        rules=replace(_CASUAL, jokers=2),
        silent=_CASUAL_SILENT | {"jokers"},
        readings=("How many jokers there are, which suit they join, and that they never pass 31, is our reading.",),
    ),
    Preset(
        id="redemption",
        name="31 with redemption",
        summary="As the casual game, but a player on the last life can win one back with the best hand.",
        fewest_players=2,
        most_players=9,
        sources=("S2",),
        rules=replace(_CASUAL, redemption="best_hand"),
        silent=_CASUAL_SILENT | {"redemption"},
        readings=("What winning the round means, and that it works once a game, is our reading.",),
    ),
    Preset(
        id="ride-the-bus",
        name="Ride the Bus",
        summary="As the casual game, with a last solo round for the eliminated. Elsewhere the name is the game's.",
        fewest_players=2,
        most_players=9,
        sources=("S2",),
        rules=replace(_CASUAL, ride_the_bus=3),
        silent=_CASUAL_SILENT | {"ride_the_bus"},
        readings=("How many draws the ride has, and that nothing follows from its result, is our reading.",),
    ),
    Preset(
        id="four-lives-online",
        name="Four lives online",
        summary="What many browser games play: four lives, triples at 30½, 31 by itself, discards reshuffled.",
        fewest_players=2,
        most_players=6,
        sources=("R",),
        rules=StockRules(
            lives=4,
            county="none",
            three_of_a_kind="30.5",
            knocker_alone=1,
            knocker_tie="shares",
            thirty_one_claim="automatic",
            stock_exhausted="reshuffle",
            knock_after_stock="allowed",
        ),
        silent=frozenset({"return_taken_discard", "everyone_out"}),
    ),
    Preset(
        id="bicycle",
        name="Bicycle's Thirty-One",
        summary="Three cards in the middle to exchange with, and the best hand takes the pot.",
        fewest_players=2,
        most_players=5,
        more_players=True,
        sources=("BI",),
        rules=WidowRules(),
        silent=frozenset(),
        readings=("Hands with identical ranks are taken to split the pot.",),
    ),
    Preset(
        id="widow",
        name="Thirty-One with a widow and a pot",
        summary="The widow game as a variant: a first knock leaves all a last turn, and equal hands split the pot.",
        fewest_players=2,
        most_players=9,
        sources=("S0",),
        rules=WidowRules(first_knock="free", pot_tie="split"),
        silent=frozenset({"first_knock", "pot_tie"}),
    ),
)

PRESET_BY_ID = {preset.id: preset for preset in PRESETS}
DEFAULT_PRESET = "pagat"

if TYPE_CHECKING:
    PresetId = str
else:
    PresetId = Annotated[
        Literal[tuple(PRESET_BY_ID)],
        Meta(description="A preset's id. A house name alone means several games."),
    ]


class RuleChoice(Struct, frozen=True, forbid_unknown_fields=True):
    """The rules to judge by: a preset, and the answers that differ from it."""

    preset: PresetId = DEFAULT_PRESET
    changes: Changes | UnsetType = UNSET


class ResolvedRules(Struct, frozen=True):
    """A complete rule set, and the options on which it rests on our reading alone."""

    rules: RuleSet
    silent: frozenset[str]


class OtherFormError(ValueError):
    """Changes to `options` that the preset's form does not have."""

    def __init__(self, options: tuple[str, ...], preset: Preset) -> None:
        """Say which options, and which form the preset is of."""
        named = listed([f"`{option}`" for option in options])
        what = "is not an option" if len(options) == 1 else "are not options"
        super().__init__(f"{named} {what} of the {form_of(preset.rules)} form, which `{preset.id}` is played in.")
        self.options = options


@lru_cache(maxsize=1024)
def resolve(choice: RuleChoice) -> ResolvedRules:
    """Return the complete rule set that a choice names.

    Raises OtherFormError or IncompatibleAnswersError.
    """
    preset = PRESET_BY_ID[choice.preset]
    if choice.changes is UNSET:
        return ResolvedRules(preset.rules, preset.silent)
    changes = given(choice.changes)
    options = options_of(preset.rules)
    if strange := tuple(name for name in changes if name not in options):
        raise OtherFormError(strange, preset)
    return ResolvedRules(replace(preset.rules, **changes), preset.silent - changes.keys())


def changed(rules: RuleSet) -> dict[str, Choice]:
    """Return the answers in which a rule set differs from the standard game of its form, by option."""
    standard = asdict(type(rules)())
    return {name: choice for name, choice in asdict(rules).items() if choice != standard[name]}
