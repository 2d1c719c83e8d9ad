"""Hands to be kept: different legal ones without end, as the bodies of requests and as records."""

import json
from collections.abc import Iterator, Sequence
from functools import cache
from itertools import islice, product

import msgspec

from api.choice import rules_of
from api.rulings import RulingRequest
from bench.logs import Log, standard_logs
from replays.records import Record, record_of

_request = msgspec.json.Decoder(RulingRequest).decode


def bodies(seed: int = 31) -> Iterator[bytes]:
    """Yield bodies whose questions are all different, also from those of any other seed up to 90."""
    hands = [json.loads(log.body) for log in _logs()]
    for lives in product(range(1, 100), repeat=3):
        for hand in hands:
            for player, own in zip(hand["hand"]["players"], (seed, *lives), strict=True):
                player["lives"] = own
            yield json.dumps(hand, ensure_ascii=False).encode()


@cache
def _logs() -> Sequence[Log]:
    return standard_logs(100)


def record(body: bytes) -> Record:
    """Return the record that the service makes of a body."""
    request = _request(body)
    return record_of(request.hand, rules_of(request.rules).rules)


@cache
def records(count: int, seed: int = 31) -> Sequence[Record]:
    """Return so many different records."""
    return [record(body) for body in islice(bodies(seed), count)]
