"""The test vectors of the canonical form, and the writing of what belongs to a request.

A new vector is a folder with a request and an `ids.json` that has `about`; `python -m tests.making.vectors` writes the
rest. The questions and ids come from `independent_form`, the answers from the engine. A question that is there is never
written anew.
"""

import json
from hashlib import sha256
from pathlib import Path
from typing import Any, NamedTuple

import msgspec

from engine import VERSION
from engine.presets import RuleChoice, resolve
from replays.answers import answer, judge
from replays.canonical import canonical_hand
from schemas.hand import Hand
from schemas.rules import RuleSet
from tests.making.respelling import plain
from tests.replays import independent_form

FOLDER = Path(__file__).parents[1] / "replays" / "vectors"


class Request(msgspec.Struct, forbid_unknown_fields=True):
    """The body of `POST /v1/rulings`."""

    hand: Hand
    rules: RuleChoice = RuleChoice()

    def complete_rules(self) -> RuleSet:
        """Return the rules that are asked for."""
        return resolve(self.rules).rules


class Vector(NamedTuple):
    """A request with its canonical form and its answer, as files of one folder."""

    folder: Path

    def __str__(self) -> str:
        """Return the name of the folder."""
        return self.folder.name

    @property
    def question(self) -> bytes:
        """Return the canonical bytes."""
        return (self.folder / "question.json").read_bytes()

    @property
    def answer(self) -> bytes:
        """Return the answer's bytes."""
        return (self.folder / "answer.json").read_bytes()

    @property
    def ids(self) -> dict[str, str]:
        """Return the hashes, and what the vector shows."""
        return json.loads((self.folder / "ids.json").read_bytes())

    def body(self) -> dict[str, Any]:
        """Return the request as decoded JSON."""
        packed = self.folder / "request.msgpack"
        if packed.exists():
            return msgspec.msgpack.decode(packed.read_bytes())
        return json.loads((self.folder / "request.json").read_bytes())

    def request(self) -> Request:
        """Return the request as the service reads it."""
        packed = self.folder / "request.msgpack"
        if packed.exists():
            return msgspec.msgpack.decode(packed.read_bytes(), type=Request)
        return msgspec.json.decode((self.folder / "request.json").read_bytes(), type=Request)


def vectors() -> list[Vector]:
    """Return all vectors, by name."""
    return [Vector(folder) for folder in sorted(FOLDER.iterdir()) if folder.is_dir()]


def write(vector: Vector) -> None:
    """Write the files that belong to a request: the question if there is none, the answer in any case."""
    request = vector.request()
    rules = request.complete_rules()
    question = vector.folder / "question.json"
    if not question.exists():
        question.write_bytes(independent_form.question(vector.body()["hand"], plain(rules)))
    ruling = answer(judge(canonical_hand(request.hand), rules)).content
    before, digest = vector.ids, sha256(ruling).hexdigest()
    (vector.folder / "answer.json").write_bytes(ruling)
    ids = {
        "about": before["about"],
        "engine": before["engine"] if before.get("answer") == digest else VERSION,
        "replay": sha256(question.read_bytes()).hexdigest(),
        "rule_set": independent_form.rule_set_id(plain(rules)),
        "answer": digest,
    }
    (vector.folder / "ids.json").write_text(json.dumps(ids, indent=1, ensure_ascii=False), encoding="utf-8")


if __name__ == "__main__":
    for each in vectors():
        write(each)
