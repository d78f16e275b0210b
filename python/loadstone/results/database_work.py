"""What a database was asked to do, from its own counters: statements, rows, connections, waits.

Left out: its CPU time, which the probe reads from outside, and work by operation, which no counter of
a server tells.
"""

from typing import NamedTuple

from loadstone.frozen import Frozen


class DatabaseWork(Frozen):
    """Counts over some time, those that the lab itself caused left out."""

    select: int
    """SELECT statements, of both protocols."""
    insert: int
    """INSERT statements."""
    update: int
    """UPDATE statements."""
    delete: int
    """DELETE statements."""
    other_commands: int
    """All else that clients sent: options, begin, commit and rollback, prepares, pings."""
    rows_read: int | None
    """Rows that statements read; none where the server does not tell it in time."""
    rows_sent: int
    """Rows that were sent to clients."""
    connections: int
    """Attempts to connect."""
    lock_waits: int
    """How often a statement waited for a lock: of MariaDB each wait for a row, of PostgreSQL those of
    over 200 ms.
    """
    deadlocks: int
    """How often a transaction was rolled back since two waited for each other."""
    wal_bytes: int | None = None
    """What was written ahead to its log; none where it does not tell."""

    @property
    def statements(self) -> int:
        """The SELECT, INSERT, UPDATE and DELETE statements together."""
        return self.select + self.insert + self.update + self.delete

    def minus(self, other: "DatabaseWork") -> "DatabaseWork":
        """Return what came to these counts since they were `other`."""
        mine, theirs = self.model_dump(), other.model_dump()
        known = {name for name in mine if mine[name] is not None and theirs[name] is not None}
        return DatabaseWork(
            **{name: mine[name] - theirs[name] if name in known else None for name in mine}
        )


class DatabaseReading(NamedTuple):
    """What a database told at one moment."""

    work: DatabaseWork
    """Since it was started."""
    rows: dict[str, int]
    """By table, `database.table`."""
