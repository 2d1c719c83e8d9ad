"""The seeds that are made from what the repository has: `python -m tests.fuzz.seeding` writes them anew.

Inputs that once found a fault stand beside them and stay; their names begin with what libFuzzer calls them.
"""

import json
import re
from collections.abc import Iterator
from typing import Any

import msgspec

from api.examples import NOTATED, REPLAY
from schemas.notation import Notated, NotatedRules, write
from tests.corpus import chapters
from tests.documents.blocks import ROOT
from tests.fuzz.oracles import DOCUMENT
from tests.fuzz.requests import JSON, LINES, NOTATION, PACKED, Request
from tests.fuzz.targets import SEEDS
from tests.making.vectors import Request as Question
from tests.making.vectors import vectors

_FOUND = ("crash-", "timeout-", "oom-", "leak-", "slow-unit-")


def main() -> None:
    """Write the seeds of all targets."""
    made_for = {"requests": dict(requests()), "hands": dict(hands()), "notation": dict(notation())}
    for target, made in made_for.items():
        folder = SEEDS / target
        folder.mkdir(parents=True, exist_ok=True)
        for file in folder.iterdir():
            if not file.name.startswith(_FOUND):
                file.unlink()
        for name, content in made.items():
            (folder / name).write_bytes(content)


def requests() -> Iterator[tuple[str, bytes]]:
    """Yield a request for each example of the document, and one for each further way to ask or to fail."""
    for path, item in DOCUMENT["paths"].items():
        for method, found in item.items():
            if method == "head":
                continue
            name = f"{method}{path.replace('/', '-').replace('{', '').replace('}', '')}"
            for place, body in enumerate(_bodies(found)):
                yield f"{name}-{place}.http", _asked(method, _address(path, found), body)
    ruling = next(_bodies(DOCUMENT["paths"]["/v1/rulings"]["post"]))
    packed = [("Content-Type", PACKED), ("Accept", PACKED)]
    yield "packed.http", Request("POST", "/v1/rulings", packed, msgspec.msgpack.encode(ruling)).content()
    line = _written(ruling)
    lines = [("Content-Type", LINES)]
    yield "lines.http", Request("POST", "/v1/rulings/batch", lines, line + b"\n{}\n\n" + line).content()
    yield "list-of-lines.http", Request("GET", "/v1/replays?limit=2", [("Accept", LINES)], b"").content()
    text = [("Content-Type", NOTATION)]
    yield "text.http", Request("POST", "/v1/rulings", text, NOTATED.encode()).content()
    yield "text-of-nobody.http", Request("POST", "/v1/disputes", text, b"Ann: knock").content()
    yield "answer-as-text.http", Request("GET", f"/v1/replays/{REPLAY}", [("Accept", NOTATION)], b"").content()
    chunks = [("Content-Type", JSON), ("Transfer-Encoding", "chunked")]
    yield "chunks.http", Request("POST", "/v1/rulings?store=false", chunks, line).content()
    yield "two.http", _asked("get", "/health/live", None) + _asked("post", "/v1/cuts", {"rule": "lowest", "cards": []})
    yield "cut-short.http", _asked("post", "/v1/rulings", ruling)[:-40]
    yield "options.http", _asked("options", "/v1/replays/x", None)
    yield "nothing-there.http", _asked("get", "/v1/%00/%ff", None)
    yield "no-http.http", b"\x16\x03\x01\x00\xa5\r\n\r\n"


def hands() -> Iterator[tuple[str, bytes]]:
    """Yield the test vectors, and the first cases of each chapter of the conformance cases."""
    for vector in vectors():
        yield f"vector-{vector}.json", msgspec.json.encode(vector.request())
    for chapter, cases in chapters().items():
        for case in [case for case in cases if case.hand is not None and case.expect][:2]:
            body = {"hand": case.hand, "rules": case.expect[-1]["rules"]}
            yield f"case-{chapter}-{case.id}.json", msgspec.json.encode(msgspec.convert(body, Question))


def notation() -> Iterator[tuple[str, bytes]]:
    """Yield the texts of the page about the notation, and the same hands as the other target has."""
    page = (ROOT / "docs" / "notation.md").read_text(encoding="utf-8")
    for place, text in enumerate(re.findall("```thirty-one\n(.*?)```", page, re.DOTALL)):
        yield f"page-{place}.31", text.encode()
    for name, question in hands():
        request = msgspec.json.decode(question, type=Question)
        text = write(Notated(request.hand, (NotatedRules(request.rules.preset),)))
        yield name.replace(".json", ".31"), text.encode()


def _bodies(found: dict[str, Any]) -> Iterator[Any]:
    """Yield the bodies that the document shows; None where there is none to send."""
    if "requestBody" not in found:
        yield None
        return
    yield from [example["value"] for example in found["requestBody"]["content"][JSON]["examples"].values()]


def _address(path: str, found: dict[str, Any]) -> str:
    for parameter in found["parameters"]:
        path = path.replace(f"{{{parameter['name']}}}", str(parameter.get("example", "")))
    return path


def _asked(method: str, address: str, body: Any) -> bytes:
    headers = [] if body is None else [("Content-Type", JSON)]
    return Request(method.upper(), address, headers, b"" if body is None else _written(body)).content()


def _written(body: Any) -> bytes:
    return json.dumps(body, ensure_ascii=False).encode()


if __name__ == "__main__":
    main()
