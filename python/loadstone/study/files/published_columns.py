"""The first columns of published rows: whose a row is, which scenario it is of, under which load."""

from collections.abc import Sequence
from typing import Any

from loadstone.study.files.published_lines import Form, PublishedLine
from loadstone.study.files.published_notes import NOTES
from loadstone.study.values.manifest import Scenario, System
from loadstone.study.values.model import Protocol
from loadstone.text.quoted import shown, suggestion

WHOSE = ("stack", "runtime")
_OF_SERVICE = "_stack"
"""What the name of a column ends with that has the stack of one of several services."""
PAUSE = "pause_ms"


def forms_of(
    system: System,
    load: Sequence[str],
    figures: Sequence[str],
    optional: Sequence[str],
    *,
    several: bool,
) -> tuple[Form, ...]:
    """The headings that rows of a system may have: whose they are where there are `several` stacks, the
    scenario, the load, figures and notes; `optional` are columns of the load that may be left out.
    """
    scenario = ("operation", *system.legs)
    left_out = frozenset((*optional, *figures, NOTES))
    return tuple(
        Form((*whose, *scenario, *load, *figures, NOTES), left_out)
        for whose in (whose_of(system) if several else ((),))
    )


def whose_of(system: System) -> tuple[tuple[str, ...], ...]:
    """The columns that say whose a row of several stacks is: one stack, or one of each service."""
    measured = [name for name in system.names if name not in system.bench_services]
    each = tuple(f"{name}{_OF_SERVICE}" for name in measured)
    return (WHOSE, each) if len(each) > 1 else (WHOSE,)


def stacks_in(line: PublishedLine, system: System) -> dict[str, Any]:
    """Whose a row is, as its values call it. Raises InputError."""
    if WHOSE[0] in line.cells:
        return {name: line.word(name) for name in WHOSE}
    return {
        "stacks": {
            name: line.on_runtime(f"{name}{_OF_SERVICE}")
            for name in system.names
            if f"{name}{_OF_SERVICE}" in line.cells
        }
    }


def scenario_in(line: PublishedLine, system: System) -> Scenario:
    """The scenario of a row. Raises InputError for one that the system does not have."""
    operation = one_of(line, "operation", system.operations)
    legs = {leg: Protocol(one_of(line, leg, tuple(Protocol))) for leg in system.legs}
    found = Scenario(operation=operation, legs=legs)
    if found not in system.scenarios:
        raise line.error(
            "operation",
            f"{found.name} is not a scenario of {system.system}",
            suggestion(found.name, [each.name for each in system.scenarios]),
        )
    return found


def one_of(line: PublishedLine, column: str, known: Sequence[str]) -> str:
    """A cell that must be one of these. Raises InputError."""
    typed = line.cells[column]
    if typed not in known:
        raise line.error(
            column, f"{shown(typed)} is not known here", suggestion(typed, list(known))
        )
    return typed
