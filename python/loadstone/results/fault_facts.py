"""What the lab did to the system of a run while it was loaded."""

from pydantic import Field

from loadstone.frozen import Frozen
from loadstone.study.values.faults import FaultKind


class FaultFacts(Frozen):
    """One fault, with its times since the load began."""

    fault: FaultKind
    """What was done."""
    part: str
    """To what: a process by its name, a service that got one more, or a dependency."""
    process: str | None = None
    """The process that was started; none of another fault."""
    began_ns: int = Field(ge=0)
    """When the lab set about it."""
    done_ns: int | None = Field(default=None, ge=0)
    """When it was done: the process was gone, gave its first correct answer, did nothing any more. None
    where the load ended before."""
    ended_ns: int | None = Field(default=None, ge=0)
    """When it was over: the part went on, or accepted again; none of what does not end."""

    @property
    def over_ns(self) -> int:
        """From when on nothing more is done for it."""
        return max(self.began_ns, self.done_ns or 0, self.ended_ns or 0)

    @property
    def text(self) -> str:
        """`users.2 killed at 20.0 s`, `database frozen from 30.0 s to 35.0 s`."""
        began, done, ended = _at(self.began_ns), _at(self.done_ns), _at(self.ended_ns)
        match self.fault:
            case "kill":
                return f"{self.part} killed at {began}"
            case "remove":
                return f"{self.part} told to end at {began}, gone at {done}"
            case "add" if self.process is None:
                return f"one more {self.part} started at {began}, not ready when the load ended"
            case "add":
                return f"{self.process} started at {began}, ready at {done}"
            case "freeze":
                return f"{self.part} frozen from {began} to {ended}"
            case "stop":
                return f"{self.part} stopped from {began} to {ended}"


def _at(time_ns: int | None) -> str:
    return "the end" if time_ns is None else f"{time_ns / 1e9:.1f} s"
