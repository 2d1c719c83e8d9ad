"""Every code block of README.md and docs/ does what its page says.

A page's blocks are run in order, in one shell, with a service and a directory of their own. What commands put out is
compared with the `json`, `ndjson` or `text` block that comes next; an ellipsis in it stands for what is left out. A
`json` block that follows no command is a request, and has to be accepted, and so has a `thirty-one` block, a hand as
text. `blocks.py` says how exceptions are marked.
"""

import re
import tomllib

import msgspec
import pytest

from tests.documents.blocks import PAGES, ROOT, blocks
from tests.documents.running import World
from tests.documents.showing import differences, read, texts

ALL = [block for page in PAGES for block in blocks(page)]
NOTATION = "thirty-one"
"""The language of a hand in the text notation, which has to be understood."""
RUN = {"sh", "python"}
SHOWS = {"json", "ndjson", "text"}
LANGUAGES = RUN | SHOWS | {"toml", NOTATION}
EXCEPTIONS = [block for block in ALL if not block.runs]


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.relative_to(ROOT).as_posix())
def test_the_blocks_of_a_page_do_as_it_says(page, tmp_path):
    found = [block for block in blocks(page) if block.runs]
    if any(block.language in RUN | {"json", NOTATION} for block in found):
        with World(tmp_path) as world:
            walk(found, world)
    else:
        walk(found, None)


def walk(found, world):
    """Check blocks in their order."""
    walked = Walk(world)
    for block in found:
        walked.take(block)
    walked.expect_no_refusal()


class Walk:
    """What has come of the blocks so far."""

    def __init__(self, world):
        self.world = world
        self.output = None
        """What the last commands put out."""
        self.section = 0
        self.is_shown = False
        """Whether the page has shown it, so that only more of its text can follow."""
        self.refused = ""
        """That they were refused, until the page shows it."""

    def take(self, block):
        """Check the next block."""
        if block.section != self.section:
            self.section, self.output = block.section, None
        if self.shows(block):
            compared(block, self.output)
            self.is_shown, self.refused = True, ""
            return
        self.expect_no_refusal()
        if block.kind == "file":
            self.world.write(block.says, block.text)
        if block.language in RUN:
            self.note(block, ran(block, self.world))
        elif block.language == "toml":
            tomllib.loads(block.text)
        elif block.language == "ndjson":
            assert all(map(read, block.text.splitlines()))
        elif block.language == NOTATION:
            asked(block, self.world, "text/vnd.thirty-one")
        elif block.language == "json" and block.kind != "file":
            asked(block, self.world)

    def shows(self, block):
        """Return whether a block is what the last commands in its section put out, or some of it."""
        of_kind = {"text"} if self.is_shown else SHOWS
        return block.language in of_kind and not block.kind and self.output is not None

    def note(self, block, outcome):
        """Remember what came of commands, and check their statuses where the page says them."""
        self.output, self.is_shown = outcome.output, False
        refused = {status for status in outcome.statuses if status >= 400}
        if block.kind == "answers":
            if refused != {int(block.says)}:
                fail(block, f"it is not answered by {block.says}, but by {outcome.statuses}")
        elif refused:
            self.refused = f"{block.place}: it is answered by {refused}, and the answer is not shown: {outcome.output}"

    def expect_no_refusal(self):
        """Fail if commands were refused, and the page does not show how."""
        if self.refused:
            pytest.fail(self.refused, pytrace=False)


def ran(block, world):
    """Run a block's commands or program; fail if they fail."""
    program = block.text
    if block.language == "python":
        world.write("page.py", program)
        program = "python page.py\n"
    outcome = world.run(program)
    if outcome.failed:
        fail(block, f"it fails\n{outcome.errors}\n{outcome.output[-2000:]}")
    return outcome


def compared(block, output):
    """Check what is shown against what the commands before it put out."""
    if block.language == "text":
        said = {line.strip() for line in output.splitlines()} | {
            text for value in values(output) for text in texts(value)
        }
        missing = [line for line in block.text.splitlines() if line.strip() and line.strip() not in said]
        if missing:
            fail(block, f"the commands before it do not say {missing[0]!r}, but {output[:2000]}")
        return
    shown = [read(block.text)] if block.language == "json" else list(map(read, block.text.splitlines()))
    real = values(output)
    if block.language == "json":
        real = real[-1:]
    found = list(differences(shown, real))
    if found:
        fail(block, "the commands before it do not answer that:\n" + "\n".join(found))


def values(output):
    """Return the JSON values in an output, one a line or the whole; a part that is none is left out."""
    parts = [output] if is_json(output) else re.split(r"\n|(?<=})(?={)", output)
    return [msgspec.json.decode(part) for part in parts if is_json(part)]


def is_json(text):
    try:
        msgspec.json.decode(text)
    except msgspec.DecodeError:
        return False
    return True


def asked(block, world, media_type="application/json"):
    """Check that a request that is shown is accepted."""
    method, path = (block.says if block.kind == "request" else block.near).split()
    world.write("request", block.text)
    outcome = world.run(
        f"curl -s -X {method} 'http://127.0.0.1:8031{path}' -H 'Content-Type: {media_type}' --data-binary @request"
    )
    if outcome.failed or not outcome.statuses or outcome.statuses[0] >= 300:
        fail(block, f"{method} {path} does not accept it: {outcome.output}{outcome.errors}")


def fail(block, why):
    pytest.fail(f"{block.place}: {why}", pytrace=False)


def test_there_are_blocks_to_run():
    assert len([block for block in ALL if block.language == "sh" and block.runs]) > 10


@pytest.mark.parametrize("block", ALL, ids=lambda block: block.place)
def test_a_block_says_what_it_is(block):
    assert block.language in LANGUAGES or not block.runs, f"{block.place}: {block.language or 'no language'}"


@pytest.mark.parametrize("block", EXCEPTIONS, ids=lambda block: block.place)
def test_a_block_that_is_not_run_has_a_reason(block):
    if block.kind == "not run":
        assert len(block.says.split()) >= 3, f"{block.place}: {block.says} is no reason"
    elif target := re.fullmatch("make ([a-z-]+)", block.says):
        assert re.search(f"^{target[1]}:", (ROOT / "Makefile").read_text(), re.MULTILINE), block.place
    else:
        assert block.page.rpartition("/")[2] in (ROOT / block.says).read_text(), block.place
