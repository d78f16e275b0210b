"""What is known of a run that another tool made: where it comes from, and what that cannot tell."""

from pydantic import Field

from loadstone.frozen import Frozen


class ToolCheckFacts(Frozen):
    """One check of the tool's own, over the whole load."""

    held: int
    """How often it held."""
    failed: int
    """How often it did not."""


class ImportedFrom(Frozen):
    """The file that a run was imported from."""

    tool: str
    """What wrote it."""
    version: str | None
    """Of that tool; none where the file does not tell."""
    file: str
    """Its name, without folders."""
    digest: str
    """SHA-256 of the file as it was read."""
    time_resolution_ns: int
    """The ends of requests are told no finer than this: what ended at 12:00:05 ended in that second."""
    contradicting_times: int = 0
    """Requests whose duration is not the sum of its parts, although the tool makes it of them."""
    checks: dict[str, ToolCheckFacts] = Field(default_factory=dict)
    """By the tool's name; of which requests they were is not told."""
    absent: dict[str, str] = Field(default_factory=dict)
    """What the file cannot tell, each with the reason; it is absent from the record, never made up."""


class IterationFacts(Frozen):
    """What users of another tool did in turn, again and again: requests, pauses, and their script."""

    count: int
    """Iterations that were completed."""
    dropped: int = 0
    """Iterations that a rate asked for and that no user was free to begin."""
    mean_ns: float | None
    """How long they took; none where none was completed."""
    deviation_ns: float | None
    """Standard deviation of how long they took; none below two of them."""
    pause_mean_ns: float | None
    """Mean time of a user outside requests, for each request; none where it cannot be told."""
