"""Parting: how a connection comes to its end, and what its client is told before.

The internals of uvicorn that this leans on are listed in `guard`.
"""

from typing import Any

from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol

from api.arriving import BROKEN_OFF
from api.cycle import ANSWERED, Cycle
from api.problems import OVERLOADED, Fault
from api.refusals import refusal
from api.tracing import incoming_ids, log_cut_off, new_request_id
from api.traffic import Traffic

IDLE, HEAD, BODY, OVER = range(4)
"""What is expected of a connection: a request, the rest of its head, the rest of its body, or nothing more."""
FAREWELL = 2
"""Seconds for a client to read the last answer before its connection is cut, if it sends nothing more."""
LONGEST_FAREWELL = 10
"""Seconds for a client that goes on sending."""
_MOST_IGNORED = 64_000_000
"""Bytes that are thrown away after the last answer: a close would overtake it as long as there are any."""


class Parting(HttpToolsProtocol):
    """A connection that ends in such a way that its client gets the last answer."""

    def __init__(self, traffic: Traffic, **given: Any) -> None:  # noqa: ANN401 - what Uvicorn gives a protocol
        super().__init__(**given)
        self._traffic = traffic
        self._cycle: Cycle = ANSWERED
        """The request that was read last, or is being read."""
        self.url = b""
        self._stage = IDLE
        self._since = self._last = self.loop.time()
        """When the stage began, and when anything came, or in a stream went."""
        self._rests_since: float | None = None
        """When the last answer had gone, if nothing has come since."""
        self._wire = 0
        """Bytes since the stage began, or since the last of a body; those that came with its beginning left out."""

    def leave(self) -> None:
        """Close the connection so that the client can read its answers, though more may have come that nobody takes."""
        self._half_close()
        self.flow.resume_reading()

    def _is_free(self) -> bool:
        """Return whether no answer is under way, or due."""
        return self._cycle.is_complete

    def _refuse(self, fault: Fault) -> None:
        """Answer with a problem and close. If an answer is under way, the application is told to end the request."""
        if self._is_free():
            self._say_farewell(fault, log=True)
            return
        if self._stage == BODY:
            fault.headers["Connection"] = "close"
            self.scope[BROKEN_OFF] = fault  # type: ignore[literal-required] # a key of ours
            self._cycle.wake()
        self._end_after_answers()

    def _ignore(self, data: bytes) -> None:
        """Throw away what comes after the end; but there is an end to that, too."""
        self._last = self.loop.time()
        self._wire += len(data)
        if self._wire > _MOST_IGNORED:
            if self._is_free():
                self.transport.abort()
            else:
                self.flow.pause_reading()

    def _end_after_answers(self) -> None:
        """Take nothing more, and close when what was taken is answered."""
        self._stage, self._since, self._wire = OVER, self._last, 0
        self._cycle.is_last = True

    def _say_farewell(self, fault: Fault, *, log: bool = False) -> None:
        """Send a problem as the last thing."""
        fault.headers["Connection"] = "close"
        identity = self._tell(fault)
        if log:
            log_cut_off(identity, fault.kind.status)
        self._rests_since = None
        self._half_close()

    def _half_close(self) -> None:
        """Send nothing more; the client gets time to read the last answer, since a close may overtake it."""
        self._since = self._last = self.loop.time()
        self._stage, self._wire = OVER, 0
        if self.transport.can_write_eof():
            self.transport.write_eof()

    def _shed(self) -> bool:
        """Turn a request away; return False if it is one that is answered all the same."""
        is_ending = self._traffic.is_ending
        if self.url.startswith(b"/health/") if not is_ending else not self.url.startswith(b"/health/ready"):
            return False
        self._traffic.requests_turned_away += 1
        self._cycle = ANSWERED
        detail = "The service is about to stop." if is_ending else "There are too many requests."
        self._tell(Fault(OVERLOADED, detail, headers={"Retry-After": "1"}))
        if is_ending or not self.parser.should_keep_alive():
            self.leave()
        else:
            self._rest()
        return True

    def _tell(self, fault: Fault) -> str:
        """Send a problem, and count it; return the id of the request."""
        headers = self.headers or ()
        identity = incoming_ids(headers)[0] or new_request_id()
        # Without an address the parser has not come to a method, and names its first one.
        method = self.parser.get_method().decode("latin-1") if self.url else ""
        self._traffic.tallies.count_answer("", method, fault.kind.status, 0)
        cors = self._traffic.cors
        more = cors.headers_for(dict(headers).get(b"origin", b"")) if cors else ()
        self.transport.write(refusal(fault, identity, (*self.server_state.default_headers, *more)))
        return identity

    def _rest(self) -> None:
        """Wait for the next request."""
        if self._rests_since is None:
            self._rests_since = self.loop.time()

    def _close_if_free(self) -> None:
        if self._is_free():
            self.transport.close()
