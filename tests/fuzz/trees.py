"""Changes to decoded JSON of any kind, in one place."""

import copy
from collections.abc import Callable, Iterator, MutableMapping, MutableSequence
from random import Random
from typing import Any

from tests.fuzz.generating import TEXTS

Change = Callable[[], None]
_SCALARS = (
    None,
    True,
    False,
    0,
    -1,
    1,
    17,
    2**31,
    2**63,
    2**64,
    -(2**63) - 1,
    10**400,
    0.5,
    1.0,
    1e308,
    [],
    {},
    *TEXTS,
)


def changed(value: Any, random: Random) -> Any:
    """Return the value with a change in one place."""
    whole = {"": copy.deepcopy(value)}
    random.choice(list(_places(whole)))(random)
    return whole.get("")


def _places(part: Any) -> Iterator[Callable[[Random], None]]:
    """Yield what can be done at each place of a value."""
    keys = list(part) if isinstance(part, MutableMapping) else range(len(part))
    for key in keys:
        yield lambda random, key=key: _put(part, key, random.choice(_SCALARS))
        yield lambda random, key=key: _put(part, key, _nudged(part[key], random))
        if isinstance(part[key], MutableMapping | MutableSequence):
            yield lambda random, key=key: _grow_or_shrink(part[key], random)
            yield from _places(part[key])


def _put(part: Any, key: Any, value: Any) -> None:
    part[key] = copy.deepcopy(value)


def _nudged(value: Any, random: Random) -> Any:
    """Return a value that is near."""
    if isinstance(value, bool) or value is None:
        return not value
    if isinstance(value, int):
        return value + random.choice((-1, 1, 10))
    if isinstance(value, str):
        return random.choice((value.swapcase(), value + "x", value[1:], value[::-1], f" {value}", value * 40))
    return [value] if random.random() < 0.5 else str(value)


def _grow_or_shrink(part: Any, random: Random) -> None:
    """Let an item be missing, be there twice, change places, or be new."""
    if isinstance(part, MutableMapping):
        if part and random.random() < 0.6:
            key = random.choice(list(part))
            value = part.pop(key)
            if random.random() < 0.5:
                part[random.choice((key + "s", key.upper(), "x/y~z", random.choice(TEXTS)))] = value
        else:
            part[random.choice(("name", "type", "kind", "stock", *TEXTS))] = random.choice(_SCALARS)
    elif part:
        at, other = random.randrange(len(part)), random.randrange(len(part))
        match random.randrange(4):
            case 0:
                del part[at]
            case 1:
                part.insert(other, copy.deepcopy(part[at]))
            case 2:
                part[at], part[other] = part[other], part[at]
            case _:
                part.extend(copy.deepcopy(part[: random.choice((1, 20, 200))]))
    else:
        part.append(random.choice(_SCALARS))
