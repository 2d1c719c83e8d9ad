"""Any record that the schema admits, however illegal, and any text that says it in another way."""

import msgspec
from hypothesis import strategies as st
from msgspec import UNSET

from schemas.cards import Card
from schemas.hand import (
    Deal,
    Declare,
    DeclareEnding,
    Discard,
    DrawStock,
    Exchange,
    FirstKnockEnding,
    Hand,
    HandLog,
    Knock,
    KnockEnding,
    Player,
    Reshuffle,
    ShowdownRecord,
    ShownPlayer,
    Stand,
    StockEnding,
    TakeDiscard,
)
from schemas.notation import Comment, Notated, NotatedRules, write
from schemas.notation.rules import ANSWERS

WORDS = (
    "Up",
    "dealer",
    "Seat 2",
    "seat  16",
    "7",
    "Reshuffle",
    "knock",
    "31",
    "first",
    "Ana",
    "ANA",
    "a",
    "b ",
    "-",
    "+Qh",
)
_CHARACTERS = st.one_of(
    st.sampled_from('"#{}[]():;,\\?+-^=*/ \n\r\t\x00\x1f\x7f\x85\xa0\u2028\u2029\u200b\u202e\ufeff\U000e0001'),
    st.characters(exclude_categories=["Cs"]),
)


def maybe(strategy):
    return st.one_of(st.just(UNSET), strategy)


def tuples(strategy, least, most):
    return st.lists(strategy, min_size=least, max_size=most).map(tuple)


names = st.one_of(st.sampled_from(WORDS), st.text(_CHARACTERS, min_size=1, max_size=64))
seats = st.integers(1, 16)
cards = st.sampled_from(list(Card))
piles = st.one_of(tuples(cards, 0, 3), tuples(cards, 0, 54))
three_cards = tuples(cards, 3, 3)
events = st.one_of(
    st.builds(DrawStock, seats, maybe(cards)),
    st.builds(TakeDiscard, seats, maybe(cards)),
    st.builds(Discard, seats, cards),
    *(st.builds(kind, seats) for kind in (Knock, Declare, Stand)),
    st.builds(Reshuffle, maybe(piles)),
    st.builds(Exchange, seats, piles, piles),
)
lives = st.integers(0, 99)
endings = st.one_of(
    st.builds(KnockEnding, seats),
    st.builds(FirstKnockEnding, seats),
    st.builds(StockEnding),
    st.builds(DeclareEnding, tuples(seats, 1, 16), maybe(seats)),
)


def hands_of(called):
    """Return a strategy for hands whose players have names of a strategy, or none."""
    player = st.builds(Player, lives, maybe(called), st.booleans())
    shown = st.builds(ShownPlayer, lives, three_cards, maybe(called), st.booleans(), st.booleans())
    # Turns of a few, so that the same player often acts again.
    often = st.sampled_from((Discard(1, Card("2c")), DrawStock(1), Discard(2, Card("2c")), Declare(1), Declare(2)))
    deals = st.builds(Deal, tuples(three_cards, 0, 18), maybe(cards), maybe(three_cards), maybe(piles))
    return st.one_of(
        st.builds(HandLog, tuples(player, 1, 16), seats, deals, tuples(st.one_of(events, often), 0, 20)),
        st.builds(ShowdownRecord, tuples(shown, 1, 16), endings, maybe(seats)),
    )


hands = hands_of(names)
rules = st.builds(
    NotatedRules,
    st.sampled_from((UNSET, "pagat", "four-lives-online")),
    st.dictionaries(st.sampled_from(list(ANSWERS)), st.integers(0, 40), max_size=4).map(
        lambda chosen: {
            name: list(ANSWERS[name].values())[number % len(ANSWERS[name])] for name, number in chosen.items()
        }
    ),
)
_says = st.text(st.characters(exclude_categories=["Cs"], exclude_characters="}"), max_size=20).map(
    lambda text: " ".join(text.split())
)


_PIECES = (
    *(
        "[",
        "]",
        "(",
        ")",
        ":",
        ";",
        ",",
        "?",
        "+",
        "-",
        "^",
        "=",
        "{",
        "}",
        '"',
        "\\",
        "#",
        "\n",
        "\r\n",
        " ",
        "\u2013",
    ),
    *(
        "[dealer Ana]",
        "Ana(3): Ks 9s 2h",
        "Ben(2): Tc 8c 4d",
        "Up: 5h",
        "End: knock Ana",
        "End: 31 Ana, Ben",
        "Knocker: Ben",
    ),
    *(
        "Ana",
        "Ben",
        "Seat 2",
        "17",
        "Ks",
        "+9c -4d",
        "^",
        "+?",
        "31",
        "knock",
        "swap Ks for 2c",
        "Reshuffle: 2c",
        "nothing",
    ),
    *("[rules pagat lives=4]", "Stock: 2c 3c", "Widow: 2c 3c 4c", "Extra: 2c 3c 4c", "redeemed", "unclaimed", "county"),
)


@st.composite
def notated(draw):
    """Draw a record with rules, marks and comments."""
    hand = draw(hands)
    count = len(hand.events) if isinstance(hand, HandLog) else 0
    positions = st.lists(st.integers(0, count - 1), max_size=4) if count else st.just([])
    on_hand = [Comment(None, says) for says in draw(st.lists(_says, max_size=2)) if says]
    return Notated(
        hand,
        draw(tuples(rules, 0, 2)),
        tuple(sorted(set(draw(positions)))),
        (*on_hand, *[Comment(at, says) for at in sorted(draw(positions)) if (says := draw(_says))]),
    )


@st.composite
def scribbles(draw):
    """Draw a text of whatever characters, one of pieces of what could be right, or a good one with a fault."""
    pieces = st.one_of(st.sampled_from(_PIECES), _CHARACTERS)
    if draw(st.booleans()):
        return draw(st.one_of(st.text(_CHARACTERS), st.lists(pieces).map("".join), st.lists(pieces).map(" ".join)))
    text = write(draw(notated()))
    at = draw(st.integers(0, len(text)))
    return text[:at] + draw(pieces) + text[at + draw(st.integers(0, 8)) :]


def is_valid(hand):
    """Return whether a hand is one that the schema admits, and the very same when it is sent as JSON."""
    return msgspec.json.decode(msgspec.json.encode(hand), type=Hand) == hand
