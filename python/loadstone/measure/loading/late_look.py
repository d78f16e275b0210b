"""How far a load has come behind its window, where it goes on to look for a late step."""

from dataclasses import dataclass
from typing import TypedDict


class Looking(TypedDict):
    """A look that goes on; it goes from machine to machine as JSON."""

    done_ns: int
    lasts_ns: int


@dataclass
class LateLook:
    """A look behind a window whose begin is still to be told."""

    window_ns: int
    lasts_ns: int
    _from_ns: int | None = None

    def window_began(self, start_ns: int) -> None:
        """Take when the window began, since the load began."""
        self._from_ns = start_ns + self.window_ns

    def at(self, elapsed_ns: int) -> Looking | None:
        """Return how far it is at a time since the load began; none before."""
        if self._from_ns is None or elapsed_ns <= self._from_ns:
            return None
        return Looking(done_ns=elapsed_ns - self._from_ns, lasts_ns=self.lasts_ns)
