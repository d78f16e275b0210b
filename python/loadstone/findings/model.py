"""A finding: one reason to doubt a figure, with its numbers and what to do about it."""

from enum import StrEnum
from typing import Any

from pydantic import computed_field, model_validator

from loadstone.findings.scope import Subject
from loadstone.frozen import Frozen


class Severity(StrEnum):
    """How much a finding takes away."""

    NOTE = "note"
    WARNING = "warning"
    NO_CLAIM = "no claim"
    """The figure stays, marked; no verdict, rank or effect is made of it."""
    WITHHOLD = "withhold"


class Finding(Frozen):
    """A reason to doubt a run, an arm or a study, with its numbers and what to do."""

    code: str
    """Kebab-case rule name: `littles-law`."""
    severity: Severity
    """How much it takes away."""
    subject: Subject
    """What it is about, in fields."""
    metrics: tuple[str, ...]
    """Metrics it touches; a trailing `.*` means all below. Empty: none in particular."""
    evidence: str
    """One sentence with the numbers."""
    advice: str
    """What to do next, fitting the options in use."""

    @model_validator(mode="before")
    @classmethod
    def _without_scope(cls, written: Any) -> Any:
        """What was written is read again; its text follows from its subject."""
        if isinstance(written, dict):
            return {key: value for key, value in written.items() if key != "scope"}
        return written

    # mypy knows no decorator above a property.
    @computed_field  # type: ignore[prop-decorator]
    @property
    def scope(self) -> str:
        """What it is about, as text: `run:<run id>`, `arm:<arm>/<workload>`, `comparison:<question>`,
        `study`, or of two folders `study:<folder>`.
        """
        return str(self.subject)
