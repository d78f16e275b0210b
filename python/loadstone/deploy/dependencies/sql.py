"""What the lab's connections to database servers have in common, whatever the server."""

from typing import Any

from loadstone.errors import LoadstoneError

ANSWER_SECONDS = 60
"""For one statement: a level of 100,000 rows takes tenths of a second, a frozen server for ever."""
SEED_SECONDS = 900
"""For one statement of a seed: 2.4 million rows take minutes on a slow machine."""

Rows = list[tuple[Any, ...]]


class SqlFailed(LoadstoneError):
    """The server refused a statement, or could not be asked."""

    def __init__(self, message: str, *, is_lock_wait: bool = False) -> None:
        super().__init__(message)
        self.is_lock_wait = is_lock_wait
        """Whether another session held what was needed."""
