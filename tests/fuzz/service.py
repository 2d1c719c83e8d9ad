"""The whole service in this process, spoken to in the bytes of HTTP, with all that it does about them.

The bytes go through the protocol that the server is set up with, as they would from a socket, to the application, and
what both make of them is kept.
"""

import asyncio
from contextlib import suppress
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, NamedTuple
from zlib import crc32

import uvicorn
from structlog.testing import capture_logs
from uvicorn.server import ServerState

from api.app import create_app
from api.resources import Resources
from api.serving import server_settings
from replays.records import record_of
from replays.store import Store
from tests.making.vectors import vectors

PATIENCE = 120
"""Seconds after which a request that has come whole counts as never answered."""
_CONNECTIONS_A_STORE = 1000
_PIECES = (None, None, None, None, None, 1000, 200, 7)
"""Lengths of the pieces that bytes come in, chosen by the bytes themselves; None: all at once."""
_LONGEST_IN_SMALL_PIECES = 2000


class Call:
    """One request that reached the application, and what was done with it."""

    def __init__(self, scope: dict[str, Any]) -> None:
        self.scope = scope
        self.body = b""
        self.messages: list[dict[str, Any]] = []
        self.error: BaseException | None = None
        self.is_gone = False
        """Whether the application was told that the client had gone away."""
        self.starves = False
        """Whether it waits for more of a body."""
        self._has_body = False

    async def answer(self, app: Any, receive: Any, send: Any, stirred: asyncio.Event) -> None:
        """Let the application answer, and keep what it receives and sends."""

        async def hear() -> Any:
            self.starves = not self._has_body
            stirred.set()
            message = await receive()
            self.starves = False
            self.body += message.get("body", b"")
            self._has_body = not message.get("more_body")
            self.is_gone = self.is_gone or message["type"] == "http.disconnect"
            return message

        async def say(message: Any) -> None:
            self.messages.append(message)
            await send(message)

        try:
            await app(self.scope, hear, say)
        except BaseException as error:
            self.error = error
            raise
        finally:
            stirred.set()


class Heard(NamedTuple):
    """What became of a connection."""

    calls: list[Call]
    output: bytes
    log: list[dict[str, Any]]
    protocol: type[asyncio.Protocol]


class _Transport(asyncio.Transport):
    """A connection of which nothing is real but what is written to it."""

    def __init__(self) -> None:
        super().__init__({"peername": ("127.0.0.1", 50031), "sockname": ("127.0.0.1", 8031)})
        self.written = bytearray()
        self._closes = False

    def write(self, data: Any) -> None:
        if not self._closes:
            self.written += data

    def close(self) -> None:
        self._closes = True

    abort = close
    write_eof = close

    def can_write_eof(self) -> bool:
        return True

    def is_closing(self) -> bool:
        return self._closes

    def is_reading(self) -> bool:
        return not self._closes

    def get_write_buffer_size(self) -> int:
        return 0

    def pause_reading(self) -> None:
        """Change nothing: what a client has sent is on its way."""

    resume_reading = pause_reading


class Service:
    """The service, with a store that has a few replays, and that is thrown away now and then."""

    def __init__(self) -> None:
        self._runner = asyncio.Runner()
        self._folder = TemporaryDirectory(prefix="thirtyone-fuzz-")
        self._store: Store | None = None
        self._connections = 0
        self._config = uvicorn.Config(
            self._answer, interface="asgi3", log_config=None, lifespan="off", **server_settings()
        )
        self._config.load()

    def close(self) -> None:
        """Leave nothing behind."""
        if self._store:
            self._store.close()
        self._runner.close()
        self._folder.cleanup()

    def hear(self, data: bytes) -> Heard:
        """Return what becomes of a connection over which these bytes come, and no more until the client leaves."""
        if self._connections % _CONNECTIONS_A_STORE == 0:
            self._begin_anew()
        self._connections += 1
        with capture_logs() as log:
            return self._runner.run(self._hear(data, log))

    def _begin_anew(self) -> None:
        if self._store:
            self._store.close()
        path = Path(self._folder.name, "replays.sqlite")
        for file in Path(self._folder.name).iterdir():
            file.unlink()
        self._store = Store(path)
        requests = [vector.request() for vector in vectors()]
        self._store.keep([record_of(request.hand, request.complete_rules()) for request in requests])
        self._app = create_app(Resources(self._store))

    async def _answer(self, scope: Any, receive: Any, send: Any) -> None:
        """Stand between the server and the application."""
        call = self._calls[asyncio.current_task()] = Call(scope)
        await call.answer(self._app, receive, send, self._stirred)

    async def _hear(self, data: bytes, log: list[dict[str, Any]]) -> Heard:
        self._calls: dict[asyncio.Task[None] | None, Call] = {}
        self._stirred = asyncio.Event()
        state, transport = ServerState(), _Transport()
        protocol: Any = self._config.http_protocol_class(
            config=self._config, server_state=state, app_state={}, _loop=asyncio.get_running_loop()
        )
        protocol.connection_made(transport)
        for piece in _pieces(data):
            if transport.is_closing():
                break
            protocol.data_received(piece)
            await asyncio.sleep(0)
        async with asyncio.timeout(PATIENCE):
            while self._is_busy(state):
                self._stirred.clear()
                await self._stirred.wait()
                await asyncio.sleep(0)
        protocol.eof_received()
        protocol.connection_lost(None)
        async with asyncio.timeout(PATIENCE):
            for task in list(state.tasks):
                with suppress(Exception):  # it is in its call
                    await task
        return Heard(list(self._calls.values()), bytes(transport.written), log, type(protocol))

    def _is_busy(self, state: ServerState) -> bool:
        """Return whether a request is being answered, and does not wait for the client."""
        calls = [self._calls.get(task) for task in state.tasks if not task.done()]
        return not all(call and call.starves for call in calls)


def _pieces(data: bytes) -> list[bytes]:
    length = _PIECES[crc32(data) % len(_PIECES)] or len(data) or 1
    if len(data) > _LONGEST_IN_SMALL_PIECES:
        length = max(length, 1000)
    return [data[begin : begin + length] for begin in range(0, len(data), length)]
