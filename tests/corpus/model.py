"""What the corpus is made of: defects of a known strength, and healthy variants."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path


@dataclass(frozen=True)
class Defect:
    """One way in which a run or a study is wrong."""

    kind: str
    """What is wrong, in a few words."""
    codes: tuple[str, ...]
    """Of findings that tell it: any of them is right."""
    strengths: tuple[float, ...]
    """From weak to strong. 0, where it is among them, is a run without the defect."""
    default: float
    """The strength at which a careful person calls the run wrong; one of `strengths`."""
    means: str
    """What a strength counts."""
    make: Callable[[int, float, Path], Path]
    """Writes it, from a seed and a strength, into an empty folder; returns the run's or the study's."""
    live: bool = False
    """Whether it is a real server under a real load."""
    is_study: bool = False
    """Whether it is a study of a dozen runs or more."""


@dataclass(frozen=True)
class Clean:
    """A healthy run or study that looks unusual."""

    kind: str
    """What is unusual, in a few words."""
    make: Callable[[int, Path], Path]
    """Writes it, from a seed, into an empty folder; returns the run's or the study's."""
    true_of_it: Mapping[str, str] = field(default_factory=dict)
    """Codes of findings that are right to be told here, with the reason."""
    live: bool = False
    """Whether it is a real server under a real load."""
    is_study: bool = False
    """Whether it is a study of a dozen runs or more."""
