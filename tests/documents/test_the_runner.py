"""The runner of code blocks finds what is wrong with a page."""

import pytest

from tests.documents.blocks import blocks
from tests.documents.running import World
from tests.documents.showing import differences, read
from tests.documents.test_code_blocks import walk


@pytest.mark.parametrize(
    ("shown", "real", "agrees"),
    [
        ('{"a": 1}', {"a": 1}, True),
        ('{"a": 1}', {"a": 2}, False),
        ('{"a": 1}', {"a": True}, False),
        ('{"a": 1}', {"a": 1, "b": 2}, False),
        ('{"a": 1, …}', {"a": 1, "b": 2}, True),
        ('{…, "b": 3}', {"a": 1, "b": 2}, False),
        ('{"a": 1, "c": 1, …}', {"a": 1}, False),
        ('{"a": …}', {"a": [1, 2]}, True),
        ('{"a": {…}}', {"a": {"b": 1}}, True),
        ('{"a": {…}}', {"a": 1}, False),
        ("[1, 2]", [1, 2, 3], False),
        ("[1, …]", [1, 2, 3], True),
        ("[1, 4, …]", [1, 2, 3], False),
        ('{"a": "b0…"}', {"a": "b022"}, True),
        ('{"a": "b0…"}', {"a": "c022"}, False),
    ],
)
def test_what_is_shown_is_compared(shown, real, agrees):
    assert (not list(differences(read(shown), real))) == agrees


PAGE = """\
A hand goes to `POST /v1/cuts`:

```json
{"rule": "lowest", "cards": ["2c", "CARD"]}
```

```sh
card=CARD
curl -s http://127.0.0.1:8031/v1/cuts -H 'Content-Type: application/json' \\
  -d '{"rule":"lowest","cards":["2c","'$card'"]}'
```
"""
SHOWN = """
```json
{"dealer": 1, …}
```
"""


@pytest.mark.parametrize(
    ("page", "why"),
    [
        (PAGE.replace("CARD", "3c"), None),
        (PAGE.replace("CARD", "3c") + SHOWN, None),
        (PAGE.replace("CARD", "3c") + SHOWN.replace("1", "2"), r"bad\.md:13: .*\n/0/dealer is 1, not 2"),
        (PAGE.replace("CARD", "2c"), r"bad\.md:3: POST /v1/cuts does not accept it: .*twice"),
        (PAGE.replace('"CARD"', '"4c"').replace("CARD", "2c"), r"bad\.md:7: it is answered by \{422\}"),
        ("```thirty-one\n[dealer 1]\n(3): 2c 3c 4c\n(3): 2d 3d 4d\nUp: 5d\n```\n", None),
        ("```thirty-one\nAnn: knock\n```\n", r"bad\.md:1: POST /v1/rulings does not accept it: .*no players"),
        ("```sh\nfalse\n```\n", r"bad\.md:1: it fails"),
        ("```sh\ncurl --proxy x http://127.0.0.1:1/\n```\n", r"does not know --proxy"),
        ("```sh\nmake tea\n```\n", "there is no target tea"),
        (
            "```sh\nexport A=1\n```\n```python\nimport os\nprint(os.environ['A'])\n```\n```text\n2\n```\n",
            "do not say '2'",
        ),
        ("<!-- answers 404 -->\n```sh\ncurl -s http://127.0.0.1:8031/v1\n```\n", None),
        ("<!-- answers 404 -->\n```sh\ncurl -s http://127.0.0.1:8031/health/live\n```\n", "not answered by 404"),
    ],
)
def test_a_false_page_is_found_out(page, why, tmp_path):
    path = tmp_path / "bad.md"
    path.write_text(page)
    with World(tmp_path) as world:
        if why is None:
            walk(list(blocks(path)), world)
        else:
            with pytest.raises(pytest.fail.Exception, match=why):
                walk(list(blocks(path)), world)


def test_comments_say_how_blocks_are_taken(tmp_path):
    path = tmp_path / "page.md"
    path.write_text(
        "<!-- not run: it\nis dear -->\n```sh\na\n```\n- b:\n\n  <!-- file: c -->\n  ```toml\n  d = 1\n  ```\n"
    )
    assert [(each.line, each.kind, each.says, each.text) for each in blocks(path)] == [
        (3, "not run", "it is dear", "a\n"),
        (9, "file", "c", "d = 1\n"),
    ]
