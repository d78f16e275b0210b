"""How the sessions of each arm ended: a row for each arm, or for each group of it."""

from dataclasses import dataclass

from loadstone.analysis.model import Analysis, SessionTotals
from loadstone.text import units

COLUMNS = ("begun", "finished", "ended early", "aborted", "cut")
_KEYS = ("begun", "finished", "ended_early", "aborted", "cut")
READING = (
    "Sessions begun and ended in the windows. Ended early, by an answer that its step allows to "
    "end it, is a part of finished; aborted were those of which a request failed; cut those "
    "between two requests when the load ended or their user left."
)


@dataclass(frozen=True, slots=True)
class SessionRow:
    """The sessions of one group of an arm, or of all of its groups."""

    arm: str
    group: str
    """Empty where it is all of them."""
    totals: SessionTotals

    @property
    def counts(self) -> tuple[int, ...]:
        """As many as there are columns."""
        return tuple(self.totals.get(key, 0) for key in _KEYS)

    @property
    def texts(self) -> tuple[str, ...]:
        """The same for people."""
        return tuple(map(units.count, self.counts))


@dataclass(frozen=True, slots=True)
class SessionTable:
    """One workload."""

    workload: str
    rows: tuple[SessionRow, ...]

    @property
    def has_groups(self) -> bool:
        """Whether there is a row for each of several groups."""
        return any(row.group for row in self.rows)


def session_table(analysis: Analysis, workload: str) -> SessionTable | None:
    """Each arm's sessions, all together and then by group; none where nobody tells of sessions, or each
    is one request.
    """
    rows = [
        row
        for cell in analysis.cells
        if cell.workload == workload
        for row in (
            SessionRow(cell.arm, "", cell.sessions),
            *(SessionRow(cell.arm, each.group, each.sessions) for each in cell.groups),
        )
        if row.totals
    ]
    return SessionTable(workload, tuple(rows)) if rows else None
