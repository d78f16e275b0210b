"""A workload's file: who loads, and the session of requests."""

from collections.abc import Iterator, Sequence

from loadstone.describe.model import LeftOut, MadeWorkload
from loadstone.describe.step_text import entry_lines
from loadstone.describe.yaml_text import comment, in_comment

USERS = 10
"""More than one CPU answers at once, and few enough for a service that takes requests in turn."""
_MOST_NAMED = 300
"""Requests that are left out and named one by one."""


def workload_text(workload: MadeWorkload) -> str:
    """The file of a workload."""
    think = "in its pauses" if workload.pauses else "without pauses"
    lines = [
        comment(workload.about),
        f"workload: {workload.name}",
        "kind: load",
        f"group: {workload.group}",
        f"users: {USERS}   # closed: each asks again when it is answered, {think}",
        "warm_up: {until: steady, at_most: 60s}   # until the service is warm",
        "window: 10s   # what is measured, from then on",
    ]
    if workload.cookies:
        lines.append("cookies: true   # a session keeps those that answers set")
    lines.append("session:")
    if workload.is_independent:
        lines.append("# Each stands for itself: one that fails does not end the session.")
    for request in workload.requests:
        further = ["on_failure: go_on"] if workload.is_independent else []
        if request.pause_ms:
            further.append(f"think: {request.pause_ms}ms")
        lines += entry_lines(request, *further)
    lines += _named(workload.left_out)
    return "\n".join((*lines, ""))


def _named(left_out: Sequence[LeftOut]) -> Iterator[str]:
    """What was left out, and why."""
    if left_out:
        yield "# Left out:"
    for each in left_out[:_MOST_NAMED]:
        yield f"#   {in_comment(each.title)}: {in_comment(each.reason)}"
    if (more := len(left_out) - _MOST_NAMED) > 0:
        yield f"#   and {more} more"
