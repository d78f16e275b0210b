"""What is kept of studies that stand beside published tables: one that follows the publication's own
procedure, and ours of the same stacks.

Of each arm under each workload it is the figures of its runs, a few kB of JSON. Published rows are not
kept: they are files of the system.
"""

from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Literal

from loadstone.analysis.analyse import analyse
from loadstone.analysis.model import ArmFigure, Cell
from loadstone.errors import InputError
from loadstone.frozen import Frozen
from loadstone.metrics.model import WorkloadKind
from loadstone.results import folder
from loadstone.results.environment import Environment
from loadstone.results.read import read_environment, read_plan
from loadstone.study.values.arrivals import Users
from loadstone.study.values.model import AnyWorkload, Arm, Plan, Workload
from loadstone.study.values.published import Published, PublishedKey
from loadstone.study.values.published_keys import key_of
from loadstone.study.values.service_choice import StackChoice
from loadstone.text import units

Load = Literal["", "users", "rate"]
"""How the requests of a load begin; empty of starts and footprints."""

METRICS = (
    "startup_claimed",
    "startup",
    "rss.after_five_requests",
    "rss.after_ten_requests",
    "rss_peak",
    "throughput",
    "failures",
    "response_time.p99",
    "first_10s.throughput",
    "first_10s.response_time.p99",
)
"""Those that the page shows or makes a remark of."""


class KeptCell(Frozen):
    """One stack on one runtime under one workload."""

    stack: str
    runtime: str
    kind: WorkloadKind
    load: Load = ""
    scenarios: tuple[str, ...] = ()
    """The published scenarios that its load has requests of."""
    key: PublishedKey | None = None
    """The published load that its own is; none of another."""
    figures: dict[str, tuple[float | None, ...]]
    """By metric, of each run and in the catalogue's unit; none where it has no value."""


class KeptStudy(Frozen):
    """One results folder."""

    study: str
    simulated: bool = False
    measured_on: str
    """Date in UTC."""
    cpu_model: str
    cpus: int
    limits: str
    """What its services might use at most, in words."""
    cells: tuple[KeptCell, ...]
    """In the order of the study."""


class KeptSystem(Frozen):
    """What was measured beside what is published of a system."""

    system: str
    theirs: KeptStudy
    """By the publication's own procedure."""
    ours: tuple[KeptStudy, ...]
    """By studies of ours."""


class KeptSystems(Frozen):
    """The JSON beside the page."""

    systems: tuple[KeptSystem, ...] = ()
    """By name."""

    def replaced(self, system: KeptSystem) -> "KeptSystems":
        """The same with this one in the place of what was kept of it before."""
        others = [each for each in self.systems if each.system != system.system]
        ordered = sorted((*others, system), key=lambda each: each.system)
        return KeptSystems(systems=tuple(ordered))

    def beside(self, system: str, ours: Iterable[KeptStudy]) -> "KeptSystems":
        """The same with studies of ours more, each in the place of one of its name.

        `InputError` where no study that follows the publication's procedure is kept of the system.
        """
        before = next((each for each in self.systems if each.system == system), None)
        if before is None:
            raise InputError(
                f"no study that follows the procedure of a publication is kept of {system}",
                remedy="name its results too: --theirs RESULTS",
            )
        by_name = {each.study: each for each in (*before.ours, *ours)}
        return self.replaced(before.model_copy(update={"ours": tuple(by_name.values())}))


def kept_study(results: Path, published: Published) -> KeptStudy:
    """Read a results folder. `InputError` where a file of it is missing or foreign."""
    plan = read_plan(results / folder.PLAN)
    environment = read_environment(results / folder.ENVIRONMENT)
    analysis, _ = analyse(results)
    arms = {arm.id: arm for arm in plan.arms}
    workloads = {each.workload: each for each in plan.workloads}
    return KeptStudy(
        study=plan.study,
        simulated=analysis.simulated,
        cells=tuple(
            kept
            for cell in analysis.cells
            for kept in _cells(cell, arms[cell.arm], workloads[cell.workload], published)
        ),
        limits=_limits(plan),
        **_machine(environment),
    )


def _machine(environment: Environment) -> dict[str, str | int]:
    return {
        "measured_on": (environment.began_at or "")[:10],
        "cpu_model": environment.machine.cpu_model or "unknown",
        "cpus": environment.machine.cpus or 0,
    }


def _limits(plan: Plan) -> str:
    parts = [
        part
        for each in plan.limits.values()
        for part in (
            "" if each.cpus is None else f"{units.number(each.cpus)} CPUs",
            "" if each.memory_bytes is None else units.size(each.memory_bytes),
        )
        if part
    ]
    return ", ".join(parts) or "no limits"


def _cells(cell: Cell, arm: Arm, workload: AnyWorkload, published: Published) -> Iterator[KeptCell]:
    """One for each measured stack; of an arm of several nobody knows which a figure is of."""
    choices = [each for each in arm.measured if isinstance(each, StackChoice)]
    if len(choices) != 1 or len(arm.measured) != 1:
        return
    (choice,) = choices
    load = workload if isinstance(workload, Workload) and workload.kind == "load" else None
    if load is not None and not _has_first_levels(arm, published):
        return
    scenarios = () if load is None else tuple(_scenarios(load, arm, published))
    yield KeptCell(
        stack=choice.stack,
        runtime=choice.runtime,
        kind=cell.kind,
        load=_load(load),
        scenarios=scenarios,
        key=key_of(arm, workload, published),
        figures=dict(_figures(cell, scenarios)),
    )


def _has_first_levels(arm: Arm, published: Published) -> bool:
    return all(arm.settings.get(name, level) == level for name, level in published.settings.items())


def _load(load: Workload | None) -> Load:
    if load is None:
        return ""
    return "users" if all(isinstance(each.arrivals, Users) for each in load.groups) else "rate"


def _scenarios(load: Workload, arm: Arm, published: Published) -> Iterator[str]:
    operations = {send.operation for group in load.groups for send in group.operations}
    for each in published.scenarios:
        if each.operation in operations and each.legs == arm.legs:
            yield each.name


def _figures(
    cell: Cell, scenarios: tuple[str, ...]
) -> Iterator[tuple[str, tuple[float | None, ...]]]:
    """Of a load of several operations those of the only published one, as far as it has them."""
    own: dict[str, ArmFigure] = dict(cell.by_metric)
    if len(scenarios) == 1 and len(cell.operations) > 1:
        (operation,) = {name.split()[0] for name in scenarios}
        found = (each for each in cell.operations if each.operation.split(".")[-1] == operation)
        own |= next((dict(each.by_metric) for each in found), {})
    for metric in METRICS:
        figure = own.get(metric)
        values = () if figure is None else tuple(run.value for run in figure.runs)
        if any(value is not None for value in values):
            yield metric, values


def values_of(cells: Iterable[KeptCell], metric: str) -> list[float]:
    """The values of all runs that have one."""
    return [value for cell in cells for value in cell.figures.get(metric, ()) if value is not None]
