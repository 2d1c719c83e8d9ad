"""PokerKit: what the referee of another card game costs an action, where ours costs an event."""

from collections.abc import Sequence
from functools import partial
from random import Random
from typing import Any, NamedTuple

from pokerkit import Automation, Card, NoLimitTexasHoldem

from api.choice import rules_of
from bench.inprocess import decode, right_answers
from bench.logs import PACK, Log, below, shuffled
from bench.report import Finding, Section, Target
from bench.rounds import Plan, cpu_time, interleaved, microseconds, quotients
from engine.adjudicate import adjudicate
from engine.presets import ResolvedRules
from schemas.hand import Hand
from schemas.ruling import Ruling

PLAYERS = 4
ACTIONS = 28
HANDS = 10

# All but what dealer and players do, as in PokerKit's own examples.
_game = partial(
    NoLimitTexasHoldem.create_state,
    (
        Automation.ANTE_POSTING,
        Automation.BET_COLLECTION,
        Automation.BLIND_OR_STRADDLE_POSTING,
        Automation.HOLE_CARDS_SHOWING_OR_MUCKING,
        Automation.HAND_KILLING,
        Automation.CHIPS_PUSHING,
        Automation.CHIPS_PULLING,
    ),
    True,  # noqa: FBT003 - antes are uniform
    0,
    (1, 2),
    2,
    1000,
    PLAYERS,
)

Action = tuple[str, tuple[Any, ...]]
"""A method of PokerKit's state, and what it is called with."""


class Question(NamedTuple):
    """A decoded hand and its rules."""

    hand: Hand
    rules: ResolvedRules


def replay(actions: Sequence[Action]) -> list[int]:
    """Return everybody's chips after a hand of hold'em, in which PokerKit checks every action."""
    state = _game()
    for name, values in actions:
        getattr(state, name)(*values)
    return list(state.stacks)


def measure(logs: Sequence[Log], plan: Plan) -> Section:
    """Measure an event of ours against an action of PokerKit's."""
    right_answers(logs)
    hands = _hold_em_hands(Random(31))
    stacks = [replay(actions) for actions in hands]
    questions = [Question(request.hand, rules_of(request.rules)) for request in (decode(log.body) for log in logs)]
    rulings = [_ruling(question) for question in questions]
    seconds = plan.seconds / 10
    times = interleaved(
        plan,
        {
            "poker": lambda: cpu_time(replay, hands, stacks, seconds),
            "ours": lambda: cpu_time(_ruling, questions, rulings, seconds),
        },
    )
    events = sum(log.events for log in logs) / len(logs)
    an_action = [time / ACTIONS for time in times["poker"]]
    an_event = [time / events for time in times["ours"]]
    return Section(
        "PokerKit (CPU time)",
        [
            f"PokerKit replays no-limit hold'em, {ACTIONS} actions a hand: {microseconds(an_action)} an action",
            f"adjudicate, legality and explanation included: {microseconds(an_event)} an event",
        ],
        [
            Finding(
                "PokerKit, an action / adjudicate, an event",
                quotients(an_action, an_event),
                Target(30, at_most=False),
            )
        ],
    )


def _ruling(question: Question) -> Ruling:
    return adjudicate(question.hand, question.rules.rules, question.rules.silent)


def _hold_em_hands(random: Random) -> list[list[Action]]:
    """Return different hand histories of as many actions as are wanted, each played to its end."""
    hands: list[list[Action]] = []
    while len(hands) < HANDS:
        actions = _hold_em_hand(random)
        if len(actions) == ACTIONS:
            hands.append(actions)
    return hands


def _hold_em_hand(random: Random) -> list[Action]:
    cards = shuffled(random, PACK)
    state = _game()
    actions: list[Action] = []
    while state.status:
        action = _next_action(random, state, cards)
        getattr(state, action[0])(*action[1])
        actions.append(action)
    return actions


def _next_action(random: Random, state: Any, cards: list[str]) -> Action:  # noqa: ANN401 - PokerKit's is of any type
    if state.can_deal_hole():
        return "deal_hole", (_parsed(cards.pop() + cards.pop()),)
    if state.can_burn_card():
        return "burn_card", (_parsed("??"),)
    if state.can_deal_board():
        return "deal_board", (_parsed("".join(cards.pop() for _ in range(state.board_dealing_count))),)
    choice = below(random, 20)
    if choice < 3 and state.can_complete_bet_or_raise_to():
        return "complete_bet_or_raise_to", (state.min_completion_betting_or_raising_to_amount,)
    if choice == 3 and state.can_fold():
        return "fold", ()
    return "check_or_call", ()


def _parsed(cards: str) -> tuple[Card, ...]:
    """Return cards as PokerKit has them, so that reading them is not timed, as it is not for ours."""
    return tuple(Card.parse(cards))
