"""A word that the lab says of a result, explained. Texts are Markdown without tables.

`docs/reference/findings.md` and `loadstone explain` are made of these alone.
"""

from dataclasses import dataclass

SEVERITIES = {
    "withhold": "the figure cannot stand, and its reason is printed in its place",
    "no claim": "the figure stands and is marked, but no verdict, rank or effect is made of it: "
    "`cannot tell: spring was still warming up`, *no place: still warming up*. A gate "
    "(`compare --baseline`, or of two folders) does not hold",
    "warning": "a reason to doubt the figure",
    "note": "what a reader should know",
}
"""What a severity takes away, the gravest first."""


@dataclass(frozen=True, slots=True)
class Explained:
    """A word, such as the outcome of a request or of a question."""

    name: str
    means: str
    why: str
    """Why it matters."""
    do: str
    """What to do."""


@dataclass(frozen=True, slots=True)
class ExplainedFinding(Explained):
    """The code of a finding."""

    threshold: str
    """From where on it is told."""
    severities: str
    """`warning, withhold`: those that it can have."""


@dataclass(frozen=True, slots=True)
class Section:
    """Words of one kind, in the order in which they are told."""

    title: str
    """`The service`, `Outcomes of a request`."""
    entries: tuple[Explained, ...]
    about: str = ""
    """A paragraph before them; empty where none is needed."""
    behind: tuple[str, ...] = ()
    """Paragraphs behind them."""
