"""What every generator is asked for, and what it is understood to have said."""

from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Protocol

from benchmarks.engine.generator_run import Command

QUANTILES = (0.5, 0.75, 0.9, 0.95, 0.99, 0.999)


@dataclass(frozen=True)
class Load:
    """One load on loopback, with GET of the root."""

    address: str
    protocol: str
    """h1c, h1, h2c or h2."""
    connections: int
    seconds: int
    streams: int = 1
    rate: float | None = None
    """Requests a second; none is as fast as they are answered."""
    poisson: bool = False
    timeout_seconds: int = 30
    event_loop: str = "auto"
    real_time: bool = False
    """Whether the engine asks to run before what shares its CPU."""
    seed: int = 1

    @property
    def url(self) -> str:
        """The URL of the root."""
        scheme = "https" if self.protocol in ("h1", "h2") else "http"
        return f"{scheme}://{self.address}/"


@dataclass(frozen=True)
class Observed:
    """What a generator says of its load."""

    requests: int
    """Answered with the expected status."""
    failures: dict[str, int] = field(default_factory=dict)
    """Every other thing that it counts, in its own words."""
    quantiles_ms: dict[float, float] = field(default_factory=dict)
    """Of response times, as far as it reports them."""
    highest_ms: float | None = None
    notes: tuple[str, ...] = ()
    """Doubts that it raises itself."""
    details: dict[str, Any] = field(default_factory=dict)


class Generator(Protocol):
    """A load generator: how it is called, and how its output is read."""

    @property
    def name(self) -> str:
        """How the tables call it."""
        ...

    def command(self, load: Load, directory: Path) -> Command:
        """Return the command for a load; it may write files into the folder first."""
        ...

    def read(self, output: str, directory: Path) -> Observed:
        """Read the output of a command that has ended well."""
        ...
