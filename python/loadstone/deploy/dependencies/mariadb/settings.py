"""What a MariaDB server is started with, the same in every run of every study, and recorded.

A commit is flushed, as in production. Nothing answers instead of the tables (query cache), nothing runs
beside the load (statistics recalculated, buffer pool dumped), and nothing counts at the load's cost:
`performance_schema` doubles the memory, `userstat` takes up to 13 % of the CPU, and the counters of
`SHOW STATUS` are there anyway. Pages are written at the speed of memory, where the data are: at the
default of 2,000 a second, made for disks, the 8,192 of the buffer pool took four seconds whenever the
log was full, after some 500,000 inserts, and no statement was answered meanwhile.
"""

from collections.abc import Mapping
from pathlib import Path

SETTINGS: Mapping[str, str] = {
    "character-set-server": "utf8mb4",
    "collation-server": "utf8mb4_nopad_bin",
    "innodb-buffer-pool-size": "128M",
    "innodb-log-file-size": "48M",
    "innodb-io-capacity": "2000",
    "innodb-io-capacity-max": "20000",
    "innodb-flush-log-at-trx-commit": "1",
    "query-cache-type": "OFF",
    "performance-schema": "OFF",
    "userstat": "OFF",
    "innodb-lock-wait-timeout": "1",
    "lock-wait-timeout": "2",
    "innodb-stats-auto-recalc": "OFF",
    "innodb-buffer-pool-dump-at-shutdown": "OFF",
    "innodb-buffer-pool-load-at-startup": "OFF",
}
"""By the names of MariaDB's own options. Waits for locks are in seconds."""

SWITCHES = ("skip-name-resolve", "skip-log-bin")
"""Options without a value: no name server is asked, and no binary log is written."""

ROOM_BYTES = 256 << 20
"""Kept free beside a copy of the template, for the rows that a load adds and their undo log."""


def options() -> list[str]:
    """Return the command line options, without places and addresses; `--no-defaults` comes first."""
    return [
        "--no-defaults",
        *(f"--{each}" for each in SWITCHES),
        *(f"--{name}={value}" for name, value in SETTINGS.items()),
    ]


def socket_in(home: Path) -> Path:
    """Return where a server with this home listens for the lab alone."""
    return home / "socket"


def places(home: Path) -> list[str]:
    """Return the options that keep all that a server writes below its home."""
    return [
        f"--datadir={home / 'data'}",
        f"--tmpdir={home / 'temporary'}",
        f"--socket={socket_in(home)}",
        f"--pid-file={home / 'pid'}",
    ]
