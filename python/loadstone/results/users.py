"""Reads `users.json`: what each user of a load got, column by column."""

from pathlib import Path

import numpy as np
from numpy.typing import NDArray
from pydantic import ValidationError

from loadstone.errors import InputError
from loadstone.frozen import Frozen


class UserColumns(Frozen):
    """One place in each column for each user, in the order of their numbers."""

    from_ns: int
    """Answers that ended from here on are added up, since the load began, grace included."""
    every: int
    """How many users one of them stands for: 1 unless there are very many."""
    groups: tuple[str, ...] = ()
    """Their names; empty where all are of one, or nobody tells."""
    group: tuple[int, ...] = ()
    """Whose user it is, by its place in `groups`; empty where these are."""
    user: tuple[int, ...]
    """Its number in its group, from 0."""
    first_ns: tuple[int, ...]
    """When its first request was intended, also before `from_ns`."""
    answers: tuple[int, ...]
    """Requests that ended ok."""
    mean_ns: tuple[float, ...]
    """Mean service time of these; 0 of none."""
    mean_response_ns: tuple[float, ...] = ()
    """Their mean response time; 0 of none. Empty where nobody tells."""
    max_ns: tuple[int, ...]
    """The longest of them; 0 of none."""
    log2_mean: tuple[float, ...]
    """Mean of the binary logarithm of the service time; 0 of none."""
    log2_variance: tuple[float, ...]
    """Its variance over these requests; 0 of none."""

    def there_throughout(self, lowest: float, group: str = "") -> NDArray[np.int64]:
        """Places of the users, of one group or of all together, who had come before `from_ns` and never
        went: those whose number lies below the least number of users that was asked for.
        """
        first, user = np.array(self.first_ns), np.array(self.user)
        return np.flatnonzero((first <= self.from_ns) & (user < lowest) & self._are_of(group))

    def _are_of(self, group: str) -> NDArray[np.bool_]:
        if not group or not self.groups:
            return np.ones(len(self.user), dtype=np.bool_)
        if group not in self.groups:
            return np.zeros(len(self.user), dtype=np.bool_)
        chosen: NDArray[np.bool_] = np.array(self.group) == self.groups.index(group)
        return chosen


def read_users(path: Path) -> UserColumns | None:
    """The columns; none where the engine wrote none. `InputError` for what is not the engine's."""
    try:
        text = path.read_bytes()
    except FileNotFoundError:
        return None
    try:
        return UserColumns.model_validate_json(text)
    except ValidationError as error:
        first = error.errors()[0]
        raise InputError(
            first["msg"],
            path=path,
            key=".".join(map(str, first["loc"])) or None,
            remedy="the file was changed or is not the engine's: do the run again",
        ) from None
