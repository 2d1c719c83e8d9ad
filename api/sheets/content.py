"""The content of a rule sheet: everything that it says of a rule set, before it is written in a format."""

from collections.abc import Iterator, Mapping, Sequence

from api.plain import plain
from api.sheets.losses import cost_of_lowest, losses_table
from api.sheets.sections import sections
from api.sheets.sheet import Fact, HouseRule, Section, Sentence, Sheet
from api.sheets.values import cards_of, values_table
from engine.clerk import Clerk
from engine.presets import PRESET_BY_ID, Preset, ResolvedRules, RuleChoice, changed, resolve
from engine.table import Table as Played
from engine.valuation import worth
from engine.wording import counted, lives, points, shown
from schemas.cards import HAND_SIZE, Card, in_order, pack
from schemas.examples import Story
from schemas.hand import Deal, HandLog, Player
from schemas.relevance import idle_options
from schemas.rules import FORM, RuleSet, StockRules, form_of, options_of
from schemas.sources import SOURCE_BY_CODE

_BEST = "As Ks Qs"


def build_sheet(choice: RuleChoice, title: str | None, stories: Sequence[Story]) -> Sheet:
    """Return the sheet of the rules that a choice names, which must be a sound one, with these worked examples."""
    resolved, preset = resolve(choice), PRESET_BY_ID[choice.preset]
    is_preset = resolved.rules == preset.rules
    own_title = preset.name if is_preset else f"{preset.name}, with house rules"
    return Sheet(
        title=plain(title or "") or own_title,
        summary=preset.summary if is_preset else _summary(preset, resolved.rules),
        facts=tuple(_facts(resolved.rules, preset)),
        sections=(*sections(resolved, figures(resolved.rules)), *_readings(preset, resolved)),
        values=values_table(resolved.rules),
        losses=losses_table(resolved.rules),
        examples=tuple(stories),
        house_rules=tuple(_house_rules(resolved.rules)),
        sources=tuple(f"{code}: {SOURCE_BY_CODE[code].title}" for code in _attesting(preset, resolved.rules)),
    )


def figures(rules: RuleSet) -> Mapping[str, object]:
    """Return the figures that the sentences of the game itself are filled with."""
    return {
        "form": FORM.says(form_of(rules)),
        "hand": HAND_SIZE,
        "ace": Card("As").points,
        "court": Card("Ks").points,
        "best": points(worth(cards_of(_BEST), rules).half_points),
        "lowest": lives(cost_of_lowest(rules)) if isinstance(rules, StockRules) else "",
    }


def stock_size(players: int, rules: StockRules) -> int:
    """Return how many cards the stock has after the deal to so many players."""
    cards = in_order(pack(rules.jokers))
    hands = tuple(cards[HAND_SIZE * seat : HAND_SIZE * (seat + 1)] for seat in range(players))
    seated = (Player(rules.lives),) * players
    log = HandLog(seated, 1, Deal(hands, upcard=cards[HAND_SIZE * players]), ())
    return Played(log, rules, Clerk(seated, None)).stock_size


def _facts(rules: RuleSet, preset: Preset) -> Iterator[Fact]:
    more = ", and more can play" if preset.more_players else ""
    yield Fact("Players", f"{preset.fewest_players} to {preset.most_players}, each for themselves{more}")
    cards = f"A pack of {len(pack(rules.jokers))} cards"
    best = f"The best is {points(worth(cards_of(_BEST), rules).half_points)}, such as {shown(cards_of(_BEST))}"
    if isinstance(rules, StockRules):
        tokens = counted(rules.lives, "token")
        yield Fact("You need", f"{cards}, and {tokens} for each player as lives, such as pennies or chips")
        yield Fact("Goal", f"Not to have the lowest hand. {best}")
        fewest, most = (stock_size(players, rules) for players in (preset.fewest_players, preset.most_players))
        of_fewest = f"{counted(fewest, 'card')} with {counted(preset.fewest_players, 'player')}"
        yield Fact("Stock", f"{of_fewest}, {HAND_SIZE} fewer with each more, {most} with {preset.most_players}")
    else:
        yield Fact("You need", f"{cards}, and something to pay into a pot")
        yield Fact("Goal", f"To have the best hand. {best}")


def _summary(preset: Preset, rules: RuleSet) -> str:
    here = options_of(rules)
    differing = sum(getattr(rules, name) != getattr(preset.rules, name) for name in here)
    return f"As in {preset.name}, with {counted(differing, 'rule')} changed."


def _readings(preset: Preset, resolved: ResolvedRules) -> Iterator[Section]:
    """Yield what our reading of the source goes beyond; a rule set with changes is no longer that of the source."""
    if preset.readings and resolved.rules == preset.rules:
        sentences = tuple(Sentence(reading, reading=True) for reading in preset.readings)
        yield Section("Where the source leaves room", sentences)


def _house_rules(rules: RuleSet) -> Iterator[HouseRule]:
    options, idle = options_of(rules), idle_options(rules)
    for name, choice in changed(rules).items():
        if name not in idle:
            option = options[name]
            yield HouseRule(option.question, option.says(choice), option.answers[0].says)


def _attesting(preset: Preset, rules: RuleSet) -> tuple[str, ...]:
    """Return the codes of the preset's sources, and of those that attest answers which the preset does not give."""
    codes = dict.fromkeys(preset.sources)
    for name, option in options_of(rules).items():
        choice = getattr(rules, name)
        attested = option.sources(choice)
        if choice != getattr(preset.rules, name) and not codes.keys() & set(attested):
            codes |= dict.fromkeys(attested)
    return tuple(codes)
