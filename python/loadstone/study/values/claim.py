"""What somebody claimed of two arms: a study may hold it against what it measures itself."""

from typing import Literal

from loadstone.frozen import Frozen

Says = Literal["higher", "lower", "alike"]
"""Of the metric's value, not of what is better."""


class Claim(Frozen):
    """Two arms, a metric, and which of them is said to have more of it."""

    claim: str
    """In words, for people; unique in the study."""
    source: str
    """Where it was made, such as `Table 5`; empty where the study does not say."""
    of: str
    """Arm id."""
    against: str
    """Arm id."""
    says: Says
    """How the first is said to stand to the second."""
    metric: str
    """Catalogue name."""
    margin: float
    """A fraction: within it both are alike."""
    published_ratio: float | None
    """The figure of `of` divided by that of `against`, as it was published."""
    workload: str
    """Under which both were run."""
    operation: str | None = None
    """The operation that it is about; none: all together."""
    group: str | None = None
    """The group that it is about; none: all together."""
