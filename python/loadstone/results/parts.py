"""Which of a run's operations belong together: those of a group, and those of a name over all groups.

A record counts an operation of several groups as `GROUP.OPERATION`, and answers of a further status
that a step allows apart, as `OPERATION.STATUS`. A record of before tells no groups: all of it is of
one.
"""

from collections.abc import Collection, Mapping
from dataclasses import dataclass

from loadstone.results.load_facts import OperationFacts

Operations = Mapping[str, OperationFacts]
"""As a record names them."""


@dataclass(frozen=True)
class Part:
    """Some of a run's requests, and the sessions that are told with them."""

    operations: frozenset[str]
    """As the record names them."""
    groups: frozenset[str] = frozenset()
    """Those of which all operations are among them, so that their sessions are, too."""

    @classmethod
    def operation(cls, name: str) -> "Part":
        """One operation of one group, as the record names it."""
        return cls(frozenset((name,)))


def by_group(operations: Operations, groups: Collection[str]) -> dict[str, Part]:
    """Each of the groups, in their order; of a single one all that there is."""
    if len(groups) == 1:
        return {name: Part(frozenset(operations), frozenset((name,))) for name in groups}
    return {
        name: Part(
            frozenset(key for key, facts in operations.items() if facts.group == name),
            frozenset((name,)),
        )
        for name in groups
    }


def over_groups(operations: Operations) -> dict[str, Part]:
    """Each operation that several groups perform, all of them together, in the order of the record."""
    performing: dict[str, dict[str, str]] = {}
    for key, facts in operations.items():
        if facts.group is not None and facts.operation is not None:
            performing.setdefault(facts.operation, {})[key] = facts.group
    return {
        name: Part(frozenset(keys))
        for name, keys in performing.items()
        if len(set(keys.values())) > 1
    }


def named(operations: Operations, name: str) -> Part:
    """An operation in every group that performs it, without answers of a further status."""
    return Part(
        frozenset(
            key
            for key, facts in operations.items()
            if key == name or (facts.operation == name and key == f"{facts.group}.{name}")
        )
    )
