"""What the lab does to a system while it is loaded: a process ended, one more started, a part frozen or
taken away for a while.
"""

from typing import Literal

from pydantic import Field

from loadstone.frozen import Frozen

FaultKind = Literal["kill", "remove", "add", "freeze", "stop"]
"""`kill`: a process of a service ends at once, for good. `remove`: it is told to end, and does so.
`add`: a service gets one more process. `freeze`: a process or a dependency does nothing for a while,
with its connections open. `stop`: a dependency ends in order, and is started again."""

ENDING: frozenset[FaultKind] = frozenset({"kill", "remove"})
"""Those behind which a process is gone for good."""
LASTING: frozenset[FaultKind] = frozenset({"freeze", "stop"})
"""Those that are over after a while."""


class Fault(Frozen):
    """One of them."""

    fault: FaultKind
    """What is done."""
    part: str
    """To what: a process by its name (`users`, `users.2`), a service for `add`, or a dependency."""
    at_ns: int = Field(ge=0)
    """When, since the window began."""
    for_ns: int | None = Field(default=None, gt=0)
    """How long it lasts; none of one that does not end."""

    @property
    def end_ns(self) -> int:
        """When it is over, or done, since the window began."""
        return self.at_ns + (self.for_ns or 0)

    @property
    def text(self) -> str:
        """`users.2 is killed`, `database is frozen`."""
        return f"{self.part} {_DONE[self.fault]}"

    def in_shorter_time(self, share: float) -> "Fault":
        """The same in a load whose window is so much shorter."""
        for_ns = None if self.for_ns is None else max(1, round(self.for_ns * share))
        return self.model_copy(update={"at_ns": round(self.at_ns * share), "for_ns": for_ns})


_DONE: dict[FaultKind, str] = {
    "kill": "is killed",
    "remove": "is told to end",
    "add": "gets one more process",
    "freeze": "is frozen",
    "stop": "is stopped",
}


def service_of(part: str) -> str:
    """The service of a process, by its name: no service's own name has a dot."""
    return part.partition(".")[0]
