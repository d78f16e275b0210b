"""Whether a figure holds against its bar, and how a section hands its figures over. Pure."""

from dataclasses import asdict, dataclass, field
from enum import StrEnum
from typing import Any


class Verdict(StrEnum):
    """What became of one bar."""

    HOLDS = "holds"
    HOLDS_BY_RATIO = "holds by ratio"
    """Not against the absolute bar, but beside what this machine allows a bare loop."""
    MISSED = "MISSED"
    NOT_MEASURED = "not measured"
    NO_ROUND_COUNTED = "no round counted"
    """There are figures, but the two sides did not do the same."""
    NO_BAR = "-"


def at_least(measured: float | None, bar: float | None) -> Verdict:
    """Judge a figure that should be high."""
    if bar is None:
        return Verdict.NO_BAR
    if measured is None:
        return Verdict.NOT_MEASURED
    return Verdict.HOLDS if measured >= bar else Verdict.MISSED


def at_most(measured: float | None, bar: float | None) -> Verdict:
    """Judge a figure that should be low."""
    if measured is None or bar is None:
        return at_least(measured, bar)
    return Verdict.HOLDS if measured <= bar else Verdict.MISSED


def within(measured: float | None, centre: float, tolerance: float) -> Verdict:
    """Judge a figure that should be near another."""
    return at_most(None if measured is None else abs(measured - centre), tolerance)


def or_by_ratio(absolute: Verdict, relative: Verdict) -> Verdict:
    """Judge a figure for which a second bar, a ratio, is enough."""
    by_ratio = absolute is Verdict.MISSED and relative is Verdict.HOLDS
    return Verdict.HOLDS_BY_RATIO if by_ratio else absolute


@dataclass
class Table:
    """A table of a section, in text."""

    title: str
    header: list[str]
    rows: list[list[str]] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)

    def markdown(self) -> str:
        """Return it as Markdown, columns aligned for a terminal."""
        widths = [
            max(len(row[column]) for row in [self.header, *self.rows])
            for column in range(len(self.header))
        ]

        def line(cells: list[str]) -> str:
            padded = (cell.ljust(width) for cell, width in zip(cells, widths, strict=True))
            return f"| {' | '.join(padded)} |"

        rule = f"|{'|'.join('-' * (width + 2) for width in widths)}|"
        body = [line(self.header), rule, *(line(row) for row in self.rows)]
        return "\n".join(
            [f"## {self.title}", "", *body, *([""] if self.notes else []), *self.notes]
        )


@dataclass
class Section:
    """What one section found."""

    tables: list[Table] = field(default_factory=list)
    verdicts: list[Verdict] = field(default_factory=list)
    data: dict[str, Any] = field(default_factory=dict)

    @property
    def missed(self) -> int:
        """How many bars were missed."""
        return self.verdicts.count(Verdict.MISSED)

    def judge(self, verdict: Verdict) -> str:
        """Keep a verdict and return its text for a table."""
        self.verdicts.append(verdict)
        return str(verdict)


def plain(value: Any) -> Any:
    """Return a dataclass as a dict for a file."""
    return asdict(value)


def number(value: float | None, digits: int = 2) -> str:
    """Return a figure for a table; a dash where there is none."""
    return "–" if value is None else f"{value:,.{digits}f}"
