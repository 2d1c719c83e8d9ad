"""jq, as far as the pages use it: `jq [-r] .a.b[0]` of every JSON value in standard input."""

import json
import re
import sys

arguments = [word for word in sys.argv[1:] if word != "-r"]
if len(arguments) != 1 or not re.fullmatch(r"(\.[a-z_0-9]+|\.?\[[0-9]+\])+|\.", arguments[0]):
    sys.exit(f"jq: the pages' jq does not know {' '.join(sys.argv[1:])}")
decoder, rest = json.JSONDecoder(), sys.stdin.read().strip()
while rest:
    value, end = decoder.raw_decode(rest)
    rest = rest[end:].lstrip()
    for name, place in re.findall(r"\.([a-z_0-9]+)|\[([0-9]+)\]", arguments[0]):
        value = value[name] if name else value[int(place)]
    print(value if "-r" in sys.argv and isinstance(value, str) else json.dumps(value, ensure_ascii=False))  # noqa: T201 - what it is for
