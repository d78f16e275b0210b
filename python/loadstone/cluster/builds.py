"""Builds that go from the machine that made them to the others: made once, so they are the same."""

from collections.abc import Iterable
from pathlib import Path

from loadstone.deploy.build import build_name
from loadstone.measure.prepare.stack_sources import StackSource


def builds_of(sources: Iterable[StackSource], cache: Path) -> tuple[str, ...]:
    """Return the names of the folders in a cache of builds that come of these sources, trained ones
    among them.
    """
    found = set()
    for source in sources:
        name = build_name(source.stack, source.runtime)
        found |= {path.name for path in cache.glob(f"{name}*") if ".partial-" not in path.name}
    return tuple(sorted(found))
