"""What a PostgreSQL server is started with, the same in every run of every study, and recorded.

A commit is flushed, as in production. Checkpoints come too seldom to fall into one arm's window and not
into another's. What is told is cheap: one counter for each statement's text, and a line in the log for
a new connection, a wait of over 200 ms, a deadlock, a checkpoint and a vacuum.
"""

from collections.abc import Mapping
from pathlib import Path

SETTINGS: Mapping[str, str] = {
    "shared_buffers": "256MB",
    "max_connections": "200",
    "max_wal_size": "4GB",
    "checkpoint_timeout": "30min",
    "fsync": "on",
    "synchronous_commit": "on",
    "full_page_writes": "on",
    "autovacuum": "on",
    "jit": "off",
    "deadlock_timeout": "200ms",
    "log_lock_waits": "on",
    "log_connections": "on",
    "log_autovacuum_min_duration": "0",
    "log_checkpoints": "on",
    "shared_preload_libraries": "pg_stat_statements",
    "pg_stat_statements.track": "top",
    "pg_stat_statements.track_utility": "on",
    "pg_stat_statements.save": "off",
}
"""By the names of PostgreSQL's own parameters."""

_OWN: Mapping[str, str] = {
    "huge_pages": "off",
    "dynamic_shared_memory_type": "mmap",  # its files are below the data, and go with them
    "lc_messages": "C",  # the lab reads the log
    "log_line_prefix": "%m [%p] %u ",
    "logging_collector": "off",
    "timezone": "UTC",
    "log_timezone": "UTC",
}
"""What changes no figure."""

ROOM_BYTES = 1 << 30
"""Kept free beside the copies of the template, for the rows of a load and the log of their writing."""


def options() -> list[str]:
    """Return the command line options, without places and addresses."""
    return [f"-c{name}={value}" for name, value in (*SETTINGS.items(), *_OWN.items())]


def places(home: Path) -> list[str]:
    """Return the options that keep all that a server writes below its home."""
    return [
        f"-D{home / 'data'}",
        f"-cunix_socket_directories={home}",
        "-cunix_socket_permissions=0700",
        f"-cexternal_pid_file={home / 'pid'}",
    ]
