"""What the figures of a cell are about: all of its load, one group, or an operation."""

from typing import Literal, NamedTuple

from loadstone.results.parts import Part
from loadstone.results.window import WindowedRun

What = Literal["all", "group", "operation", "over groups"]
"""`over groups`: an operation that several groups perform, all of them together."""

_NOUNS: dict[What, str] = {
    "all": "load",
    "group": "group",
    "operation": "operation",
    "over groups": "operation",
}


class About(NamedTuple):
    """All of a load, or a part of it that every run of a cell should have."""

    what: What
    name: str = ""

    @property
    def noun(self) -> str:
        """What to call it."""
        return _NOUNS[self.what]

    def is_in(self, run: WindowedRun) -> bool:
        """Whether the run has it."""
        return self.what == "all" or self.part(run) is not None

    def part(self, run: WindowedRun) -> Part | None:
        """Its requests in one run; none for all of them, and where the run has no such part."""
        match self.what:
            case "all":
                return None
            case "group":
                return run.groups.get(self.name)
            case "over groups":
                return run.over_groups.get(self.name)
            case "operation":
                known = self.name in run.record.operations
                return Part.operation(self.name) if known else None


ALL = About("all")
