"""What became of a claim that a study holds against its own figures."""

from typing import Literal

from loadstone.frozen import Frozen
from loadstone.study.values.claim import Claim

Reproduced = Literal["reproduced", "not reproduced", "undecided"]
"""`not reproduced`: the opposite is told, or that a difference is within the margin where one was
claimed. `undecided`: nothing is told."""

Size = Literal["", "as published", "less than published", "more than published"]
"""Of a ratio that is told: whether its interval holds the published one. Empty where there is none."""


class Reproduction(Frozen):
    """One claim, and what this study's figures say of it."""

    claim: Claim
    """As the study has it, by the arms' ids."""
    outcome: Reproduced
    """What became of it."""
    size: Size = ""
    """How much of it."""
    scale: Literal["ratio", "difference"]
    """Of the estimate."""
    estimate: float | None = None
    """of / against, or of - against; none where nothing could be compared."""
    low: float | None = None
    """Lower end of its interval."""
    high: float | None = None
    """Upper end."""
    level: float
    """Of the interval, by Holm over the study's claims."""
    of_value: float | None = None
    """The figure of the first arm, in the catalogue's unit; none where it does not stand."""
    against_value: float | None = None
    """That of the other."""
    reason: str = ""
    """For `undecided`: why."""
    not_held: str = ""
    """What of its contract either arm is not held to, in words; empty where both are to all."""
    sentence: str = ""
    """All that in words."""

    @property
    def metric(self) -> str:
        """Catalogue name."""
        return self.claim.metric
