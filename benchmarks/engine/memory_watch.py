"""The resident memory of a generator, second by second."""

from dataclasses import dataclass, field

from benchmarks.engine.cpu import resident_bytes
from benchmarks.engine.generator_run import Disturbance

MEGABYTE = 1e6


@dataclass
class MemoryWatch:
    """Looks once a second; its disturbances disturb nothing."""

    seconds: int
    bytes_by_second: list[int] = field(default_factory=list)

    def looks(self) -> list[Disturbance]:
        """Return one look at each full second but the last, when the generator may be ending."""
        return [Disturbance(second, self._look) for second in range(1, self.seconds)]

    def _look(self, pid: int) -> None:
        self.bytes_by_second.append(resident_bytes(pid))

    def growth_bytes(self, since_share: float) -> int | None:
        """Return how much more the end needs than the moment at this share of the time."""
        seen = self.bytes_by_second
        return seen[-1] - seen[int(len(seen) * since_share)] if seen else None
