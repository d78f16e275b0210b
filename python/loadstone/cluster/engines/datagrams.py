"""The time of another machine, by datagrams: who knows a key asks, and is told its wall clock.

A question is a key and a number, the answer this number and the time: it is shorter than the
question, so nobody can use it to send more to others than he sends himself.
"""

import socket
import struct
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass

from loadstone.cluster.clock_offset import clock_offset
from loadstone.errors import StepFailed
from loadstone.results.environment import ClockOffset

KEY_BYTES = 16
ROUND_TRIPS = 300
"""They found an offset to 0.2 us within some 30 ms, where each bounded it by 10 us."""
ANSWER_SECONDS = 0.2
"""For one answer, far more than any network that a load can be measured over."""
MOST_LOST = 20
"""Of these questions: with more, nothing answers there or much is lost."""

_QUESTION = struct.Struct(f">{KEY_BYTES}sQ")
_ANSWER = struct.Struct(">Qq")
_LEFT_BYTES = 64


def _socket_at(address: str, port: int) -> tuple[socket.socket, tuple[object, ...]]:
    family, *_, place = socket.getaddrinfo(address, port, type=socket.SOCK_DGRAM)[0]
    return socket.socket(family, socket.SOCK_DGRAM), place


@contextmanager
def telling_time(address: str, key: bytes) -> Iterator[int]:
    """Tell the wall clock of this machine to whoever knows the key, for the length of the block.

    Gives the port. Raises OSError where this machine does not have the address.
    """
    own, place = _socket_at(address, 0)
    with own:
        own.bind(place)
        ends = threading.Event()

        def answer() -> None:
            own.settimeout(ANSWER_SECONDS)
            while not ends.is_set():
                try:
                    question, asker = own.recvfrom(_LEFT_BYTES)
                    if len(question) != _QUESTION.size:
                        continue
                    known, number = _QUESTION.unpack(question)
                    if known == key:
                        own.sendto(_ANSWER.pack(number, time.time_ns()), asker)
                except OSError:  # nobody asked, or who asked is gone
                    continue

        thread = threading.Thread(target=answer, name="telling time", daemon=True)
        thread.start()
        try:
            yield int(own.getsockname()[1])
        finally:
            ends.set()
            thread.join()


@dataclass
class _Asking:
    """Asks one question after the other, and counts those that were lost."""

    own: socket.socket
    place: tuple[object, ...]
    key: bytes
    number: int = 0
    lost: int = 0

    def ask(self) -> int:
        """Return the time there. Raises TimeoutError where too many answers were lost."""
        while self.lost <= MOST_LOST:
            self.number += 1
            self.own.sendto(_QUESTION.pack(self.key, self.number), self.place)
            deadline = time.monotonic() + ANSWER_SECONDS
            while (left := deadline - time.monotonic()) > 0:
                self.own.settimeout(left)
                try:
                    answer = self.own.recv(_LEFT_BYTES)
                except OSError:  # none came, or the other side says that nobody listens
                    break
                if len(answer) == _ANSWER.size:
                    number, unix_ns = _ANSWER.unpack(answer)
                    if number == self.number:
                        return int(unix_ns)
            self.lost += 1
        raise TimeoutError


def time_there(address: str, port: int, key: bytes) -> ClockOffset:
    """Return how the wall clock of another machine lies to that of this one.

    Raises StepFailed('load').
    """
    try:
        own, place = _socket_at(address, port)
        with own:
            asking = _Asking(own, place, key)
            # One that was lost is asked again: its round trip is long, and so not the shortest.
            return clock_offset(asking.ask, round_trips=ROUND_TRIPS)
    except OSError as error:  # TimeoutError among them
        raise StepFailed(
            "load",
            f"{address} was asked for its time by UDP at port {port}, and of {MOST_LOST + 1} questions "
            f"no answer came ({error or 'timed out'}): let UDP through between the machines of a site",
        ) from error
