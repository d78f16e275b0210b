"""The facts that must match before runs of two results folders are compared.

One list, in the order in which they are told; `docs/guides/gate-a-change.md` has it in words. What
the comparison is about may differ: the code of the stacks, their builds, commands and runtimes, and
the commit. What else differs is told beside the verdicts, for it may be the cause of a difference.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from loadstone.results.environment import Environment, Machine
from loadstone.results.read import Results
from loadstone.results.record import RunRecord
from loadstone.study.values.model import Arm, Plan

_MACHINE = ("cpu_model", "cpus")
"""Another CPU is another scale."""
_INSTRUMENTS = ("loadstone", "loadstone-engine")
"""Versions: what a figure means, and how it is measured, may change between them."""
_TOLD = ("memory_bytes", "kernel", "virtualisation", "clock_source")
"""Facts of the machine that may cause a difference, and change too often to refuse for."""
_PLACES = ("service_cpus", "bench_cpus")
_ENTRY = "the entry of the system"


@dataclass(frozen=True)
class Fact:
    """One fact with its value in either folder; none where it is not recorded there."""

    name: str
    first: Any
    second: Any

    @property
    def differs(self) -> bool:
        """Whether the values are not the same."""
        return bool(self.first != self.second)

    def __str__(self) -> str:
        return f"{self.name}: {_text(self.first)} and {_text(self.second)}"


def must_match(
    first: Results, second: Results, workloads: Iterable[str], arms: Iterable[tuple[Arm, Arm]]
) -> tuple[Fact, ...]:
    """The facts of the list that differ, of the workloads and arms that are to be compared."""
    environments = first.environment, second.environment
    machines = first.environment.machine, second.environment.machine
    versions = first.environment.versions, second.environment.versions
    code = first.environment.code, second.environment.code
    digest = f"system {first.plan.system}"
    facts = [
        Fact("system", first.plan.system, second.plan.system),
        Fact("service that is loaded", *(each.plan.entry or _ENTRY for each in (first, second))),
        _of("contract and definition of the system", digest, code),
        *_limits(first.plan, second.plan),
        *(_fact(name, name, environments) for name in _PLACES),
        *_workloads(first.plan, second.plan, workloads),
        *(fact for pair in arms for fact in _arm(*pair, first, second)),
        *(_fact(name, name, machines) for name in _MACHINE),
        Fact("engines elsewhere", *map(_engines, environments)),
        *(_of(f"version of {name}", name, versions) for name in _INSTRUMENTS),
    ]
    return tuple(fact for fact in facts if fact.differs)


def may_differ(first: Results, second: Results) -> tuple[Fact, ...]:
    """What else was recorded and differs: a difference may be its doing, or is what is compared."""
    environments = first.environment, second.environment
    machines = first.environment.machine, second.environment.machine
    versions = first.environment.versions, second.environment.versions
    code = first.environment.code, second.environment.code
    facts = [
        *(_fact(name.replace("_", " "), name, machines) for name in _TOLD),
        *(
            _of(f"version of {name}", name, versions)
            for name in dict.fromkeys((*versions[0], *versions[1]))
            if name not in _INSTRUMENTS
        ),
        *(
            _of(f"code of {name.removeprefix('code of ')}", name, code)
            for name in dict.fromkeys((*code[0], *code[1]))
            if not name.startswith("system ")
        ),
        _fact("commit", "commit", environments),
        Fact("blocks", first.plan.blocks, second.plan.blocks),
    ]
    return tuple(fact for fact in facts if fact.differs)


def _engines(environment: Environment) -> tuple[str, ...]:
    """The CPU models of the machines with an engine; empty where that was with the service."""
    site = next(iter(environment.machines.values()), None)
    engines = {} if site is None else site.engines
    return tuple(str(each.machine.cpu_model) for each in engines.values())


def _fact(name: str, key: str, values: tuple[Environment | Machine, ...]) -> Fact:
    first, second = (getattr(value, key) for value in values)
    return Fact(name, first, second)


def _of(name: str, key: str, mappings: tuple[Mapping[str, Any], ...]) -> Fact:
    return Fact(name, *_both(key, *mappings))


def _both(key: str, first: Mapping[str, Any], second: Mapping[str, Any]) -> tuple[Any, Any]:
    return first.get(key), second.get(key)


def _limits(first: Plan, second: Plan) -> Iterable[Fact]:
    services = dict.fromkeys((*first.limits, *second.limits))
    for service in services:
        limits = [plan.limits.get(service) for plan in (first, second)]
        given = [each.model_dump() if each is not None else {} for each in limits]
        for name in dict.fromkeys((*given[0], *given[1])):
            yield Fact(f"limit of {service}, {name}", *_both(name, *given))


def _workloads(first: Plan, second: Plan, names: Iterable[str]) -> Iterable[Fact]:
    """Every field: duration, time-outs, stop rules; of groups arrivals, pauses, feeds, steps and
    payloads.
    """
    for name in names:
        given = [
            next(each for each in plan.workloads if each.workload == name).model_dump(mode="json")
            for plan in (first, second)
        ]
        groups = [
            {group["group"]: group for group in workload.pop("groups", ())} for workload in given
        ]
        yield from _fields(f"workload {name}", *given)
        yield Fact(f"workload {name}, groups", *(", ".join(each) for each in groups))
        for group in (each for each in groups[0] if each in groups[1]):
            is_only = len(groups[0]) == len(groups[1]) == 1
            where = f"workload {name}" if is_only else f"workload {name}, {group}"
            yield from _fields(where, *(each[group] for each in groups))


def _fields(where: str, first: Mapping[str, Any], second: Mapping[str, Any]) -> Iterable[Fact]:
    for field in dict.fromkeys((*first, *second)):
        yield Fact(f"{where}, {field}", *_both(field, first, second))


def _arm(arm: Arm, other: Arm, first: Results, second: Results) -> Iterable[Fact]:
    """Factors but those that name a stack, when arms of different ids are compared; legs, settings and
    what stands on the bench; what held the service.
    """
    where = f"arm {arm.id}" if arm.id == other.id else f"arms {arm.id} and {other.id}"
    settings = dict.fromkeys((*arm.settings, *other.settings))
    if arm.id == other.id:
        for name in dict.fromkeys((*arm.factors, *other.factors)):
            if name not in settings:
                yield Fact(f"{where}, {name}", *_both(name, arm.factors, other.factors))
    for leg in dict.fromkeys((*arm.legs, *other.legs)):
        if arm.id != other.id or leg not in arm.factors:
            yield Fact(f"{where}, protocol of {leg}", *_both(leg, arm.legs, other.legs))
    for name in settings:
        yield Fact(f"{where}, {name}", *_both(name, arm.settings, other.settings))
    if arm.id != other.id:
        for name in dict.fromkeys((*arm.bench_services, *other.bench_services)):
            yield Fact(f"{where}, {name}", *_both(name, arm.factors, other.factors))
    yield Fact(f"{where}, page cache", arm.page_cache, other.page_cache)
    held = [_isolation(results, own.id) for results, own in ((first, arm), (second, other))]
    yield Fact(f"{where}, isolation", *held)


def _isolation(results: Results, arm: str) -> str | None:
    """By what the services of an arm were held to their CPUs and memory."""
    records: Iterable[RunRecord] = (
        run.record for run in results.runs if run.planned.arm == arm and run.record is not None
    )
    ways = {
        service.confinement.isolation
        for record in records
        for service in record.services
        if service.confinement is not None
    }
    return ", ".join(sorted(ways)) or None


def _text(value: Any) -> str:
    if value is None:
        return "not recorded"
    text = str(list(value) if isinstance(value, tuple) else value)
    return text if len(text) <= _LONG else f"{text[:_LONG]}…"


_LONG = 60
"""Characters of a value; a digest has 64."""
