"""`docs/reference/systems.md`: which stack has which scenario on which runtime, from the manifests.

What of it can run on a machine is `loadstone systems`.
"""

import sys
from collections.abc import Iterator, Sequence
from pathlib import Path

from loadstone.generate.committed_files import CHECKOUT, write_or_check
from loadstone.study.systems.catalogue import Catalogue, open_catalogue
from loadstone.study.systems.scenario_cell import scenario_cell
from loadstone.study.systems.settings_text import settings_text
from loadstone.study.values.held_to import Deviation
from loadstone.study.values.manifest import Stack

PAGE = Path("docs") / "reference" / "systems.md"

_HEAD = """# Systems

Which stack has which scenario, and on which runtimes. `loadstone systems` says what of it can run
on a machine, and `loadstone check` holds it against the contract there. Written by `make generate`.
"""


def systems_page(catalogue: Catalogue) -> str:
    """Return the page."""
    return "\n".join(
        [_HEAD, *(line for name in catalogue.systems() for line in _of(catalogue, name))]
    )


def _of(catalogue: Catalogue, name: str) -> Iterator[str]:
    system = catalogue.system(name)
    yield f"## {name}\n"
    yield f"{system.title}. Its clauses are in [SPEC.md](../../systems/{name}/SPEC.md).\n"
    if system.settings:
        yield f"Settings, each with its default first: {settings_text(system)}.\n"
    for service in system.names:
        known = catalogue.stacks(system, service)
        stacks = [stack for stack in known if stack.yardstick is None]
        on_bench = " (on the bench)" if service in system.bench_services else ""
        yield from _table(f"{service}{on_bench}", stacks)
        if beside := [stack for stack in known if stack.yardstick is not None]:
            yield "Yardsticks: servers without the service's work, beside which it is measured.\n"
            yield from _table("yardstick", beside)
        if system.scenarios and service == system.entry:
            yield f"| scenario | {' | '.join(stack.stack for stack in stacks)} |"
            yield f"|---|{'---|' * len(stacks)}"
            for scenario in system.scenarios:
                cells = " | ".join(scenario_cell(scenario, stack) for stack in stacks)
                yield f"| {scenario.name} | {cells} |"
            yield ""
        if any(stack.deviations for stack in stacks):
            yield "What a stack is known to do otherwise than the clauses say:\n"
            yield "| stack | clause | over | what and why |\n|---|---|---|---|"
            for stack in stacks:
                for each in stack.deviations:
                    yield f"| {stack.stack} | {each.clause} | {_over(each)} | {each.why} |"
            yield ""


def _table(title: str, stacks: Sequence[Stack]) -> Iterator[str]:
    yield f"| {title} | language | framework | runtimes |\n|---|---|---|---|"
    for stack in stacks:
        runtimes = ", ".join(stack.runtimes)
        yield f"| {stack.stack} | {stack.language} | {stack.framework} | {runtimes} |"
    yield ""


def _over(deviation: Deviation) -> str:
    over = (f"{leg} {' or '.join(spoken)}" for leg, spoken in deviation.legs.items())
    return ", ".join(over) or "all"


def main(arguments: Sequence[str] | None = None) -> int:
    """Write the page, or with `--check` say whether it is stale."""
    text = systems_page(open_catalogue(CHECKOUT))
    return write_or_check({PAGE: text}, "loadstone.generate.systems_page", __doc__, arguments)


if __name__ == "__main__":
    sys.exit(main())
