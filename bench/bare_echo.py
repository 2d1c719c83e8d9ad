"""The floor: an ASGI application that only decodes a ruling request with msgspec and encodes it again."""

import msgspec
from litestar.types import Receive, Scope, Send

from api.rulings import RulingRequest

_decode = msgspec.json.Decoder(RulingRequest).decode
_encode = msgspec.json.Encoder().encode


def echo(body: bytes) -> bytes:
    """Return the body as it is encoded after decoding."""
    return _encode(_decode(body))


async def app(_scope: Scope, receive: Receive, send: Send) -> None:
    """Answer a request with its own body."""
    parts: list[bytes] = []
    more = True
    while more:
        message = await receive()
        parts.append(message["body"])  # type: ignore[typeddict-item] # only requests come here
        more = message["more_body"]  # type: ignore[typeddict-item] # likewise
    content = echo(b"".join(parts))
    headers = [(b"content-type", b"application/json"), (b"content-length", b"%d" % len(content))]
    await send({"type": "http.response.start", "status": 200, "headers": headers})
    await send({"type": "http.response.body", "body": content, "more_body": False})
