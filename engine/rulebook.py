"""The rulebook: every rule that a ruling or a game can cite, each a constant with its id and its sentence.

Words in braces are filled with the facts of the hand. The ids of refusals are the contract's; an id is stable and
never used again for another rule. `options` are the rule options that a citation of the rule may follow from.
"""

from typing import Literal

from msgspec import Struct

from schemas.rules import STOCK_OPTIONS, WIDOW_OPTIONS
from schemas.sources import SOURCE_BY_CODE


class Rule(Struct, frozen=True):
    """A rule that cites itself: a stable id, a sentence with places for facts, and where it comes from."""

    id: str
    says: str
    options: tuple[str, ...]
    refuses: bool
    attested: tuple[str, ...] = ()
    """Codes of the sources of a rule on which tables do not differ."""

    @property
    def sources(self) -> tuple[str, ...]:
        """Return the codes of the sources that attest the rule, under any answer of its options.

        A rule has none that follows from the pack of cards and the record alone.
        """
        declared = [known[name] for name in self.options for known in (STOCK_OPTIONS, WIDOW_OPTIONS) if name in known]
        by_answers = {code for option in declared for answer in option.answers for code in answer.sources}
        return tuple(code for code in SOURCE_BY_CODE if code in by_answers or code in self.attested)

    @property
    def kind(self) -> Literal["impossible", "illegal", "decides"]:
        """Return what a citation means: the record is `impossible`, the event `illegal`, or the rule `decides`."""
        if not self.refuses:
            return "decides"
        return "impossible" if self.id.startswith(("log.", "turn.", "game.")) else "illegal"


def _refuses(rule_id: str, says: str, *options: str, attested: str = "") -> Rule:
    return Rule(rule_id, says, options, refuses=True, attested=tuple(attested.split()))


def _decides(rule_id: str, says: str, *options: str, attested: str = "") -> Rule:
    return Rule(rule_id, says, options, refuses=False, attested=tuple(attested.split()))


# The record contradicts itself or the pack.
PLAYERS = _refuses("log.players", "The players and the hands do not fit: {why}.")
DEALER = _refuses("log.dealer", "Seat {seat} cannot have dealt at a table of {count}.")
SEAT = _refuses("log.seat", "Seat {seat} is not at this table of {count}.")
OTHER_FORM = _refuses("log.form", "{what} does not belong to the {form} form of the game.", "form")
CARD_TWICE = _refuses("log.card-twice", "{cards} cannot be in two places.")
CARD_NOT_IN_PACK = _refuses("log.card-not-in-pack", "{cards} cannot come from a pack with {jokers}.", "jokers")
CARD_NOT_HELD = _refuses("log.card-not-held", "{player} does not hold {cards}.")
CARD_UNKNOWN = _refuses("log.card-unknown", "{player} drew from the stock, and the record does not say which card.")
DISCARD_MISMATCH = _refuses(
    "log.discard-mismatch", "{player} cannot have taken {card}: {top} is on top of the discard pile."
)
STOCK_MISMATCH = _refuses("log.stock-mismatch", "The stock does not agree with the record: {why}.", "jokers")
WIDOW_MISMATCH = _refuses("log.widow-mismatch", "{player} cannot have taken {cards}, which the widow does not have.")
STOCK_EMPTY = _refuses(
    "log.stock-empty", "{player} cannot draw from the stock: all its {count} cards are drawn.", "jokers"
)
PILE_EMPTY = _refuses("log.pile-empty", "{player} cannot take a discard: the discard pile is empty.")
RESHUFFLE = _refuses("log.reshuffle", "The discards cannot be reshuffled: {why}.", "stock_exhausted", "jokers")

# The turn does not allow the event.
OUT_OF_TURN = _refuses("turn.out-of-turn", "{player} is out of turn: {why}.", attested="S0 S1 S3 PG WP BI")
NOT_DRAWN = _refuses("turn.not-drawn", "{player} must draw before discarding.", attested="S0 S1 S2 S3 PG WP")
ALREADY_DRAWN = _refuses(
    "turn.already-drawn", "{player} has already drawn and must discard.", attested="S0 S1 S2 S3 PG WP"
)

# A rule of the chosen set forbids the event.
RETURNED = _refuses(
    "discard.returned",
    "{player} has just taken {card} and may not throw it straight back.",
    "return_taken_discard",
)
SECOND_KNOCK = _refuses("knock.second", "{player} cannot knock: {knocker} has already knocked.", attested="R")
BELOW_MINIMUM = _refuses("knock.minimum", "{player} has {points} and needs {minimum} to knock.", "minimum_knock")
FIRST_ROUND = _refuses("knock.first-round", "{player} may not knock: {why}.", "first_knock")
KNOCK_ON_EMPTY = _refuses("knock.stock-empty", "{player} may not knock: the stock is empty.", "knock_after_stock")
NOT_31 = _refuses("declare.not-31", "{player} does not hold a 31 of three cards.", attested="S0 PG")
LAPSED = _refuses(
    "declare.lapsed",
    "The time for {player} to show a 31 is over: it has to be shown at once.",
    "thirty_one_claim",
)
WAIT = _refuses(
    "declare.wait", "{player} has to wait with a dealt 31 until {first}'s first turn is over.", "first_knock"
)
MAY_NOT_STAND = _refuses(
    "stand.not-allowed",
    "{player} may not keep the hand without drawing: {why}.",
    "last_turn_stand",
    "stock_exhausted",
    "jokers",
)
EXCHANGE_COUNT = _refuses("exchange.count", "{player} cannot give {give} and take {take}: {why}.", "exchange")
NO_COUNTY = _refuses("county.none", "{players} without lives cannot be in the game: there is no county.", "county")
NO_BUS = _refuses(
    "bus.not-played", "One player alone would ride the bus, which these rules do not play.", "ride_the_bus"
)
ONLY_DRAWS = _refuses("bus.only-draws", "There is no {act} in a bus ride, only draws and discards.", attested="OWN")

# How the hand ended.
KNOCKED = _decides(
    "end.knock", "{knocker} knocked, and everyone else has had a last turn.", attested="S0 S1 S2 S3 PG WP BI"
)
RECORDED_KNOCK = _decides(
    "end.recorded-knock", "{knocker} knocked, and everyone showed.", attested="S0 S1 S2 S3 PG WP BI"
)
FIRST_KNOCK = _decides(
    "end.first-knock", "{knocker} knocked on the very first turn, which ends the hand at once.", "first_knock"
)
SHOWED_31 = _decides("end.thirty-one", "{player} showed 31, which ends the hand.", attested="S0 S1 S2 S3 PG WP BI")
JOINED = _decides("end.thirty-one-joined", "{player} showed a 31 as well.", attested="S0 PG")
HELD_31 = _decides("end.thirty-one-automatic", "{players} held 31, which ends the hand by itself.", "thirty_one_claim")
WAITED_31 = _decides(
    "end.thirty-one-waited", "The 31 dealt to {players} waited for {first}'s first turn.", "first_knock"
)
ENDS_AFTER_KNOCK = _decides(
    "end.thirty-one-after-knock",
    "{knocker} had knocked, but a 31 still ends the hand.",
    "thirty_one_after_knock",
)
WINS_AT_ONCE = _decides("end.thirty-one-wins", "{player} showed 31, which ends the hand.", "thirty_one")
STOCK_USED_UP = _decides(
    "stock.used-up", "All {count} cards that the deal left of a pack of {pack} cards were drawn.", "jokers"
)
STOCK_LEFT = _decides(
    "stock.left", "At this point {there}, of the {count} that the deal left of a pack of {pack} cards.", "jokers"
)
STOCK_REFILLED = _decides(
    "stock.refilled",
    "An empty stock is refilled with the discards, so a player can always draw.",
    "stock_exhausted",
)
DECLINED = _decides(
    "end.stock-declined",
    "With the stock gone, {player} did not want the discard, so everyone showed.",
    "stock_exhausted",
)
STOCK_SHOWDOWN = _decides(
    "end.stock-showdown", "The stock ran out before anyone knocked, so everyone showed.", "stock_exhausted"
)
STOCK_NO_LOSER = _decides(
    "end.stock-no-loser", "The stock ran out before anyone knocked, so nobody loses.", "stock_exhausted"
)
BUS_DRAWS = _decides("end.bus-draws", "{player} has used up {draws}.", "ride_the_bus")
BUS_STOOD = _decides("end.bus-stood", "{player} stopped riding the bus.", attested="OWN")

# What a hand counts.
BEST_SUIT = _decides(
    "value.best-suit", "The best total in one suit is {points}: {cards}.", attested="S0 S1 S2 S3 PG WP BI"
)
TRIPLE = _decides("value.three-of-a-kind", "{player}'s {cards} are three of a kind, {what}.", "three_of_a_kind")
JOKER = _decides("value.joker", "With a joker {player}'s hand makes {points}: {cards}.", "jokers")
UNCLAIMED = _decides(
    "value.unclaimed-31", "{player} did not show the 31 in time, so the hand counts 30.", "thirty_one_claim"
)
TOP_HAND = _decides(
    "value.top-hand-31",
    "{player} made 31 after the knock; it counts 31, shown or not.",
    "thirty_one_after_knock",
)
NEVER_LATE = _decides(
    "value.waiting-31", "{player} was still waiting to show a dealt 31, so it counts 31.", "first_knock"
)
NEED_NOT_WAIT = _decides(
    "value.no-waiting", "A 31 dealt to {player} does not wait for {first}'s first turn.", "first_knock"
)
DECLARED_TOO_LATE = _decides(
    "declare.after-knock",
    "A 31 made after the knock has to be shown at once to end the hand.",
    "thirty_one_after_knock",
)

# Who loses lives.
LOWEST = _decides(
    "lose.lowest", "{player} has the lowest hand, {points}, and loses {lives}.", attested="S0 S1 S2 S3 PG WP"
)
LOWEST_TIE = _decides("lose.lowest-tie", "{players} tie for the lowest hand, {points}, so {what}.", "lowest_tie")
KNOCKER_ALONE = _decides(
    "lose.knocker-alone",
    "{knocker} knocked and alone has the lowest hand, {points}, so loses {lives}.",
    "knocker_alone",
)
KNOCKER_TIE = _decides(
    "lose.knocker-tie",
    "{knocker} knocked and ties for the lowest hand with {others}, so {what}.",
    "knocker_tie",
)
COST_OF_31 = _decides("lose.thirty-one", "The 31 takes {what}.", "thirty_one_cost")
KNOCKER_ON_31 = _decides("lose.knocker-on-31", "{knocker} had knocked, {what}.", "knocker_on_31")
NOBODY_ELSE = _decides("lose.nobody", "Everyone showed 31, so nobody loses.", attested="S0 PG")

# What the losses do.
LAST_LIFE = _decides("lives.last", "{players} lost the last life and {what}.", "county")
BEYOND = _decides("lives.beyond", "{player} must lose {lost} with {held} left, and {what}.", "loss_beyond_lives")
BEYOND_OUT = _decides("lives.gone", "{player} must lose {lost} with {held} left, and is out.", attested="S0 PG")
COUNTY_OUT = _decides("lives.county", "{players} lost on the county and {what} out.", attested="S0 PG WP")
EVERYONE_OUT = _decides("lives.everyone-out", "The hand would put out everyone still in, so {what}.", "everyone_out")
LAST_CHANCE = _decides("redemption.last-chance", "{player} began the hand one loss from going out.", "county")
REDEEMED = _decides("redemption.won", "{player} {how} and wins a life back.", "redemption")
REDEMPTION_CAP = _decides("redemption.cap", "Nobody holds more than {lives}, so {player} gets none back.", "lives")
GAME_WON = _decides("game.won", "{player} is the last one in and wins the game.", attested="S0 S1 S2 PG WP")
DEAL_PASSES = _decides("deal.passes", "{player} deals next.", attested="S0 S3 PG BI")

# Who takes the pot.
BEST_HAND = _decides("pot.best-hand", "{player} has the best hand, {points}, and takes the pot.", attested="BI S0")
POT_BY_31 = _decides("pot.thirty-one", "{players} {take} the pot.", attested="BI S0")
POT_TIE = _decides("pot.tie", "{players} tie for the best hand, {points}, and {what}.", "pot_tie")

# A hand does not follow from the hands of its game before it. Seats are those that the game was begun with.
HAND_AFTER_THE_END = _refuses("game.over", "The game is over: {why}.")
HAND_BEFORE_UNFINISHED = _refuses("game.unfinished", "The hand before this one is not over, so this one cannot follow.")
HAND_REFUSED = _refuses("game.hand", "This hand is refused by its own ruling, so nothing follows from it.")
WRONG_SEATS = _refuses("game.seats", "This hand has {given}, but {players} {are} still in.")
WRONG_DEALER = _refuses(
    "game.dealer", "{player} deals this hand: its seat {right}, not its seat {given}.", attested="S0 S3 PG BI"
)
WRONG_LIVES = _refuses("game.lives", "{player} begins this hand with {lives}, not with {given}.")
WRONG_REDEMPTION = _refuses("game.redeemed", "{player} has {what} won a life back in this game.")
WRONG_NAME = _refuses("game.name", "Seat {seat} of the game is {name}, not {given}.")

RULEBOOK = tuple(rule for rule in tuple(globals().values()) if isinstance(rule, Rule))
RULE_BY_ID = {rule.id: rule for rule in RULEBOOK}
