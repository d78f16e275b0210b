"""The settings of a system, for people."""

from loadstone.study.values.manifest import System


def settings_text(system: System) -> str:
    """`rows (6, 0 or 1000), delay (0 or 5)`: the first level is the default."""
    return ", ".join(f"{each.name} ({_alternatives(each.levels)})" for each in system.settings)


def _alternatives(levels: tuple[str, ...]) -> str:
    *first, last = levels
    return f"{', '.join(first)} or {last}" if first else last
