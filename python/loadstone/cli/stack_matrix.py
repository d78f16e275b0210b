"""The matrix of stacks and runtimes that `loadstone systems` prints, and the list of what is not here.

What is here is asked elsewhere.
"""

import re
from collections.abc import Container, Iterator, Mapping, Sequence
from typing import NamedTuple

from rich import box
from rich.console import Console
from rich.padding import Padding
from rich.table import Table
from rich.text import Text

from loadstone.study.systems.availability import Availability
from loadstone.study.systems.scenario_cell import scenario_cell
from loadstone.study.values.manifest import Scenario, Stack

GAP = 2
"""Characters between two columns, of which the box has one."""

NUMBER = re.compile(r"\d[\w.+-]*")


class Missing(NamedTuple):
    """Something that is not here."""

    name: str
    reason: str
    remedy: str


def print_stacks(console: Console, service: str, stacks: Sequence[Stack]) -> None:
    """Print what the stacks of a service are."""
    console.print()
    table = _table(service, "language", "framework", "legs")
    for stack in stacks:
        legs = (f"{leg} {'/'.join(spoken)}" for leg, spoken in stack.protocols.items())
        table.add_row(stack.stack, stack.language, stack.framework, ", ".join(legs))
    console.print(table)
    console.print()


def print_scenarios(
    console: Console, scenarios: Sequence[Scenario], stacks: Sequence[Stack]
) -> None:
    """Print a row for each scenario and a column for each stack, in tables as wide as the screen.

    Yardsticks have none.
    """
    stacks = [each for each in stacks if each.yardstick is None]
    for part in _parts(console, stacks, max(len(scenario.name) for scenario in scenarios)):
        table = _table("scenario", *(stack.stack for stack in part))
        for scenario in scenarios:
            table.add_row(scenario.name, *(scenario_cell(scenario, stack) for stack in part))
        console.print(table)
        console.print()


def print_matrix(
    console: Console,
    stacks: Sequence[Stack],
    states: Mapping[str, Availability],
    unbuilt: Container[tuple[str, str]],
) -> None:
    """Print a row for each runtime and a column for each stack; further tables where the width ends.

    `unbuilt` holds the stacks and runtimes without a build, although the runtime is here.
    """
    names = runtimes_of(stacks)
    first_width = max(map(len, names)) + max(len(version_of(states[name])) for name in names)
    for part in _parts(console, stacks, first_width + GAP):
        table = _table("runtime", "version", *(stack.stack for stack in part))
        for name in runtimes_of(part):
            marks = (_mark(stack, name, states[name], unbuilt) for stack in part)
            table.add_row(name, version_of(states[name]), *marks)
        console.print(table)
        console.print()


def _parts(
    console: Console, stacks: Sequence[Stack], first_width: int
) -> Iterator[Sequence[Stack]]:
    """Return as many stacks at once as have room beside the first columns."""
    width = max(len(stack.stack) for stack in stacks) + GAP
    at_once = max(1, (console.width - first_width - GAP) // width)
    for first in range(0, len(stacks), at_once):
        yield stacks[first : first + at_once]


def print_missing(console: Console, missing: Sequence[Missing]) -> None:
    """Print what is not here, why, and how to get it."""
    if missing:
        console.print("not here:")
    for each in missing:
        _print_indented(console, f"{each.name}: {each.reason}.", 2)
        _print_indented(console, each.remedy, 4)


def runtimes_of(stacks: Sequence[Stack]) -> list[str]:
    """Return the names of the runtimes that the stacks can run on, as their manifests order them."""
    return list(dict.fromkeys(name for stack in stacks for name in stack.runtimes))


def version_of(state: Availability) -> str:
    """Return the number in what a runtime says of itself: 17.0.15 of `openjdk version "17.0.15"`."""
    if state.version is None:
        return "not here"
    number = NUMBER.search(state.version)
    return number.group() if number else state.version


def _print_indented(console: Console, text: str, indent: int) -> None:
    console.print(Padding(Text(text), (0, 0, 0, indent), expand=False))


def _mark(
    stack: Stack, runtime: str, state: Availability, unbuilt: Container[tuple[str, str]]
) -> str:
    if runtime not in stack.runtimes:
        return ""
    return "no" if state.version is None or (stack.stack, runtime) in unbuilt else "yes"


def _table(*headings: str) -> Table:
    table = Table(box=box.SIMPLE_HEAD, show_edge=False, pad_edge=False, padding=(0, GAP - 1, 0, 0))
    for heading in headings:
        table.add_column(heading, overflow="fold")
    return table
