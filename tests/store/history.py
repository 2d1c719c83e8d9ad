"""What clients were told, to be compared with what is in the file afterwards."""

from collections.abc import Iterable, Iterator
from threading import Event, Lock, Thread
from time import monotonic

from tests.store.serving import Answer, Client


class History:
    """What became of each request. Only what was acknowledged has to be found again."""

    def __init__(self) -> None:
        self.acknowledged: set[str] = set()
        self.refused = 0
        self.unknown = 0
        self.faults: list[Answer] = []
        """Answers with a 5xx status."""
        self.seconds: list[float] = []
        """For how long each answer was waited for."""

    def note(self, answer: Answer | None) -> None:
        """Note an answer, or that there was none."""
        if answer is None:
            self.unknown += 1
        elif answer.status in {200, 201}:
            self.acknowledged.add(answer.value["replay"])
        else:
            self.refused += 1
            if answer.status >= 500:
                self.faults.append(answer)

    def lost(self, found: Iterable[str]) -> set[str]:
        """Return what was acknowledged and is not among what is found."""
        return self.acknowledged.difference(found)


class Load:
    """Clients that store different hands, each as soon as its last one is answered, until the service is gone."""

    def __init__(self, ports: Iterable[int], clients: int, bodies: Iterator[bytes]) -> None:
        self.history = History()
        self.stopping = Event()
        self._bodies = bodies
        self._lock = Lock()
        self._threads = [Thread(target=self._run, args=(port,)) for port in ports for _ in range(clients)]

    def _run(self, port: int) -> None:
        try:
            with Client(port) as client:
                while not self.stopping.is_set():
                    with self._lock:
                        body = next(self._bodies)
                    self._ask(client, body)
        except OSError:
            pass  # the service is gone

    def _ask(self, client: Client, body: bytes) -> None:
        answer, began = None, monotonic()
        try:
            answer = client.store(body)
        finally:
            with self._lock:
                self.history.note(answer)
                self.history.seconds.append(monotonic() - began)

    def start(self) -> None:
        for thread in self._threads:
            thread.start()

    def join(self) -> History:
        """Return what was told, once every client has stopped."""
        for thread in self._threads:
            thread.join()
        return self.history
