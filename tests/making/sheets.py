"""Made-up rule sheets: as long as real ones are, of the presets' own sentences."""

from msgspec.structs import asdict

from api.sheets.sheet import Fact, HouseRule, Section, Sentence, Sheet, Table
from engine.adjudicate import adjudicate
from engine.presets import PRESET_BY_ID
from schemas.cards import Card
from schemas.examples import Passage, Story
from schemas.hand import DeclareEnding, KnockEnding, ShowdownRecord, ShownPlayer
from schemas.rules import form_class, options_of
from schemas.sources import SOURCE_BY_CODE

HANDS = {"Ben": "Ks 9s 2h", "Cara": "Tc 9c 8c", "Dan": "Th 8h 7h", "Ana": "Ad 8d 6c"}
PLAY = (
    "Each player is dealt three cards, one at a time, and the next card starts the discard pile.",
    "The player on the dealer's left begins, and the turn passes clockwise.",
    "In a turn a player draws the top card of the stock or takes the top card of the discard pile.",
    "The turn ends with a discard, so that a hand has three cards again.",
    "A hand is worth the points of its cards of one suit: A 11, K, Q, J and 10 ten each, others their number.",
)


def sheet(preset="pagat", names=tuple(HANDS), title=None, examples=3):
    """Return a sheet of a preset, about as long as a real one."""
    chosen = PRESET_BY_ID[preset]
    rules, standard = asdict(chosen.rules), asdict(form_class(chosen.rules)())
    options = options_of(chosen.rules)
    sentences = [
        Sentence(option.says(rules[name]), house=rules[name] != standard[name], reading=name in chosen.silent)
        for name, option in options.items()
    ]
    parts = [sentences[start : start + 5] for start in range(0, len(sentences), 5)]
    headings = ("Lives", "Turns and the knock", "Who loses", "A 31", "When the stock is gone")
    return Sheet(
        title=title or chosen.name,
        summary=chosen.summary,
        facts=(
            Fact("Players", f"{chosen.fewest_players} to {chosen.most_players}, more if you like"),
            Fact("Pack", "52 cards, no jokers"),
            Fact("Lives", str(rules.get("lives", "none: a pot"))),
            Fact("Aim", "31 in one suit"),
            Fact("Lowest hand", "loses 1 life"),
        ),
        sections=(
            Section("The deal and the turn", tuple(map(Sentence, PLAY))),
            *(Section(heading, tuple(part)) for heading, part in zip(headings, parts, strict=False)),
            Section("Corners", tuple(Sentence(reading, reading=True) for reading in chosen.readings)),
        )[: None if chosen.readings else -1],
        values=Table(
            "What hands are worth",
            ("Hand", "Worth", "Because"),
            (
                ("A♠ K♠ 10♠", "31", "An ace and two ten-point cards of one suit: the best hand"),
                ("K♥ Q♥ 9♥", "29", "All three are hearts"),
                ("A♦ 8♦ 6♣", "19", "The two diamonds count, the club does not"),
                ("7♠ 7♥ 7♦", "7", "Three of a kind have no value of their own"),
                ("9♠ 6♥ 4♦", "9", "Three suits: the best card counts"),
            ),
        ),
        losses=Table(
            "Who loses what",
            ("The hand ends", "Who", "Loses"),
            (
                ("After a knock", "The lowest hand, not the knocker's", "1 life"),
                ("After a knock", "The knocker, alone with the lowest hand", "2 lives"),
                ("After a knock", "The knocker ties for the lowest hand", "nothing; the others in the tie 1 life each"),
                ("After a knock", "Several others tie for the lowest hand", "1 life each"),
                ("With a 31", "Everyone but the holder", "1 life"),
                ("With a 31 after a knock", "The knocker", "1 life, like everyone else"),
                ("When the stock is gone", "The lowest hand after a player declines the discard", "1 life"),
                ("Any", "Everyone still in would be out", "nothing: the hand is played again"),
            ),
        ),
        examples=tuple(_stories(chosen, names)[:examples]),
        house_rules=tuple(
            HouseRule(options[name].question, options[name].says(rules[name]), options[name].says(standard[name]))
            for name in rules
            if rules[name] != standard[name]
        ),
        sources=tuple(SOURCE_BY_CODE[code].title for code in chosen.sources),
    )


def _stories(preset, names):
    """Return three longish examples: each judged, and told about as a real one would be."""
    endings = (
        ("The knocker ties for the lowest hand", KnockEnding(1), {}),
        ("The knocker alone has the lowest hand", KnockEnding(4), {3: "5d 3d 6c"}),
        ("A 31 ends the hand before anybody knocks", DeclareEnding((2,)), {1: "Ac Kc Tc"}),
    )
    return [_story(preset, names, *ending) for ending in endings]


def _story(preset, names, title, ending, other):
    players = tuple(
        ShownPlayer(3, tuple(map(Card, other.get(seat, cards).split())), name)
        for seat, (cards, name) in enumerate(zip(HANDS.values(), names, strict=True))
    )
    hand = ShowdownRecord(players, ending, dealer=4)
    ruling = adjudicate(hand, preset.rules, preset.silent)
    deal = ", ".join(f"{player.name} {' '.join(card.sign for card in player.cards)}" for player in players)
    passages = (
        Passage(
            f"{names[3]} deals, and {names[0]} begins. All have three lives. The upcard is 5♥, which nobody wants; "
            f"{names[1]} draws 9♣ from the stock and throws 4♦, {names[2]} draws 7♥ and throws 3♠."
        ),
        Passage(f"At the end they show: {deal}.", tuple(citation.says for citation in ruling.citations)),
        Passage("The next hand is dealt by the player on the dealer's left, and the lives that are left stay."),
    )
    return Story(title, title, hand, ruling, passages)
