"""The clock of a service that stands still now and then; closed users stand still with it."""

from dataclasses import dataclass

import numpy as np

from loadstone.simulate.arrivals import SECOND_NS
from loadstone.simulate.behaviour import MILLISECOND_NS, Behaviour
from loadstone.simulate.requests import Times


@dataclass(frozen=True, eq=False)
class Stills:
    """When a service stands still."""

    begins_ns: Times
    """Of its stills, by a clock that does not stop."""
    length_ns: int

    @classmethod
    def of(cls, behaviour: Behaviour, load_ns: int) -> "Stills":
        """Those of a behaviour over a load; none where it never stands still."""
        if not behaviour.still_ms:
            return cls(np.zeros(0, dtype=np.int64), 0)
        every_ns = behaviour.still_every_s * SECOND_NS
        begins = np.arange(every_ns / 2, load_ns, every_ns).astype(np.int64)
        return cls(begins, round(behaviour.still_ms * MILLISECOND_NS))

    def passed(self, worked_ns: Times) -> Times:
        """Return the time at which the service has worked for so long."""
        worked_at = self.begins_ns - self.length_ns * np.arange(len(self.begins_ns))
        return worked_ns + self.length_ns * np.searchsorted(worked_at, worked_ns)

    def passed_at(self, worked_ns: int) -> int:
        """The same of one moment."""
        return int(self.passed(np.array([worked_ns]))[0]) if self.length_ns else worked_ns

    def worked(self, passed_ns: Times) -> Times:
        """Return for how long the service has worked until a time."""
        since = passed_ns[:, None] - self.begins_ns[None, :]
        stood: Times = np.clip(since, 0, self.length_ns).sum(axis=1)
        return passed_ns - stood
