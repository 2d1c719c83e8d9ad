"""Whether an answer is what a page shows, where the page may leave out parts with an ellipsis."""

import re
from collections.abc import Iterator

import msgspec

CUT = "…"
_TOKEN = re.compile(r'"(?:[^"\\]|\\.)*"|[{}\[\]…]|[^"{}\[\]…]+')


def read(text: str) -> object:
    """Return the JSON value that a text shows; what an ellipsis stands for is an item, or a key, that is one itself."""
    written, open_brackets = [], []
    for token in _TOKEN.findall(text):
        if token in {"{", "["}:
            open_brackets.append(token)
        elif token in {"}", "]"}:
            open_brackets.pop()
        written.append(token)
        if token == CUT:
            written[-1] = '"…"'
            before = "".join(written[:-1]).rstrip()
            if open_brackets and open_brackets[-1] == "{" and not before.endswith(":"):
                written[-1] = '"…": "…"'
    return msgspec.json.decode("".join(written))


def differences(shown: object, real: object, where: str = "") -> Iterator[str]:
    """Yield how what is shown differs from what is real."""
    if shown == CUT:
        return
    if isinstance(shown, dict) and isinstance(real, dict):
        yield from _of_objects(shown, real, where)
    elif isinstance(shown, list) and isinstance(real, list):
        listed = [item for item in shown if item != CUT]
        if len(listed) > len(real) or (len(listed) < len(real) and CUT not in shown):
            yield f"{where or 'the whole'} has {len(real)} items, not {len(listed)}"
        for place, (one, other) in enumerate(zip(listed, real, strict=False)):
            yield from differences(one, other, f"{where}/{place}")
    elif isinstance(shown, str) and isinstance(real, str) and CUT in shown:
        if not re.fullmatch(".*".join(map(re.escape, shown.split(CUT))), real, re.DOTALL):
            yield f"{where} is {real!r}, not {shown!r}"
    elif shown != real or isinstance(shown, bool) != isinstance(real, bool):
        yield f"{where or 'the whole'} is {_brief(real)}, not {_brief(shown)}"


def _of_objects(shown: dict[str, object], real: dict[str, object], where: str) -> Iterator[str]:
    for name in shown.keys() - real.keys() - {CUT}:
        yield f"{where}/{name} is not there"
    if CUT not in shown:
        for name in real.keys() - shown.keys():
            yield f"{where}/{name} is not shown"
    for name in shown.keys() & real.keys():
        yield from differences(shown[name], real[name], f"{where}/{name}")


def texts(value: object) -> Iterator[str]:
    """Yield every text in a JSON value."""
    if isinstance(value, str):
        yield value
    elif isinstance(value, dict):
        for each in value.values():
            yield from texts(each)
    elif isinstance(value, list):
        for each in value:
            yield from texts(each)


def _brief(value: object) -> str:
    written = msgspec.json.encode(value).decode()
    return written if len(written) < 200 else written[:200] + CUT
