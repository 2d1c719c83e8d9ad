"""Disputes and comparisons, against judging the same hand once."""

from collections.abc import Sequence
from functools import partial

from api.choice import rules_of
from api.comparisons import compared
from api.contested import MOST_WORK
from bench.inprocess import decode, encode, right_answers
from bench.load import Exchange, exchange, exchanges, saturate
from bench.logs import Log
from bench.report import Finding, Section, Target
from bench.rounds import Plan, WrongAnswerError, cpu_time, interleaved, microseconds, quotients
from bench.servers import Server, pinned, running
from engine.adjudicate import adjudicate
from engine.clerk import Clerk
from engine.disputes import answer_claims, decisive
from engine.trials import Trials
from schemas.disputes import Claim
from schemas.hand import Hand
from schemas.rules import RuleSet
from schemas.ruling import Ruling

_HANDS = 60
_COMPARED = 20
_Case = tuple[Hand, RuleSet]


def measure(logs: Sequence[Log], plan: Plan) -> Section:
    """Measure how many rulings' time it takes to find what decides a hand, and to compare all presets."""
    requests = [decode(log.body) for log in logs[:_HANDS]]
    cases = [(request.hand, rules_of(request.rules).rules) for request in requests]
    works = {"judge": _judge, "decisive": _decisive, "search": _search}
    times = interleaved(
        plan,
        {
            name: partial(cpu_time, work, cases, [work(case) for case in cases], plan.seconds / 10)
            for name, work in works.items()
        },
    )
    served = _served(logs[:_COMPARED], plan)
    return Section(
        "Disputes (CPU time of a hand, in process) and comparisons (one worker)",
        [
            *[f"{name}: {microseconds(spent)}" for name, spent in times.items()],
            *[f"{name}: {microseconds([1 / rate for rate in rates])} a request" for name, rates in served.items()],
        ],
        [
            Finding(
                "all decisive options / a ruling",
                quotients(times["decisive"], times["judge"]),
                Target(10, at_most=True),
            ),
            Finding(
                "search to three changes / a ruling",
                quotients(times["search"], times["judge"]),
                Target(500, at_most=True),
            ),
            Finding(
                "comparison of all presets / a ruling, over HTTP",
                quotients(served["ruling"], served["comparison"]),
                Target(8, at_most=True),
            ),
        ],
    )


def _judge(case: _Case) -> Ruling:
    return adjudicate(*case)


def _decisive(case: _Case) -> object:
    hand, rules = case
    return list(decisive(Trials(hand, rules, MOST_WORK), Clerk(hand.players, None)))


def _search(case: _Case) -> object:
    """Search for what no rule set supports, so that all are tried that could."""
    hand, rules = case
    claim = Claim((-9,) * len(hand.players))
    (answer,), _ = answer_claims(Trials(hand, rules, MOST_WORK), hand, [claim], Clerk(hand.players, None))
    if answer.supported is not False:
        raise WrongAnswerError("A claim that nothing supports is supported, or the search was given up.")
    return answer


def _served(logs: Sequence[Log], plan: Plan) -> dict[str, list[float]]:
    """Return the requests a second of rulings and of comparisons, round by round."""
    hands = [decode(log.body).hand for log in logs]
    bodies = [encode({"hand": hand, "rules": "all-presets"}) for hand in hands]
    compared_all = [encode(compared(hand, "all-presets")) for hand in hands]
    with running("service") as servers, pinned():
        server = servers["service"]
        work = {
            "ruling": exchanges([log.body for log in logs], right_answers(logs)),
            "comparison": [
                exchange(b"/v1/comparisons", body, answer) for body, answer in zip(bodies, compared_all, strict=True)
            ],
        }
        return interleaved(plan, {name: partial(_rate, server, each, plan.seconds) for name, each in work.items()})


def _rate(server: Server, work: Sequence[Exchange], seconds: float) -> float:
    return saturate(server, work, seconds).rate
