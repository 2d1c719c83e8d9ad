"""In process: what a ruling costs, from the bytes of the request to those of the answer, without HTTP."""

from collections.abc import Sequence

import msgspec

from api.choice import rules_of
from api.ruling_views import RulingAnswer
from api.rulings import RulingRequest
from bench.logs import Log, check
from bench.report import Finding, Section, Target
from bench.rounds import Plan, cpu_time, interleaved, microseconds, quotients
from engine import VERSION
from engine.adjudicate import adjudicate

decode = msgspec.json.Decoder(RulingRequest).decode
encode = msgspec.json.Encoder().encode


def judge(body: bytes) -> bytes:
    """Return the answer that the service gives to a request that is not to be stored."""
    request = decode(body)
    rules = rules_of(request.rules)
    return encode(RulingAnswer(None, VERSION, adjudicate(request.hand, rules.rules, rules.silent)))


def right_answers(logs: Sequence[Log]) -> list[bytes]:
    """Return the answer to each log, checked against what is known without the engine."""
    answers = [judge(log.body) for log in logs]
    for log, answer in zip(logs, answers, strict=True):
        check(log, answer)
    return answers


def measure(logs: Sequence[Log], plan: Plan) -> Section:
    """Measure judging against decoding alone."""
    bodies = [log.body for log in logs]
    answers = right_answers(logs)
    requests = [msgspec.convert(msgspec.json.decode(body), RulingRequest) for body in bodies]
    seconds = plan.seconds / 10
    times = interleaved(
        plan,
        {
            "decode": lambda: cpu_time(decode, bodies, requests, seconds),
            "judge": lambda: cpu_time(judge, bodies, answers, seconds),
        },
    )
    return Section(
        "In process (CPU time of a request)",
        [
            f"msgspec decodes the body into the project's Structs: {microseconds(times['decode'])}",
            f"decode, judge with citations, encode: {microseconds(times['judge'])}",
        ],
        [
            Finding(
                "in process: decode, judge, encode / msgspec decode",
                quotients(times["judge"], times["decode"]),
                Target(15, at_most=True, aim=10),
            )
        ],
    )
