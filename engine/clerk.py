"""The clerk: writes the citations of a hand."""

from collections.abc import Iterable, Sequence

from msgspec import UNSET, UnsetType

from engine.rulebook import Rule
from engine.wording import listed
from schemas.hand import Player, ShownPlayer
from schemas.ruling import Citation


class Clerk:
    """Writes citations: fills in the facts, with players' names where given, and marks our readings."""

    __slots__ = ("_players", "_silent")

    def __init__(self, players: Sequence[Player | ShownPlayer], silent: frozenset[str] | None) -> None:
        """Remember who plays, and the options on which the rules' source is silent; None to leave `stated` out."""
        self._players = players
        self._silent = silent

    def name(self, seat: int) -> str:
        """Return what sentences call a player; a seat that is not at the table has only its number."""
        name = self._players[seat - 1].name if seat <= len(self._players) else UNSET
        return f"Seat {seat}" if name is UNSET else name

    def names(self, seats: Iterable[int]) -> str:
        """Return several players in one phrase: "Ana, Ben and Cara"."""
        return listed([self.name(seat) for seat in seats])

    def cite(
        self,
        rule: Rule,
        *seats: int,
        event: int | None = None,
        option: str | UnsetType | None = UNSET,
        **facts: object,
    ) -> Citation:
        """Return the citation of a rule; KeyError if a fact is missing.

        A rule with one option follows from it unless the caller says None: it did not matter this time. Of a rule
        with several the caller says which one; ValueError if not.
        """
        if option is UNSET:
            (option,) = rule.options or (None,)
        stated = UNSET if self._silent is None else option not in self._silent
        return Citation(rule.id, rule.says.format_map(facts), seats, event, option, stated)
