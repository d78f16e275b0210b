"""The training run of runtimes that have one: it is asked the whole contract, and its exit leaves a
file that later runs start from.

Training is part of the build: done once, kept beside the artifact, and never part of a measured
start. It has the run's CPUs, and so many times its memory as writing the file takes: both decide about
the heap and the garbage collector that the file is for (a JVM refuses an archive of a heap with other
pointers), so other limits are another training. So are other legs: what TLS or HTTP/2 need is not in a
file that was made without them.
"""

import hashlib
import shutil
import subprocess
import time
from collections.abc import Collection, Iterator, Mapping
from contextlib import ExitStack
from dataclasses import replace
from pathlib import Path

from pydantic import BaseModel

from loadstone.contract.model import Contract
from loadstone.contract.run import run_checks
from loadstone.deploy.build import Built
from loadstone.deploy.deployment import Conditions, Deployment, Launch
from loadstone.deploy.stand_ins import standing_while_held
from loadstone.deploy.whole_folder import whole_folder
from loadstone.errors import StepFailed
from loadstone.measure.prepare.prepared import Parts, Prepared
from loadstone.measure.prepare.whole_contract import legs_at, recorded
from loadstone.study.values.manifest import Service, System

EXIT_SECONDS = 120.0
"""The archive is written after SIGTERM; a large application's was seen to take half a minute."""

MEMORY_TIMES = 3
"""Of the run's memory. A JVM has its cache written by a second one beside itself, which the kernel
killed under 512 MiB; the application, a large one, serves well there."""

_FACTS = "loadstone-training.json"


class _Marker(BaseModel):
    duration_ns: int
    file_bytes: int


def is_untrained(prepared: Prepared) -> bool:
    """Whether its runtime wants a training that it has not had."""
    if prepared.source is None or prepared.built is None:
        return False
    wanted = prepared.source.runtime.runtime.train is not None
    return wanted and prepared.built.facts.training_ns is None


def train(system: System, parts: Parts, contract: Contract, conditions: Conditions) -> Parts:
    """Train the services whose runtimes train, or find them trained; return all, by service.

    Those that stand when the entry is called are trained together, since the system answers only when
    all of them stand. What stands on the bench, and what the recording upstream stands in for there, is
    called itself. They are asked what changes nothing around them: a file that holds how to fail serves
    nobody. Raises StepFailed('build') where a training leaves no file.
    """
    found = dict(parts)
    untrained = {name: each.built for name, each in parts.items() if is_untrained(each)}
    for called, names in _calls(system, parts, untrained):
        under = _conditions_at(system, called, conditions)
        folders = {
            name: _folder(built, under, system.service(name))
            for name, built in untrained.items()
            if name in names and built is not None
        }
        missing = {name: folder for name, folder in folders.items() if _read(folder) is None}
        if missing:
            known = {
                name: _trained(each, folders[name])
                if name in folders and name not in missing
                else each
                for name, each in found.items()
            }
            _make(system, known, missing, contract.about(called), under, called)
        found |= {name: _trained(found[name], folder) for name, folder in folders.items()}
    return found


def _calls(
    system: System, parts: Parts, untrained: Collection[str]
) -> Iterator[tuple[str | None, tuple[str, ...]]]:
    """Yield in turn which service is called, none for the entry, and who is trained by that.

    What stands on the bench comes first: it may stand behind the others.
    """
    at_entry = standing_while_held(system, None) if system.entry in parts else frozenset()
    together = at_entry - set(system.bench_services)
    yield from ((name, (name,)) for name in system.bench_services if name in untrained)
    yield None, tuple(name for name in untrained if name in together)
    for name in untrained:
        if name not in together and name not in system.bench_services:
            yield name, (name,)


def _conditions_at(system: System, called: str | None, conditions: Conditions) -> Conditions:
    """Those of a training in which a service is called: with the legs of what stands then."""
    standing = standing_while_held(system, called)
    own = {leg for each in system.services if each.service in standing for leg in each.legs}
    legs = {leg: protocol for leg, protocol in conditions.legs.items() if leg in own}
    return replace(conditions.with_logs(called or system.entry), legs=legs)


def _folder(built: Built, conditions: Conditions, service: Service) -> Path:
    """Name what the training sees: the number of CPUs, the limits, and what is spoken."""
    limits = conditions.limits_of(service)
    spoken = " ".join(conditions.legs.values())
    seen = f"{len(conditions.cpus_of(service))} {limits.model_dump_json()} {spoken}"
    digest = hashlib.sha256(seen.encode()).hexdigest()[:8]
    return built.directory.with_name(f"{built.directory.name}-{digest}")


def _read(folder: Path) -> _Marker | None:
    try:
        return _Marker.model_validate_json((folder / _FACTS).read_text())
    except (OSError, ValueError):
        return None


def _trained(prepared: Prepared, folder: Path) -> Prepared:
    marker = _read(folder)
    if marker is None or prepared.built is None:
        raise StepFailed("build", f"the trained build could not be kept in {folder}")
    facts = prepared.built.facts.model_copy(
        update={"training_ns": marker.duration_ns, "training_bytes": marker.file_bytes}
    )
    built = replace(prepared.built, directory=folder, facts=facts)
    return replace(
        prepared, built=built, launch=replace(prepared.launch, directory=built.run_directory)
    )


def _make(
    system: System,
    parts: Parts,
    missing: Mapping[str, Path],
    contract: Contract,
    conditions: Conditions,
    service: str | None,
) -> None:
    """Make the folders that are missing, each a copy of the build with what the training leaves."""
    launches, files = {name: each.launch for name, each in parts.items()}, {}
    partials: dict[str, Path] = {}
    began = time.monotonic_ns()
    with ExitStack() as folders:
        for name, folder in missing.items():
            partial = folders.enter_context(whole_folder(folder))
            launch, creates = _training(parts[name])
            built = parts[name].built
            assert built is not None
            shutil.copytree(built.directory, partial, symlinks=True)
            launches[name] = replace(launch, directory=partial / built.folder)
            files[name] = partial / built.folder / creates
            partials[name] = partial
        _run(system, launches, files, contract, conditions, service)
        for name, file in files.items():
            marker = _Marker(
                duration_ns=time.monotonic_ns() - began, file_bytes=file.stat().st_size
            )
            (partials[name] / _FACTS).write_text(marker.model_dump_json())


def _training(prepared: Prepared) -> tuple[Launch, str]:
    """Return how the training is started, and the file that it creates."""
    assert prepared.source is not None
    runtime, stack = prepared.source.runtime, prepared.source.stack
    command, training = runtime.training_command(stack), runtime.runtime.train
    assert command is not None
    assert training is not None
    return replace(prepared.launch, command=command), training.creates


def _run(
    system: System,
    launches: Mapping[str, Launch],
    files: Mapping[str, Path],
    contract: Contract,
    conditions: Conditions,
    service: str | None,
) -> None:
    # One process each: a second one would write the same file.
    alone = system.one_of_each()
    with recorded(alone, launches, _roomy(conditions), service) as (deployed, upstream):
        run_checks(
            contract,
            deployed.base_url,
            upstream,
            quick_only=False,
            budget_seconds=None,
            legs=legs_at(system, conditions.legs, service),
            authority=deployed.authority,
        )
        deployed.refuse_ended("build", "in its training run")
        for name, file in files.items():
            _end(deployed.here[name], launches[name].command, file)


def _roomy(conditions: Conditions) -> Conditions:
    limits = {
        name: each
        if each.memory_bytes is None
        else each.model_copy(update={"memory_bytes": MEMORY_TIMES * each.memory_bytes})
        for name, each in conditions.limits.items()
    }
    return replace(conditions, limits=limits)


def _end(deployment: Deployment, command: str, file: Path) -> None:
    deployment.child.terminate()
    try:
        deployment.child.process.wait(EXIT_SECONDS)
    except subprocess.TimeoutExpired:
        raise StepFailed(
            "build",
            f"the training run `{command}` did not end within {EXIT_SECONDS:g} s of SIGTERM",
            deployment.child.log_tail(),
        ) from None
    if not file.is_file():
        raise StepFailed(
            "build",
            f"the training run `{command}` {deployment.child.ending()}, and left no {file.name}",
            deployment.child.log_tail(),
        )
