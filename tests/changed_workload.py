"""A workload of one group with a few of its values changed."""

from typing import Any

from loadstone.study.values.model import Operation, Workload
from loadstone.study.values.steps import Send

OF_THE_GROUP = ("arrivals", "think", "session", "start_ns", "pace_ns")


def changed(workload: Workload, **changes: Any) -> Workload:
    """The same with other values of it or of its group; a session may be of operations."""
    group = {key: value for key, value in changes.items() if key in OF_THE_GROUP}
    if "session" in group:
        group["session"] = tuple(map(_step, group["session"]))
    rest = {key: value for key, value in changes.items() if key not in OF_THE_GROUP}
    return workload.with_group(**group).model_copy(update=rest)


def _step(given: object) -> object:
    return Send.of(given) if isinstance(given, Operation) else given
