"""How often each may ask, and what the headers say about it."""

import pytest

from api.access import Access
from api.configuration import configured
from api.gate import Gate, client_of, gate_for
from api.keys import ApiKey, digest_of, new_key
from api.limits import Limiter
from api.problems import Fault
from api.setting_values import SettingError


class Clock:
    """A clock that stands still until it is moved."""

    def __init__(self):
        self.time = 1000.0

    def __call__(self):
        return self.time


@pytest.fixture
def clock():
    return Clock()


def limit(text):
    return configured({"THIRTYONE_RATE_LIMIT": text}).settings.rate_limit


def refused(limiter, who):
    with pytest.raises(Fault) as caught:
        limiter.check(who)
    return caught.value


def test_the_headers_count_down_and_one_too_many_is_refused(clock):
    limiter = Limiter(limit("3/minute"), now=clock)
    for remaining, seconds in ((2, 60), (1, 50), (0, 40)):
        assert limiter.check("a") == {
            "RateLimit-Policy": '"default";q=3;w=60',
            "RateLimit": f'"default";r={remaining};t={seconds}',
        }
        clock.time += 10
    fault = refused(limiter, "a")
    assert (fault.kind.slug, fault.kind.status) == ("too-many-requests", 429)
    assert fault.headers == {
        "Retry-After": "30",
        "RateLimit-Policy": '"default";q=3;w=60',
        "RateLimit": '"default";r=0;t=30',
    }
    assert "try again in 30" in fault.detail


def test_each_is_counted_alone(clock):
    limiter = Limiter(limit("1/minute"), now=clock)
    limiter.check("a")
    limiter.check("b")
    refused(limiter, "a")
    refused(limiter, "b")


def test_a_refusal_does_not_put_the_end_off(clock):
    limiter = Limiter(limit("1/minute"), now=clock)
    limiter.check("a")
    for _ in range(59):
        clock.time += 1
        refused(limiter, "a")
    clock.time += 1
    assert limiter.check("a")["RateLimit"] == '"default";r=0;t=60'


def test_whoever_waits_as_told_is_let_in(clock):
    limiter = Limiter(limit("1/minute"), now=clock)
    limiter.check("a")
    clock.time += 59.999
    fault = refused(limiter, "a")
    assert fault.headers["Retry-After"] == "1"
    clock.time += 1
    limiter.check("a")


def test_windows_that_are_over_are_forgotten(clock):
    limiter = Limiter(limit("5/minute"), now=clock)
    counted = limiter._strategy.storage._windows  # noqa: SLF001 - memory shows nowhere else
    for number in range(100):
        limiter.check(f"early {number}")
    clock.time += 30
    limiter.check("late")
    clock.time += 31
    limiter.check("early 0")
    assert len(counted) == 2
    assert limiter.check("late")["RateLimit"] == '"default";r=3;t=29'


def test_memory_is_bounded_however_many_ask(clock):
    limiter = Limiter(limit("5/day"), most_counted=10, now=clock)
    counted = limiter._strategy.storage._windows  # noqa: SLF001 - memory shows nowhere else
    for number in range(1000):
        limiter.check(str(number))
        assert len(counted) <= 10
    assert limiter.check("999")["RateLimit"] == '"default";r=3;t=86400'
    assert limiter.check("0")["RateLimit"] == '"default";r=4;t=86400'


def test_the_storage_does_what_the_library_asks_of_one(clock):
    storage = Limiter(limit("5/day"), now=clock)._strategy.storage  # noqa: SLF001 - the library's own interface
    assert storage.check()
    assert storage.get("a") == 0
    assert storage.get_expiry("a") == clock.time
    assert storage.incr("a", 60, amount=3) == 3
    assert storage.get_expiry("a") == clock.time + 60
    storage.clear("a")
    storage.clear("a")
    assert storage.get("a") == 0
    storage.incr("b", 60)
    assert storage.reset() == 1
    assert storage.get("b") == 0


@pytest.mark.parametrize(
    ("text", "amount", "seconds"),
    [("100/minute", 100, 60), ("1 per second", 1, 1), ("5000/12 hours", 5000, 43200), (" 7/DAY ", 7, 86400)],
)
def test_limits_are_written_as_the_library_has_them(text, amount, seconds):
    read = limit(text)
    assert (read.amount, read.get_expiry()) == (amount, seconds)


@pytest.mark.parametrize("text", ["", "  "])
def test_a_blank_limit_is_none(text):
    assert limit(text) is None


@pytest.mark.parametrize(
    "text",
    [
        "many",
        "100",
        "100/fortnight",
        "0/minute",
        "-1/minute",
        "1.5/minute",
        "100/minute;5/second",
        "100/minute,",
        "1000000000000000/minute",
        "1/99999999999 years",
        "9" * 5000 + "/minute",
    ],
)
def test_a_limit_that_cannot_be_is_refused(text):
    with pytest.raises(SettingError, match="THIRTYONE_RATE_LIMIT must be one limit such as 100/minute"):
        limit(text)


def request_from(client, token=None):
    headers = [(b"authorization", f"Bearer {token}".encode())] if token else []
    return {"type": "http", "client": client, "headers": headers}


def test_a_gate_counts_addresses(clock):
    gate = Gate(limiter=Limiter(limit("1/minute"), now=clock))
    first, second = request_from(("192.0.2.1", 1)), request_from(("192.0.2.2", 1))
    assert gate.admit(first, "read")["RateLimit"] == '"default";r=0;t=60'
    gate.admit(second, "read")
    with pytest.raises(Fault, match="too-many-requests"):
        gate.admit(first, "write")


def test_a_gate_with_keys_counts_those_from_wherever_they_are_used(clock):
    one, other = new_key(), new_key()
    keys = tuple(ApiKey(key[-9:], frozenset(["read"]), digest_of(key.encode())) for key in (one, other))
    gate = Gate(Access(keys), Limiter(limit("1/minute"), now=clock))
    gate.admit(request_from(("192.0.2.1", 1), one), "read")
    gate.admit(request_from(("192.0.2.1", 1), other), "read")
    with pytest.raises(Fault, match="too-many-requests"):
        gate.admit(request_from(("192.0.2.9", 1), one), "read")


def test_a_gate_counts_nobody_that_it_does_not_let_in(clock):
    key = new_key()
    access = Access((ApiKey("one", frozenset(["read"]), digest_of(key.encode())),))
    gate = Gate(access, Limiter(limit("1/minute"), now=clock))
    for _ in range(3):
        with pytest.raises(Fault, match="unauthenticated"):
            gate.admit(request_from(("192.0.2.1", 1)), "read")
        with pytest.raises(Fault, match="forbidden"):
            gate.admit(request_from(("192.0.2.1", 1), key), "write")
    gate.admit(request_from(("192.0.2.1", 1), key), "read")


def test_the_settings_make_the_gate():
    assert gate_for(configured({}).settings) == Gate()
    gate = gate_for(configured({"THIRTYONE_RATE_LIMIT": "2/hour"}).settings)
    assert gate.admit(request_from(None), "read")["RateLimit-Policy"] == '"default";q=2;w=3600'


@pytest.mark.parametrize(
    ("one", "other", "same"),
    [
        ("192.0.2.1", "192.0.2.2", False),
        ("192.0.2.1", "::ffff:192.0.2.1", True),
        ("2001:db8:1:2::1", "2001:0DB8:1:2:ffff::9", True),
        ("2001:db8:1:2::1", "2001:db8:1:3::1", False),
        ("fe80::1%eth0", "fe80::1%eth1", True),
        ("::1", "127.0.0.1", False),
        ("unix:", "x" * 10_000, True),
        ("", "unknown", True),
    ],
)
def test_a_client_cannot_vary_its_address_at_will(one, other, same):
    assert (client_of(request_from((one, 1))) == client_of(request_from((other, 2)))) is same
    assert len(client_of(request_from((other, 2)))) < 40


def test_a_client_without_an_address_is_one_like_any_without():
    assert client_of(request_from(None)) == client_of(request_from(("somewhere", 0)))
