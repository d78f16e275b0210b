"""Where systems, runtimes and studies come from, for people."""

from pathlib import Path

from loadstone.study.systems.catalogue import Catalogue
from loadstone.study.systems.roots import INSTALLED, checkout

_PLURALS = {"system": "systems", "runtime": "runtimes", "study": "studies"}


def root_text(root: Path) -> str:
    """`/home/me/shop (yours)`, `/opt/loadstone (shipped)`."""
    return f"{root} ({'shipped' if root in (INSTALLED, checkout()) else 'yours'})"


def roots_text(catalogue: Catalogue) -> str:
    """The roots, in the order in which they are looked through, and what is in whose place."""
    roots = ", then ".join(map(root_text, catalogue.roots))
    overriding = overriding_text(catalogue)
    return roots if overriding is None else f"{roots}; {overriding}"


def overriding_text(catalogue: Catalogue) -> str | None:
    """`yours in place of shipped: system mediation; runtimes go, node`; none where nothing is."""
    found: dict[str, list[str]] = {}
    for kind, name in catalogue.overriding():
        found.setdefault(kind, []).append(name)
    if not found:
        return None
    parts = (
        f"{kind if len(names) == 1 else _PLURALS[kind]} {', '.join(names)}"
        for kind, names in found.items()
    )
    return f"yours in place of shipped: {'; '.join(parts)}"


def origin_text(catalogue: Catalogue, kind: str, name: str) -> str:
    """The root of one name, and whether that stands in the place of a shipped one.

    Raises InputError for a name that is not there.
    """
    is_overriding = (kind, name) in catalogue.overriding()
    in_place = ", in place of the shipped one" if is_overriding else ""
    return f"{root_text(catalogue.root_of(kind, name))}{in_place}"
