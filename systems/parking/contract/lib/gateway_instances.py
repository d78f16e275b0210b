"""Several instances behind the gateway: recorders that it is told of by its variables, ones that
nobody reaches, and ones that are at the registry.
"""

import socket
from collections.abc import Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager, suppress
from threading import Event, Thread
from types import TracebackType
from typing import Final, Self

from loadstone.contract.expect import expect
from loadstone.contract.faults import ServiceFault
from loadstone.contract.scripts import Script
from loadstone.contract.subject import Subject
from loadstone.contract.upstream import RecordingUpstream

from .gateway_service import get, wait_for_status
from .objects import expect_status
from .registry_requests import (
    Instance,
    Registry,
    deregister,
    instance,
    registered,
    renew,
)

WELL_SECONDS: Final = 60.0
"""Until a gateway that was just started serves."""
WARM_REQUESTS: Final = 30
RENEWAL_SECONDS: Final = 1.0

_ENOUGH_TO_FILL = 4
_QUEUE = 64


@contextmanager
def recorders(subject: Subject, count: int) -> Iterator[tuple[RecordingUpstream, ...]]:
    """So many instances of the service, which speak as the recording upstream does, and record.

    What went wrong in their scripts is raised behind the block, and what they saw against HTTP/2.
    """
    upstream = subject.upstream
    with ExitStack() as opened:
        made = tuple(
            opened.enter_context(RecordingUpstream(upstream.protocol, upstream.material))
            for _ in range(count)
        )
        try:
            yield made
        finally:
            for each in made:
                if each.script_errors:
                    raise each.script_errors[0]
        for each in made:
            expect(not each.faults, f"what an instance received is {each.faults[:1]}")


def static(*authorities: str, scheme: str) -> dict[str, str]:
    """The variables by which the gateway is told of these instances."""
    urls = ",".join(f"{scheme}://{each}" for each in authorities)
    return {"REGISTRY": "static", "STATIC_INSTANCES": f"users={urls}"}


@contextmanager
def gateway_before(
    subject: Subject,
    instances: Sequence[RecordingUpstream],
    variables: Mapping[str, str] | None = None,
) -> Iterator[Subject]:
    """A gateway of its own before these instances, which it serves already and has met before."""
    scheme = subject.upstream_protocol.scheme
    told = static(*(each.authority for each in instances), scheme=scheme)
    with subject.stand.restarted({**told, **(variables or {})}, unready=True) as other:
        warm(other, "before these instances")
        forget(instances)
        yield other


def warm(subject: Subject, when: str) -> None:
    """Expect that a gateway that was just started serves, and ask it some more times."""
    wait_for_status(subject, 200, WELL_SECONDS, when)
    for _ in range(WARM_REQUESTS):
        expect_status(get(subject), 200, f"a request {when}")


def forget(instances: Sequence[RecordingUpstream]) -> None:
    """Forget what reached them, and let them answer by echo."""
    for each in instances:
        each.forget()


def answer_all(instances: Sequence[RecordingUpstream], script: Script) -> None:
    """Forget what reached them, and let them answer by a script."""
    for each in instances:
        each.forget()
        each.answer_with(script)


def arrived(instances: Sequence[RecordingUpstream]) -> list[int]:
    """How many requests reached each of them."""
    return [len(each.exchanges) for each in instances]


@contextmanager
def refusing() -> Iterator[str]:
    """Host and port at which every connection is refused, and which nobody else gets."""
    with socket.socket() as reserved:
        reserved.bind(("127.0.0.1", 0))
        yield f"127.0.0.1:{reserved.getsockname()[1]}"


@contextmanager
def unreachable() -> Iterator[str]:
    """Host and port to which no connection is made, and none is refused.

    Its queue of connections is full, and nobody takes one out: the kernel drops what else comes.
    """
    with socket.socket() as listener, ExitStack() as opened:
        listener.bind(("127.0.0.1", 0))
        listener.listen(0)
        address = listener.getsockname()
        for _ in range(_ENOUGH_TO_FILL):
            filler = opened.enter_context(socket.socket())
            filler.setblocking(False)
            filler.connect_ex(address)  # the first ones are taken, the others wait as well
        yield f"127.0.0.1:{address[1]}"


@contextmanager
def deaf() -> Iterator[str]:
    """Host and port at which connections are made, and nobody ever says a word."""
    with socket.socket() as listener:
        listener.bind(("127.0.0.1", 0))
        listener.listen(_QUEUE)
        yield f"127.0.0.1:{listener.getsockname()[1]}"


def instance_at(recorder: RecordingUpstream) -> Instance:
    """A recorder as an instance that can be registered."""
    port = int(recorder.authority.rpartition(":")[2])
    return instance(port, secure=recorder.protocol.is_tls)


class Registered:
    """An instance that is at a registry for the length of a block, and renews its lease."""

    def __init__(self, registry: Registry, recorder: RecordingUpstream) -> None:
        self.instance = instance_at(recorder)
        self._registry = registry
        self._is_silent = Event()
        self._renewing = Thread(target=self._renew, daemon=True)

    def __enter__(self) -> Self:
        """Register it."""
        registered(self._registry, self.instance)
        self._renewing.start()
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        """Take it out."""
        self.leave()

    def leave(self) -> None:
        """Send no heartbeats any more, and deregister; it may be gone already."""
        self.fall_silent()
        with suppress(OSError, ServiceFault):
            deregister(self._registry, self.instance)

    def fall_silent(self) -> None:
        """Send no heartbeats any more, as a process that was killed."""
        self._is_silent.set()
        self._renewing.join()

    def _renew(self) -> None:
        while not self._is_silent.wait(RENEWAL_SECONDS):
            with suppress(OSError, ServiceFault, AssertionError):
                if renew(self._registry, self.instance).status == 404:
                    registered(self._registry, self.instance)
