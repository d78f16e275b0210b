"""Build a stack, and train it where its runtime asks for that.

A training run is asked the whole contract, and its exit leaves a file that later runs start from.

Training is part of the build: done once, kept beside the artifact, and never part of a measured
start. It has the run's limits, which decide about the heap and the garbage collector that the file
is for (a JVM refuses an archive of a heap with other pointers), so other limits are another training.
"""

import hashlib
import shutil
import subprocess
import time
from collections.abc import Callable, Mapping
from dataclasses import replace
from pathlib import Path

from pydantic import BaseModel

from loadstone.contract.model import Contract
from loadstone.contract.run import run_checks
from loadstone.contract.upstream import RecordingUpstream
from loadstone.deploy.build import Built, build
from loadstone.deploy.confinement.interface import Confine
from loadstone.deploy.deployment import Launch, deploy
from loadstone.deploy.whole_folder import whole_folder
from loadstone.errors import StepFailed
from loadstone.study.launch import FoundRuntime
from loadstone.study.manifest import Stack, System
from loadstone.study.model import Limits, Protocol

EXIT_SECONDS = 120.0
"""The archive is written after SIGTERM; a large application's was seen to take half a minute."""

_FACTS = "loadstone-training.json"


class _Marker(BaseModel):
    duration_ns: int
    file_bytes: int


def build_and_train(
    system: System,
    stack: Stack,
    runtime: FoundRuntime,
    contract: Contract,
    legs: Mapping[str, Protocol],
    *,
    cpus: tuple[int, ...],
    limits: Limits,
    confine: Confine,
    cache: Path,
    logs: Path,
    say: Callable[[str], None],
) -> Built:
    """Return a build that the runtime's launch command can run. Raises StepFailed('build').

    `say` is told which of the two begins: `build` or `train`.
    """
    say("build")
    built = build(stack, runtime, cache, logs / "build.log")
    training, command = runtime.runtime.train, runtime.training_command(stack)
    if training is None or command is None:
        return built
    say("train")
    directory = built.directory.with_name(f"{built.directory.name}-{_conditions(cpus, limits)}")
    if _read(built, directory) is None:
        with whole_folder(directory) as partial:
            shutil.copytree(built.directory, partial, symlinks=True)
            began = time.monotonic_ns()
            untrained = replace(built, directory=partial)
            file = partial / training.creates
            _run(
                command,
                file,
                system,
                runtime,
                untrained,
                contract,
                legs,
                cpus,
                limits,
                confine,
                logs,
            )
            marker = _Marker(
                duration_ns=time.monotonic_ns() - began, file_bytes=file.stat().st_size
            )
            (partial / _FACTS).write_text(marker.model_dump_json())
    trained = _read(built, directory)
    if trained is None:
        raise StepFailed("build", f"the trained build could not be kept in {directory}")
    return trained


def _conditions(cpus: tuple[int, ...], limits: Limits) -> str:
    """Name what the training sees of the machine: the number of CPUs and the limits."""
    seen = f"{len(cpus)} {limits.model_dump_json()}"
    return hashlib.sha256(seen.encode()).hexdigest()[:8]


def _read(built: Built, directory: Path) -> Built | None:
    try:
        marker = _Marker.model_validate_json((directory / _FACTS).read_text())
    except (OSError, ValueError):
        return None
    facts = built.facts.model_copy(
        update={"training_ns": marker.duration_ns, "training_bytes": marker.file_bytes}
    )
    return Built(directory, facts)


def _run(
    command: str,
    file: Path,
    system: System,
    runtime: FoundRuntime,
    built: Built,
    contract: Contract,
    legs: Mapping[str, Protocol],
    cpus: tuple[int, ...],
    limits: Limits,
    confine: Confine,
    logs: Path,
) -> None:
    with (
        RecordingUpstream() as upstream,
        deploy(
            system.service,
            Launch(command, built.directory, runtime),
            dependency_urls=dict.fromkeys(system.service.needs, upstream.url),
            legs=legs,
            cpus=cpus,
            limits=limits,
            confine=confine,
            logs=logs / "train",
        ) as deployment,
    ):
        run_checks(contract, deployment.base_url, upstream, quick_only=False, budget_seconds=None)
        deployment.refuse_ended("build", "in its training run")
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
