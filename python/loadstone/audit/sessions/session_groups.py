"""The groups of a run whose sessions are more than single requests, with how these ended."""

from collections.abc import Iterator
from typing import NamedTuple

from loadstone.results.group_facts import GroupFacts
from loadstone.results.load_facts import OperationFacts
from loadstone.results.session_counts import SessionCounts
from loadstone.results.window import WindowedRun


class SessionGroup(NamedTuple):
    """One group, and its sessions of window and grace."""

    name: str
    facts: GroupFacts
    """Of the whole load."""
    counts: SessionCounts
    operations: dict[str, OperationFacts]
    """By their names in the group."""


def session_groups(run: WindowedRun) -> Iterator[SessionGroup]:
    """Those of which a session ended in the window; none where nobody tells of sessions."""
    for name, part in run.groups.items():
        counts = run.sessions(part)
        if counts is not None and counts.ended + counts.cut:
            told = run.record.operations
            of_group = {key: told[key] for key in told if key in part.operations}
            yield SessionGroup(name, run.load.groups[name], counts, of_group)
