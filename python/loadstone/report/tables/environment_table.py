"""`environment.json` as tables: whatever facts it holds, those of later labs behind the known ones."""

from dataclasses import dataclass
from typing import Any

from loadstone.results.environment import Environment
from loadstone.text import units
from loadstone.text.plain import plain_value
from loadstone.text.words import spaced

_OTHER = "study"


@dataclass(frozen=True, slots=True)
class FactTable:
    """Facts of one part of the environment."""

    title: str
    facts: tuple[tuple[str, str], ...]


def time_table(time_use: dict[str, int]) -> tuple[FactTable, ...]:
    """Where the time went; nothing where it is not known."""
    total_ns = sum(time_use.values())
    if not total_ns:
        return ()
    rows = (
        (name, f"{units.duration(length_ns)}, {units.share(length_ns / total_ns)}")
        for name, length_ns in time_use.items()
    )
    return (FactTable("time", tuple(rows)),)


def fact_tables(environment: Environment) -> tuple[FactTable, ...]:
    """A table for each nested part, and one of the facts that stand alone, last. All text is plain."""
    recorded: dict[str, Any] = plain_value(environment.recorded())
    parts = [
        FactTable(spaced(name), tuple(_facts(part)))
        for name, part in recorded.items()
        if isinstance(part, dict) and part
    ]
    alone = {name: fact for name, fact in recorded.items() if not isinstance(fact, dict)}
    return (*parts, FactTable(_OTHER, tuple(_facts(alone)))) if alone else tuple(parts)


def _facts(part: dict[str, Any], prefix: str = "") -> list[tuple[str, str]]:
    rows: list[tuple[str, str]] = []
    for name, fact in part.items():
        if isinstance(fact, dict):
            rows += _facts(fact, f"{prefix}{spaced(name)} / ")
        else:
            unitless = name.removesuffix("_bytes").removesuffix("_ns")
            rows.append((prefix + spaced(unitless), _text(name, fact)))
    return rows


def _text(name: str, fact: Any) -> str:
    if isinstance(fact, list | tuple):
        return ", ".join(_text("", item) for item in fact) or "none"
    if isinstance(fact, int) and not isinstance(fact, bool) and name.endswith("_bytes"):
        return units.size(fact)
    if isinstance(fact, int) and not isinstance(fact, bool) and name.endswith("_ns"):
        return f"{'-' if fact < 0 else ''}{units.duration(abs(fact))}"
    if isinstance(fact, float):
        return units.number(fact)
    if fact is None:
        return "not known"
    return ("yes" if fact else "no") if isinstance(fact, bool) else str(fact)
