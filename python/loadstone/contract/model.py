"""Contracts and their results as values. No input, no output."""

from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass, field
from typing import Literal

from loadstone.contract.client import Answer
from loadstone.contract.subject import Subject
from loadstone.frozen import Frozen
from loadstone.study.values.model import Operation, Protocol

Spoken = Literal["http/1.1", "http/2", "tls"] | tuple[Protocol, ...] | None
"""Which protocols of a leg a check is about: those that speak this, these, or all."""


def spoken(condition: Spoken) -> frozenset[Protocol]:
    """Return the protocols that a condition names. Raises ValueError where it names none."""
    if condition is None:
        return frozenset(Protocol)
    if isinstance(condition, tuple):
        if not condition:
            raise ValueError("a check that is about no protocol is never held")
        return frozenset(condition)
    if condition == "tls":
        return frozenset(each for each in Protocol if each.is_tls)
    return frozenset(each for each in Protocol if each.is_http2 == (condition == "http/2"))


class CheckResult(Frozen):
    """What became of one check."""

    clause: str
    title: str
    state: Literal["passed", "failed", "deviates", "skipped", "error"]
    """A check that deviates failed, as its service is known to. One in error is broken itself, and says
    nothing of the service.
    """
    message: str = ""
    """What was seen, why it was skipped, or where the check broke; empty where it passed."""


class SampleResults(Frozen):
    """What became of the responses that the engine kept."""

    checked: int
    """Samples that were held against the contract."""
    failed: tuple[str, ...]
    """`CLAUSE: what was seen`, with operation and time, for each that did not hold."""
    not_held: tuple[str, ...] = ()
    """`CLAUSE: operation: why` for each operation of which answers could not be held."""
    deviated: int = 0
    """Checks of them that did not hold, as was declared."""


@dataclass(frozen=True)
class Sample:
    """One response that the engine kept under load."""

    operation: Operation
    at_ns: int
    """Since the load began."""
    status: int
    headers: tuple[tuple[str, str], ...]
    body: bytes
    """What was kept of it."""
    body_bytes: int
    """Its full size."""
    truncated: bool

    @property
    def answer(self) -> Answer:
        """What was kept, as checks hold the answers that they ask for; its first line is not kept."""
        return Answer("", self.headers, self.status, self.body)


@dataclass(frozen=True)
class ContractCheck:
    """One check: a clause, and a function that raises AssertionError where the clause is broken."""

    clause: str
    title: str
    quick: bool
    needs_upstream: bool
    operation: str | None
    """The operation it is about; none: the service as a whole."""
    protocols: Mapping[str, frozenset[Protocol]]
    """The protocols it is about, by leg."""
    function: Callable[[Subject], None]
    needs_stand: bool = False
    service: str | None = None
    """The service that it is about; none: the system's entry."""
    seconds: float | None = None
    """What it may take; none: as long as any other."""


@dataclass(frozen=True)
class SampleCheck:
    """One check of a sampled response."""

    clause: str
    title: str
    operation: str | None
    """The operation whose responses it is about; none: all of them."""
    function: Callable[[Sample], None]
    """Raises AssertionError where the clause is broken, NotHeld where that cannot be told."""
    otherwise: Mapping[int, Callable[[Sample], None]] = field(default_factory=dict)
    """What answers of these statuses are held to in its place: failures that the contract allows."""
    one_for_all: bool = False
    """Whether the first answer of an operation that fails stands for all of it, with their number."""


@dataclass(frozen=True)
class Contract:
    """Every check of a system, in the order of its files and of the text in them."""

    checks: tuple[ContractCheck, ...]
    sample_checks: tuple[SampleCheck, ...]

    def about(self, service: str | None) -> "Contract":
        """The checks about a service alone; none: about the system's entry, with its samples."""
        checks = tuple(each for each in self.checks if each.service == service)
        return Contract(checks, self.sample_checks if service is None else ())

    def of(self, clauses: Collection[str]) -> "Contract":
        """The checks of these clauses alone."""
        return Contract(
            tuple(each for each in self.checks if each.clause in clauses),
            tuple(each for each in self.sample_checks if each.clause in clauses),
        )
