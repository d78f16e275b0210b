"""Rule on settings: what dependencies were started with, and what held the services.

The pool of a service has no row here: what a service does with its environment is its own.
"""

from collections import defaultdict
from collections.abc import Iterator, Sequence
from itertools import permutations

from loadstone.audit import touched_metrics
from loadstone.audit.study.symmetry import completed, values_text
from loadstone.findings import scope
from loadstone.findings.model import Finding, Severity
from loadstone.results.read import StoredRun
from loadstone.results.record import ProcessFacts, RunRecord
from loadstone.study.values.manifest import joined_levels
from loadstone.study.values.model import Protocol
from loadstone.text import units

_Level = tuple[str, str]


def settings_differ(runs: Sequence[StoredRun]) -> Iterator[Finding]:
    """Settings, limits and CPUs that differ between arms under one workload and are no factor."""
    found: dict[tuple[str, str], dict[str, dict[str, set[_Level]]]] = defaultdict(
        lambda: defaultdict(dict)
    )
    for record in completed(runs):
        for what, value in _settings(record):
            arms = found[record.run.workload, what][value]
            arms[record.run.arm] = set(record.run.factors.items())
    for (workload, what), values in found.items():
        if len(values) > 1 and _is_the_arms(values) and not _is_factor(values):
            yield Finding(
                code="settings-differ",
                severity=Severity.WARNING,
                subject=scope.STUDY,
                metrics=touched_metrics.LOAD,
                evidence=f"under {workload}, {what} was not the same for all arms, and is no factor: "
                f"{values_text(values)}",
                advice="give all arms the same, or make it a factor of the study",
            )


def _is_the_arms(values: dict[str, dict[str, set[_Level]]]) -> bool:
    """Whether each arm has one value. What changes from run to run, as a port does, is no setting."""
    arms = [arm for having in values.values() for arm in having]
    return len(arms) == len(set(arms))


def _is_factor(values: dict[str, dict[str, set[_Level]]]) -> bool:
    """Whether the level of one factor asks for the value, or those of several together, in every arm
    that has it.
    """
    asked = [
        _asked_by(value, factors) for value, arms in values.items() for factors in arms.values()
    ]
    return bool(set.intersection(*asked))


def _asked_by(value: str, factors: set[_Level]) -> set[frozenset[str]]:
    """The groups of factors, mostly of one, whose levels are the value: joined, as those of data that
    several factors seed are.
    """
    parts = {
        (factor, text)
        for factor, level in factors
        for text in (level, _spoken_by_the_lab(level))
        if text is not None and text in value
    }
    return {
        frozenset(factor for factor, _ in order)
        for count in range(1, len(parts) + 1)
        for order in permutations(parts, count)
        if joined_levels(text for _, text in order) == value
    }


def _spoken_by_the_lab(level: str) -> str | None:
    """What a dependency of the lab speaks on a leg of that protocol."""
    return next((each.of_the_lab for each in Protocol if each == level), None)


def _settings(record: RunRecord) -> Iterator[tuple[str, str]]:
    for process in record.processes:
        if process.role == "dependency":
            for name, value in process.settings.items():
                if name != "version":  # of which `versions-differ` tells
                    yield f"`{name}` of the dependency {process.name}", value
        if process.role in ("dependency", "bench", "service"):
            cpus = ", ".join(map(str, process.cpus))
            yield f"the CPUs of {process.name}", f"CPU {cpus}"
        if process.confinement is not None:
            yield from _limits(process)


def _limits(process: ProcessFacts) -> Iterator[tuple[str, str]]:
    held = process.confinement
    if held is not None:
        cpus = "none" if held.cpus is None else units.number(held.cpus)
        memory = "none" if held.memory_bytes is None else units.size(held.memory_bytes)
        yield f"the CPU quota of {process.name}", cpus
        if held.warm_up_cpus is not None:
            warming = units.number(held.warm_up_cpus)
            yield f"the CPU quota of {process.name} in its warm-up", warming
        yield f"the memory limit of {process.name}", memory
        yield f"what holds {process.name}", held.isolation
