"""Room: what many requests may take together of what there is only so much of."""

from api.problems import OVERLOADED, Fault


class Room:
    """An amount that is lent out: of bytes, or of places."""

    def __init__(self, most: int, told: str) -> None:
        """Begin with all of it free; `told` is the sentence for whoever comes too late."""
        self._free = most
        self._told = told

    def take(self, amount: int) -> None:
        """Take some; raise a 503 fault if there is not so much left."""
        if amount > self._free:
            raise Fault(OVERLOADED, self._told, headers={"Retry-After": "2"})
        self._free -= amount

    def give_back(self, amount: int) -> None:
        """Give some back."""
        self._free += amount


class Loan:
    """What one request has taken of a room."""

    __slots__ = ("_amount", "_room")

    def __init__(self, room: Room) -> None:
        """Begin with nothing."""
        self._room = room
        self._amount = 0

    def grow(self, amount: int) -> None:
        """Take as much as makes it this amount; raise a 503 fault if there is not so much left."""
        self._room.take(amount - self._amount)
        self._amount = amount

    def end(self) -> None:
        """Give all of it back."""
        if self._amount:
            self._room.give_back(self._amount)
            self._amount = 0
