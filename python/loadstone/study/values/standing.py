"""Which parts of a system stand where one of its services is called. Pure."""

from collections.abc import Collection

from loadstone.study.values.manifest import System


def standing(
    system: System, service: str | None, stand_ins: Collection[str] = frozenset()
) -> frozenset[str]:
    """Return the services and dependencies that stand where this service is called.

    It is that one with what it needs, and so on; none: everything, but what is only needed by what does
    not stand. Nothing of it is among the `stand_ins`.
    """
    found: set[str] = set()
    for name in (*(each.service for each in reversed(system.services)), *system.dependencies):
        callers = {each.service for each in system.services if name in each.needs}
        is_first = (not callers or name == system.entry) if service is None else name == service
        if name not in stand_ins and (is_first or callers & found):
            found.add(name)
    return frozenset(found)
