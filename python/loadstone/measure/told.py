"""What a site tells of its work, as data: the terminal shows it, and another machine sends it as lines.

Whether a run is done is told only behind its record.
"""

from collections.abc import Callable
from typing import Annotated, Any, Literal

from pydantic import Field

from loadstone.frozen import Frozen
from loadstone.results.record import CheckFacts, Failure, RunRecord


class _OfSite(Frozen):
    site: str | None = None
    """The site that tells it; none of the only one."""


class Step(_OfSite):
    """Something that may take more than two seconds begins: a build, a contract."""

    told: Literal["step"] = "step"
    text: str


class RunBegan(_OfSite):
    """A run begins."""

    told: Literal["run-began"] = "run-began"
    run: str
    """Its id."""


class LoadSecond(_OfSite):
    """The engine's progress event of the last second of a load."""

    told: Literal["load-second"] = "load-second"
    run: str
    event: dict[str, Any]


class RunEnded(_OfSite):
    """A run has ended; its record is on disk."""

    told: Literal["run-ended"] = "run-ended"
    run: str
    status: Literal["completed", "failed", "interrupted"]
    failure: Failure | None = None
    broken: tuple[str, ...] = ()
    """Each hold of the contract that found something: how much, and the first of it."""

    @classmethod
    def of(cls, record: RunRecord) -> "RunEnded":
        """Return what is told of a record."""
        broken = tuple(_broken(each) for each in record.checks if each.failed)
        return cls(run=record.run.id, status=record.status, failure=record.failure, broken=broken)


def _broken(check: CheckFacts) -> str:
    held = "answers kept" if check.when == "samples" else f"checks {check.when} the load"
    return f"{len(check.failed)} of {check.checked} {held} break the contract: {check.failed[0]}"


class SiteLost(_OfSite):
    """A site is gone, and others do its blocks."""

    told: Literal["site-lost"] = "site-lost"
    reason: str
    block: int | None
    """What it had in hand."""


class RunsLost(_OfSite):
    """Finished runs of a block that is done again, whole, at another site."""

    told: Literal["runs-lost"] = "runs-lost"
    block: int
    runs: tuple[str, ...]
    """Their ids."""


Told = Annotated[
    Step | RunBegan | LoadSecond | RunEnded | SiteLost | RunsLost, Field(discriminator="told")
]

Tell = Callable[[Told], None]
"""Is told of each thing as it happens. Must not raise and must return at once."""
