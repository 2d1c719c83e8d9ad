"""Patience: how long a connection may keep the service waiting before it is cut off.

The internals of uvicorn that this leans on are listed in `guard`.
"""

from typing import Any

from api.backlog import Backlog
from api.parting import BODY, FAREWELL, LONGEST_FAREWELL, OVER, Parting
from api.problems import TOO_SLOW, Fault
from api.traffic import Traffic


class Patience(Parting):
    """A connection that is cut off when it pauses for too long."""

    def __init__(self, traffic: Traffic, **given: Any) -> None:  # noqa: ANN401 - what Uvicorn gives a protocol
        super().__init__(traffic, **given)
        self._limits = traffic.limits
        self._body = 0
        """Bytes of the body, without its framing."""
        self._counted = (0.0, 0)
        """From when on the rate of the body is counted, and how much of it there was then."""
        self._is_stream = False
        self._backlog = Backlog()

    def resume_writing(self) -> None:
        """Note that the client has read on."""
        self._backlog.clear()
        super().resume_writing()

    def stream(self) -> None:
        """Note that the request is a stream, and that it has just gone on."""
        self._is_stream = True
        self._last = self.loop.time()
        self._backlog.clear()

    def check(self, now: float) -> None:
        """Cut the connection off if it has kept the service waiting for too long."""
        limits = self._limits
        patience = limits.stream_seconds if self._is_stream else limits.answer_seconds
        if self._backlog.is_stuck(self.transport, now, patience, limits.body_rate):
            self.transport.abort()
        elif self._stage == OVER:
            is_sent = self._is_free() and not self.transport.get_write_buffer_size()
            farewell = limits.rest_seconds if self._traffic.is_ending else FAREWELL
            if is_sent and (now - self._last >= farewell or now - self._since >= LONGEST_FAREWELL):
                self.transport.abort()
        elif self._rests_since is not None:
            if now - self._rests_since >= limits.idle_seconds:
                self.transport.close()
        elif self._stage == BODY:
            if self._pauses(now):
                self._refuse(Fault(TOO_SLOW, "The rest of the body did not come.", headers={"Connection": "close"}))
        elif self._is_free() and now - self._since >= limits.head_seconds:
            self._refuse(Fault(TOO_SLOW, "The request did not come, or not all of its headers."))

    def _pauses(self, now: float) -> bool:
        """Return whether a body is waited for in vain. Nothing can come while the application does not take it."""
        limits = self._limits
        if self._is_stream:
            return now - self._last >= limits.stream_seconds
        since, before = self._counted
        if self.flow.read_paused:
            self._last, self._counted = now, (now, self._body)
            return False
        if now - since >= limits.body_seconds:
            self._counted = (now, self._body)
            return self._body - before < limits.body_rate * limits.body_seconds
        return now - self._last >= limits.body_seconds
