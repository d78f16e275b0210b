"""Observe where and with what a study runs, and refuse to resume it where that has changed.

The facts that must match are those that change what is measured. What merely describes the moment
(load average) is kept for the reader and may differ.
"""

import hashlib
import os
import platform
from collections.abc import Sequence
from pathlib import Path

import psutil

import loadstone
from loadstone.deploy.binaries import binary_version, find_binary, find_engine
from loadstone.deploy.placement import Placement
from loadstone.errors import LoadstoneError, Unavailable
from loadstone.machine.git import GitFailed, git, text_of
from loadstone.results.environment import Environment, Machine
from loadstone.results.lab_code import lab_code
from loadstone.results.record import now_utc
from loadstone.study.systems.roots import INSTALLED


def observe_environment(
    root: Path,
    placement: Placement,
    runtime_versions: dict[str, str],
    frameworks: dict[str, str],
    digests: dict[str, str],
) -> Environment:
    """Return the environment of a study that begins now."""
    return Environment(
        machine=machine(),
        versions={
            "loadstone": loadstone.__version__,
            "loadstone-engine": binary_version(find_engine()),
            "python": platform.python_version(),
            **runtime_versions,
        },
        frameworks=frameworks,
        code={
            "lab": digest_of(lab_code()),
            "loadstone-engine": digest_of([find_engine()]),
            "loadstone-echo": digest_of([find_binary("loadstone-echo")]),
            **digests,
        },
        service_cpus=placement.service,
        bench_cpus=placement.bench,
        commit=commit_of(root),
        began_at=now_utc(),
        load_average=os.getloadavg(),
    )


def machine() -> Machine:
    """Return the facts of this machine."""
    cpu_info = _text("/proc/cpuinfo")
    model = next(
        (line.partition(":")[2].strip() for line in cpu_info.splitlines() if "model name" in line),
        platform.machine(),
    )
    return Machine(
        cpu_model=model,
        cpus=os.cpu_count() or 1,
        memory_bytes=psutil.virtual_memory().total,
        kernel=platform.release(),
        virtualisation="hypervisor" if " hypervisor" in cpu_info else "none seen",
        clock_source=_text(
            "/sys/devices/system/clocksource/clocksource0/current_clocksource"
        ).strip(),
    )


def refuse_changes(before: Environment, now: Environment) -> None:
    """Raise LoadstoneError naming every fact that must match between a study's parts and does not."""
    changes = [
        f"{name}: was {old!r}, is {new!r}"
        for part in ("machine", "versions", "code")
        for name, old, new in _differences(_mapping(before, part), _mapping(now, part))
    ]
    changes += [
        f"{name}: was {getattr(before, name)}, is {getattr(now, name)}"
        for name in ("service_cpus", "bench_cpus")
        if getattr(before, name) != getattr(now, name)
    ]
    if bool(before.machines) != bool(now.machines):
        changes.append(f"machines: were {_counted(before)}, are {_counted(now)}")
    if _engines(before) != _engines(now):
        changes.append(f"machines with an engine: were {_engines(before)}, are {_engines(now)}")
    if _are_apart(before) != _are_apart(now):
        where = {True: "apart", False: "with the services"}
        changes.append(
            f"dependencies: were {where[_are_apart(before)]}, are {where[_are_apart(now)]}"
        )
    if changes:
        raise LoadstoneError(
            "the study cannot be resumed, because this changed since it began:\n  "
            + "\n  ".join(changes),
            "restore it, or start the study anew without --resume",
        )


def _engines(environment: Environment) -> int:
    """How many load each site, beside the machine of the service."""
    return max((len(each.engines) for each in environment.machines.values()), default=0)


def _are_apart(environment: Environment) -> bool:
    """Whether dependencies have machines of their own."""
    return any(each.dependencies for each in environment.machines.values())


def _counted(environment: Environment) -> str:
    return "several" if environment.machines else "this one alone"


def _mapping(environment: Environment, part: str) -> dict[str, object]:
    found: dict[str, object] = environment.model_dump()[part]
    return found


def _differences(
    before: dict[str, object], now: dict[str, object]
) -> list[tuple[str, object, object]]:
    names = sorted({*before, *now})
    return [
        (name, before.get(name), now.get(name))
        for name in names
        if before.get(name) != now.get(name)
    ]


def digest_of(paths: Sequence[Path]) -> str:
    """Return the SHA-256 over the content of files."""
    digest = hashlib.sha256()
    for path in paths:
        digest.update(path.read_bytes())
    return digest.hexdigest()


def commit_of(root: Path) -> str:
    """Return the commit of a checkout; `-dirty` with changes, `unknown` where there is none."""
    if root == INSTALLED:  # a repository around it would be somebody else's
        return "unknown"
    try:
        is_dirty = bool(git(root, "status", "--porcelain"))
        return text_of(root, "rev-parse", "HEAD") + ("-dirty" if is_dirty else "")
    except (GitFailed, Unavailable):
        return "unknown"


def _text(path: str) -> str:
    try:
        return Path(path).read_text()
    except OSError:
        return "unknown"
