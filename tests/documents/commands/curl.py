"""curl, as far as the pages use it: every other option is an error, so that no page can need more than this.

The status of each answer is appended to the file that CURL_LOG names.
"""

import http.client
import os
import sys
from pathlib import Path
from urllib.parse import urlsplit

FLAGS = "sSNiIf"
TAKE_A_VALUE = {
    "-X": "method", "--request": "method", "-H": "headers", "--header": "headers", "-d": "data", "--data": "data",
    "--data-binary": "binary", "-T": "upload", "-o": "output", "-w": "write", "--max-time": "ignored",
}  # fmt: skip
LONG = {"--silent": "s", "--show-error": "S", "--no-buffer": "N", "--include": "i", "--head": "I", "--fail": "f"}


def parsed(arguments: list[str]) -> tuple[set[str], dict[str, list[str]], str]:
    """Return the flags, the options with their values, and the address."""
    flags, options, addresses = set(), {name: [] for name in TAKE_A_VALUE.values()}, []
    waiting = iter(arguments)
    for word in waiting:
        if word in LONG:
            flags.add(LONG[word])
        elif word in TAKE_A_VALUE:
            options[TAKE_A_VALUE[word]].append(next(waiting))
        elif word.startswith("-") and not word.startswith("--"):
            *letters, last = word[1:]
            for letter in (*letters, last):
                if letter in FLAGS:
                    flags.add(letter)
                elif letter == last and f"-{letter}" in TAKE_A_VALUE:
                    options[TAKE_A_VALUE[f"-{letter}"]].append(next(waiting))
                else:
                    sys.exit(f"curl: the pages' curl does not know {word}")
        elif word.startswith("-"):
            sys.exit(f"curl: the pages' curl does not know {word}")
        else:
            addresses.append(word)
    (address,) = addresses
    return flags, options, address


def content(word: str) -> bytes:
    """Return what an option for a body stands for: itself, or the file behind an @."""
    if not word.startswith("@"):
        return word.encode()
    return sys.stdin.buffer.read() if word == "@-" else Path(word[1:]).read_bytes()


def main() -> None:
    """Send the request and write the answer."""
    flags, options, address = parsed(sys.argv[1:])
    body, method, headers = None, "HEAD" if "I" in flags else "GET", {"Accept": "*/*", "User-Agent": "curl"}
    if options["data"]:
        body, method = b"&".join(map(content, options["data"])), "POST"
        headers["Content-Type"] = "application/x-www-form-urlencoded"
        if any(word.startswith("@") for word in options["data"]):
            body = body.replace(b"\n", b"").replace(b"\r", b"")
    if options["binary"]:
        body, method = content(options["binary"][0]), "POST"
        headers["Content-Type"] = "application/x-www-form-urlencoded"
    if options["upload"]:
        body, method = content("@" + options["upload"][0]), "PUT"
    for header in options["headers"]:
        name, _, value = header.partition(":")
        headers = {known: kept for known, kept in headers.items() if known.lower() != name.lower()}
        headers |= {name: value.strip()} if value.strip() else {}
    url = urlsplit(address)
    connection = http.client.HTTPConnection(url.hostname, url.port, timeout=30)
    connection.request(
        (options["method"] or [method])[-1], url.path + (f"?{url.query}" if url.query else ""), body, headers
    )
    answer = connection.getresponse()
    found = answer.read()
    with Path(os.environ["CURL_LOG"]).open("a", encoding="ascii") as log:
        log.write(f"{answer.status}\n")
    if "f" in flags and answer.status >= 400:
        sys.exit(22)
    head = f"HTTP/1.1 {answer.status} {answer.reason}\r\n" + "".join(f"{n}: {v}\r\n" for n, v in answer.getheaders())
    shown = (head.encode() + b"\r\n" if flags & {"i", "I"} else b"") + found
    if options["output"]:
        Path(options["output"][-1]).write_bytes(shown)
    else:
        sys.stdout.buffer.write(shown)
    for format_ in options["write"]:
        written = format_.replace("\\n", "\n").replace("%{http_code}", str(answer.status))
        if "%{" in written:
            sys.exit(f"curl: the pages' curl does not know {format_}")
        sys.stdout.write(written)


main()
