"""The shape of a claim in a study's file, as typed. What it means is `design/claims.py`."""

from typing import Annotated

from pydantic import Field

from loadstone.study.files.raw import Name, Raw, Text
from loadstone.study.values.claim import Says
from loadstone.text.typed_units import Fraction

ArmOfFactors = Annotated[dict[str, str], Field(min_length=1)]


class RawClaim(Raw):
    """What somebody claimed of two arms, to be held against what this study measures."""

    claim: Text
    """In words, for people; unique in the study."""
    source: Text | None = None
    """Where it was made: `Table 5`."""
    of: ArmOfFactors
    """Factor to level: the one arm that has all of these."""
    against: ArmOfFactors
    """The same of the arm that it is held against."""
    says: Says
    """Whether the metric of the first is `higher`, `lower` or `alike`."""
    metric: str
    """A metric of the catalogue."""
    margin: Fraction
    """A difference up to here does not matter."""
    published_ratio: Annotated[float, Field(gt=0)] | None = None
    """The figure of the first divided by that of the second, as it was published."""
    workload: Name | None = None
    """The workload that it is about. Default: the only one of the study."""
    operation: Name | None = None
    """The operation that it is about. Default: all together."""
    group: Name | None = None
    """The group of users that it is about. Default: all together."""
