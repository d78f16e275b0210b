"""What a finding is about: fields to look it up by, and the text that people read."""

from typing import Literal, Protocol

from loadstone.frozen import Frozen


class Subject(Frozen):
    """What a finding is about. Names may hold hyphens, so nothing is read out of a text."""

    kind: Literal["study", "run", "arm", "comparison"]
    """All of a study, one run, one arm under one workload, or the comparisons of one question."""
    results: str | None = None
    """The results folder, where two are compared."""
    run: str | None = None
    """The run's id."""
    arm: str | None = None
    """The arm's id, or of the run's arm. Of two folders `<arm> of <folder>`, as in comparisons."""
    workload: str | None = None
    """The arm's or the run's workload."""
    question: str | None = None
    """The question whose comparisons it is about."""
    over_all: bool = False
    """Whether it is about the figures over all groups and operations together, and not about those of
    each of them."""

    @property
    def name(self) -> str:
        """Without its kind: `001-go-closed`, `go/closed`; empty for the only study."""
        match self.kind:
            case "study":
                name = self.results
            case "run":
                name = self.run
            case "arm":
                name = f"{self.arm}/{self.workload}"
            case "comparison":
                name = self.question
        return name or ""

    def __str__(self) -> str:
        """With its kind: `run:001-go-closed`."""
        return f"{self.kind}:{self.name}" if self.name else self.kind


class RunOfArm(Protocol):
    """What a plan and a record both tell of a run."""

    @property
    def id(self) -> str:
        """The run's id."""
        ...

    @property
    def arm(self) -> str:
        """The arm's id."""
        ...

    @property
    def workload(self) -> str:
        """The workload's name."""
        ...


STUDY = Subject(kind="study")


def run(of: RunOfArm) -> Subject:
    """One run."""
    return Subject(kind="run", run=of.id, arm=of.arm, workload=of.workload)


def arm(arm_id: str, workload: str, *, over_all: bool = False) -> Subject:
    """One arm under one workload."""
    return Subject(kind="arm", arm=arm_id, workload=workload, over_all=over_all)


def comparison(question: str) -> Subject:
    """The comparisons of one question."""
    return Subject(kind="comparison", question=question)
