"""Stand-ins for the service `country`: scripts of the recording upstream, and what reached it."""

import time
from collections.abc import Callable, Iterable, Mapping
from threading import Event, Lock
from typing import Final
from urllib.parse import unquote

from loadstone.contract.exchange import Exchange, Reply
from loadstone.contract.expect import expect
from loadstone.contract.scripts import Script
from loadstone.contract.upstream import RecordingUpstream

from .service import JSON, compact, read_json

COUNTRIES: Final = {
    "WSO2Con": "Sri Lanka",
    "Strata": "UK",
    **dict.fromkeys(
        (
            *("QCon", "Google I/O", "MS Build", "Apple WWDC", "Oracle OpenWorld", "AWS re:Invent"),
            *("KubeCon", "DockerCon", "Red Hat Summit", "IBM Think", "Google Cloud Next"),
            "Microsoft Ignite",
        ),
        "USA",
    ),
}
"""Every conference that the service knows."""

BATCHES: Final = "/countries"
NOWHERE: Final = "Nowhere"

PATIENT: Final = {"COUNTRY_TIMEOUT_MS": "60000"}
"""Variables where the limit is not what a check is about: the first look-up of a cold JVM is slow."""

_HELD_SECONDS = 10.0
"""Until what is held back is let go although not all is there: a cold JVM is slow to begin."""


class Country:
    """A script that answers both routes as the service does, late if so told.

    Nothing is answered before `together` requests were there at the same time, or were waited for in
    vain. A name that is not known is held in Nowhere: a check says by a script of its own what is
    unknown.
    """

    def __init__(self, delay_seconds: float = 0.0, *, together: int = 1) -> None:
        self._delay_seconds, self._together = delay_seconds, together
        self._lock, self._now = Lock(), 0
        self._gathered = Event()
        self.peak = 0
        """The most requests that were unanswered at the same time."""
        self.arrivals: list[float] = []
        """When each was there, on the monotonic clock."""

    def __call__(self, exchange: Exchange, reply: Reply) -> None:
        """Answer one request."""
        with self._lock:
            self.arrivals.append(time.monotonic())
            self._now += 1
            self.peak = max(self.peak, self._now)
            if self._now >= self._together:
                self._gathered.set()
        self.wait_until_gathered()
        if self._delay_seconds:
            time.sleep(self._delay_seconds)
        body = _answer(exchange)
        with self._lock:
            # Before it is sent: the next request may be here before this line is left.
            self._now -= 1
        reply.answer(200, [JSON], compact(body))

    def wait_until_gathered(self) -> None:
        """Wait until as many requests as should be there together were, or were waited for in vain."""
        self._gathered.wait(_HELD_SECONDS)
        self._gathered.set()  # nobody else need wait for them


def held_until(gate: Event) -> Script:
    """As the service answers, but not before a gate is open; where it stays shut, late all the same."""
    country = Country()

    def answer(exchange: Exchange, reply: Reply) -> None:
        gate.wait(_HELD_SECONDS)
        country(exchange, reply)

    return answer


def first_then(first: Script, then: Script, is_first: Callable[[Exchange], bool]) -> Script:
    """One script for the requests that `is_first` names, another for all others."""

    def answer(exchange: Exchange, reply: Reply) -> None:
        (first if is_first(exchange) else then)(exchange, reply)

    return answer


def name_of(exchange: Exchange) -> str:
    """The name that a GET asks for, decoded."""
    return unquote(exchange.target.removeprefix("/conferences/").removesuffix("/country"))


def names_of(exchange: Exchange) -> list[str]:
    """The names of a batch. Raises AssertionError where it is none."""
    value = read_json(exchange.body)
    is_batch = isinstance(value, dict) and isinstance(value.get("names"), list)
    expect(is_batch, f"a batch is {exchange.body[:80]!r}")
    return list(value["names"])


def names_asked(upstream: RecordingUpstream) -> list[str]:
    """Every name that was looked up one by one, in order of arrival."""
    return [name_of(each) for each in upstream.exchanges if each.method == "GET"]


def with_countries(rows: Iterable[Mapping[str, str]]) -> list[dict[str, str]]:
    """The list that `with-country` makes of rows."""
    return [{"name": row["name"], "country": COUNTRIES.get(row["name"], NOWHERE)} for row in rows]


def _answer(exchange: Exchange) -> dict[str, object]:
    if exchange.method == "GET":
        return {"name": COUNTRIES.get(name_of(exchange), NOWHERE)}
    return {"countries": [COUNTRIES.get(each, NOWHERE) for each in names_of(exchange)]}
