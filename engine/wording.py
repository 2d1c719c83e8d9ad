"""How sentences say numbers, cards and lists."""

from collections.abc import Iterable, Sequence

from schemas.cards import Card, in_order


def listed(words: Sequence[str]) -> str:
    """Return words joined as in a sentence: "a, b and c"."""
    return words[0] if len(words) == 1 else f"{', '.join(words[:-1])} and {words[-1]}"


def counted(number: int, one: str, many: str | None = None) -> str:
    """Return a number with its noun: "1 life", "2 lives"."""
    return f"{number} {one if number == 1 else many or one + 's'}"


def lives(number: int) -> str:
    """Return a number of lives with the word: "1 life"."""
    return counted(number, "life", "lives")


def points(half_points: int) -> str:
    """Return a hand value in points as people write it: "19", "30½"."""
    return f"{half_points // 2}½" if half_points % 2 else str(half_points // 2)


def worth_shown(value: float) -> str:
    """Return a hand value that is in points, as rulings have it, as people write it: "19", "30½"."""
    return points(round(value * 2))


def shown(cards: Iterable[Card]) -> str:
    """Return cards as people write them: "K♠ 9♠ 2♥"."""
    return " ".join(card.sign for card in in_order(cards))


def are(seats: Sequence[int]) -> str:
    """Return the verb for so many players: "is" for one, "are" for more."""
    return "is" if len(seats) == 1 else "are"
