"""Contracts and their results as values. No input, no output."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Literal

from loadstone.contract.subject import Subject
from loadstone.frozen import Frozen
from loadstone.study.model import Operation


class CheckResult(Frozen):
    """What became of one check."""

    clause: str
    title: str
    state: Literal["passed", "failed", "skipped"]
    message: str = ""
    """What was seen, or why it was skipped; empty where it passed."""


class SampleResults(Frozen):
    """What became of the responses that the engine kept."""

    checked: int
    """Samples that were held against the contract."""
    failed: tuple[str, ...]
    """`CLAUSE: what was seen`, with operation and time, for each that did not hold."""
    torn: bool = False
    """The last line was incomplete, as an engine that was killed leaves it; it was not checked."""


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


@dataclass(frozen=True)
class ContractCheck:
    """One check: the clause it holds, and a function that raises AssertionError."""

    clause: str
    title: str
    quick: bool
    needs_upstream: bool
    function: Callable[[Subject], None]


@dataclass(frozen=True)
class SampleCheck:
    """One check of a sampled response."""

    clause: str
    title: str
    function: Callable[[Sample], None]


@dataclass(frozen=True)
class Contract:
    """Every check of a system, in the order of its files and of the text in them."""

    checks: tuple[ContractCheck, ...]
    sample_checks: tuple[SampleCheck, ...]
