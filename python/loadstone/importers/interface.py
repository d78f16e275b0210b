"""What the reader of a format gives: each request, and at its end the rest of what the file says."""

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Literal, NamedTuple

from loadstone.metrics.outcomes import Outcome
from loadstone.results.imported_from import IterationFacts, ToolCheckFacts
from loadstone.results.load_facts import SpokenFacts

Arrivals = Literal["users", "rate"]
Progress = Callable[[int, int], None]
"""Called now and then with the bytes that were read, and those of the whole file."""


class Request(NamedTuple):
    """One request; a time that the format does not tell is none."""

    operation: str
    """Its name, as `names.py` makes it."""
    done_ns: int
    """When it ended, since 1970; as finely as the format tells."""
    outcome: Outcome
    response_ns: int | None
    """From the time at which its user asked to its end, as far as the format tells it."""
    service_ns: int | None
    """From the time at which it was written to its end."""
    first_byte_ns: int | None
    """From the time at which it was written to the first byte of the answer."""
    error: str
    """What the tool said of it; empty for nothing."""


OnRequest = Callable[[Request], None]
"""Called with each request of the load as it is read."""


@dataclass(frozen=True)
class FileFacts:
    """What a file says beside its requests and the number of its users."""

    arrivals: Arrivals
    iterations: IterationFacts | None
    spoken: SpokenFacts | None
    checks: dict[str, ToolCheckFacts] = field(default_factory=dict)
    contradicting_times: int = 0
    absent: dict[str, str] = field(default_factory=dict)
