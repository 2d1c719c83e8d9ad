"""Hands as people type them: the same record in one of the many ways that the notation allows."""

from collections.abc import Iterator, Sequence

from msgspec import UNSET

from schemas.cards import Card
from schemas.hand import (
    Declare,
    DeclareEnding,
    Discard,
    DrawStock,
    Event,
    Exchange,
    FirstKnockEnding,
    Hand,
    HandLog,
    Knock,
    KnockEnding,
    Reshuffle,
    ShowdownRecord,
    ShownPlayer,
    Stand,
    TakeDiscard,
)
from tests.making.dice import Dice
from tests.making.respelling import spelt

NAMES = ("Ana", "Ben", "Mary Ann", "Jean-Luc", "Zo\u00eb", "O'Neil", "x+y", "Who?", "\u5f20\u4f1f", "seated", "Ana B.")
"""Names that can be typed without quotes, and differ in more than the case of letters."""
_DASHES = "-\u2010\u2013\u2014\u2212"
_WORDS = {
    Knock: ("knock", "knocks", "KNOCK"),
    Stand: ("stand", "Stands"),
    Declare: ("31", "declare", "Declares"),
}


def typed(dice: Dice, hand: Hand) -> str:
    """Return a hand as somebody might type it. What its players are called has to be among NAMES, or nothing."""
    return _Typist(dice, hand).text()


class _Typist:
    def __init__(self, dice: Dice, hand: Hand) -> None:
        self._dice = dice
        self._hand = hand
        self._count = len(hand.players)

    def text(self) -> str:
        """Return players and turns in their order, with the facts anywhere among them."""
        dice, facts = self._dice, list(self._facts())
        entries = list(self._players())
        if isinstance(self._hand, HandLog):
            extra = [self._fact(("extra",), self._cards(hand)) for hand in self._hand.deal.hands[self._count :]]
            entries += [*extra, *self._turns()]
        for fact in facts:
            entries.insert(dice.below(len(entries) + 1), fact)
        parts = [dice.pick(("", "", "\ufeff", "# what we played\n", "\r\n\t"))]
        for entry in entries:
            parts += [dice.pick(("", "", " ", "\t")), entry]
            parts.append(dice.pick(("\n", "\n", ";", " ; ", "\r\n", "\n\n", "  # so they say\n", ";;\n", "\r")))
        return "".join(parts)

    def _players(self) -> Iterator[str]:
        dice, hand = self._dice, self._hand
        for seat, player in enumerate(hand.players, start=1):
            name = (
                player.name if player.name is not UNSET else dice.pick((f"Seat {seat}", f"{seat}", "", f"SEAT  {seat}"))
            )
            held = ["county" if player.lives == 0 and dice.chance(50) else f"{player.lives}"]
            held[0] += dice.pick(("", "", " lives"))
            held += ["redeemed"] * player.redeemed
            held += ["Unclaimed"] * (isinstance(player, ShownPlayer) and player.unclaimed_31)
            inside = dice.pick((", ", " ", ",")).join(held)
            yield f"{name}{dice.pick(('', ' '))}({inside}){dice.pick(('', ' '))}: {self._dealt(seat)}"

    def _dealt(self, seat: int) -> str:
        if isinstance(self._hand, ShowdownRecord):
            return self._cards(self._hand.players[seat - 1].cards)
        hands = self._hand.deal.hands
        return self._cards(hands[seat - 1]) if seat <= len(hands) else "nothing"

    def _facts(self) -> Iterator[str]:
        hand = self._hand
        if hand.dealer is not UNSET:
            yield self._fact(("dealer",), self._who(hand.dealer))
        if isinstance(hand, ShowdownRecord):
            yield from self._ending()
            return
        if hand.deal.upcard is not UNSET:
            yield self._fact(("up", "upcard"), self._card(hand.deal.upcard))
        if hand.deal.widow is not UNSET:
            yield self._fact(("widow",), self._cards(hand.deal.widow))
        if hand.deal.stock is not UNSET:
            yield self._fact(("stock",), self._cards(hand.deal.stock))

    def _ending(self) -> Iterator[str]:
        match self._hand.ended_by:
            case KnockEnding(seat=seat):
                said = f"knock {self._who(seat)}"
            case FirstKnockEnding(seat=seat):
                said = f"first knock {self._who(seat)}"
            case DeclareEnding(seats=seats, knocker=knocker):
                said = f"31 {', '.join(map(self._who, seats))}"
                if knocker is not UNSET:
                    yield self._fact(("knocker",), self._who(knocker))
            case _:
                said = "stock"
        yield self._fact(("end", "ended"), said)

    def _fact(self, words: Sequence[str], said: str) -> str:
        dice = self._dice
        word = dice.pick(words)
        word = dice.pick((word, word.title(), word.upper()))
        return dice.pick(
            (f"[{word} {said}]", f"[ {word}: {said} ]", f"{word}: {said}", f"{word} :{said}", f"{word} {said}")
        )

    def _turns(self) -> Iterator[str]:
        """Yield the turns; who acts is left out now and then where the turns go round."""
        events, at = self._hand.events, 0
        turn = self._hand.dealer % self._count + 1
        while at < len(events):
            event = events[at]
            if isinstance(event, Reshuffle):
                yield self._act(event)
                at += 1
                continue
            line = [event]
            while at + len(line) < len(events) and self._may_follow(line[-1], events[at + len(line)]):
                line.append(events[at + len(line)])
            acts = self._dice.pick((" ", "", "  ") if _is_signed(line) else (" ",)).join(map(self._act, line))
            is_due = event.seat == turn and not isinstance(event, Declare)
            yield acts if is_due and self._dice.chance(60) else f"{self._who(event.seat)}: {acts}"
            for each in line:
                if not isinstance(each, Declare):
                    turn = each.seat if isinstance(each, DrawStock | TakeDiscard) else each.seat % self._count + 1
            at += len(line)

    def _may_follow(self, before: Event, event: Event) -> bool:
        """Return whether an event goes into the entry of the one before it, which is left open now and then."""
        if isinstance(event, Reshuffle) or before.seat != event.seat:
            return False
        is_end = isinstance(event, Discard) and isinstance(before, DrawStock | TakeDiscard)
        return (is_end or isinstance(event, Declare)) and not self._dice.chance(20)

    def _act(self, event: Event) -> str:
        dice = self._dice
        match event:
            case DrawStock(card=card):
                return f"+{dice.pick(('?', '', '??')) if card is UNSET else self._card(card)}"
            case TakeDiscard(card=card):
                return f"^{dice.pick(('', '?')) if card is UNSET else self._card(card)}"
            case Discard(card=card):
                return f"{dice.pick(_DASHES)}{dice.pick(('', '', ' '))}{self._card(card)}"
            case Reshuffle(stock=stock):
                return dice.pick(("reshuffle", "RESHUFFLE")) if stock is UNSET else f"reshuffle: {self._cards(stock)}"
            case Exchange(give=give, take=take):
                return f"{dice.pick(('swap', 'exchanges'))} {self._cards(give)} for {self._cards(take)}"
            case _:
                return dice.pick(_WORDS[type(event)])

    def _who(self, seat: int) -> str:
        name = self._hand.players[seat - 1].name if seat <= self._count else UNSET
        names = [player.name for player in self._hand.players]
        if name is UNSET or names.count(name) > 1 or self._dice.chance(20):
            return self._dice.pick((f"Seat {seat}", str(seat), f"seat{seat}"))
        return self._dice.pick((name, name, f'"{name}"', name.upper()))

    def _cards(self, cards: Sequence[Card]) -> str:
        return self._dice.pick((" ", ", ", "  ")).join(map(self._card, cards)) or "nothing"

    def _card(self, card: Card) -> str:
        return spelt(self._dice, card)


def _is_signed(line: Sequence[Event]) -> bool:
    """Return whether all of a line is told by signs, so that nothing has to stand between."""
    return all(isinstance(event, DrawStock | TakeDiscard | Discard) for event in line)
