"""The training run of runtimes that have one: the whole contract is asked, and the exit leaves a file.

It is part of the build: done once, kept beside the artifact, and never part of a measured start.
"""

import subprocess
import time
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path

from loadstone.contract.model import Contract
from loadstone.contract.run import run_checks
from loadstone.contract.upstream import RecordingUpstream
from loadstone.deploy.deployment import Conditions, Deployment, Launch
from loadstone.deploy.standing import standing
from loadstone.errors import StepFailed
from loadstone.measure.bench import Prepared
from loadstone.study.manifest import System

EXIT_SECONDS = 120.0
"""The archive is written after SIGTERM; a large application's was seen to take half a minute."""


def train(
    system: System, prepared: Mapping[str, Prepared], contract: Contract, conditions: Conditions
) -> dict[str, Prepared]:
    """Train the services whose runtimes train, or find them trained; return them with the facts.

    They are trained together, since the system answers only when all of them stand, and under the arm's
    limits, which decide about the garbage collector, which the file is for. Raises StepFailed.
    """
    began = time.monotonic_ns()
    files = {name: file for name, each in prepared.items() if (file := _file(each)) is not None}
    missing = {name for name, file in files.items() if not file.is_file()}
    if missing:
        launches = {
            name: _training(each) if name in missing else each.launch
            for name, each in prepared.items()
        }
        _run(system, launches, missing, contract, conditions)
    for name in missing:
        if not files[name].is_file():
            raise StepFailed(
                "build", f"`{launches[name].command}` ended and left no {files[name].name}"
            )
    training_ns = time.monotonic_ns() - began
    return {name: _with_facts(prepared[name], file, training_ns) for name, file in files.items()}


def _file(prepared: Prepared) -> Path | None:
    """What the training leaves; none for a runtime without one."""
    training = prepared.runtime.runtime.train
    return None if training is None else prepared.launch.built.directory / training.creates


def _training(prepared: Prepared) -> Launch:
    command = prepared.runtime.training_command(prepared.stack)
    assert command is not None
    return replace(prepared.launch, command=command)


def _with_facts(prepared: Prepared, file: Path, training_ns: int) -> Prepared:
    built = prepared.launch.built
    facts = built.facts.model_copy(
        update={"training_ns": training_ns, "training_bytes": file.stat().st_size}
    )
    return replace(prepared, built=replace(built, facts=facts))


def _run(
    system: System,
    launches: Mapping[str, Launch],
    trained: set[str],
    contract: Contract,
    conditions: Conditions,
) -> None:
    with (
        RecordingUpstream() as upstream,
        standing(system, launches, conditions, upstream_url=upstream.url) as stands,
    ):
        run_checks(contract, stands.base_url, upstream, quick_only=False, budget_seconds=None)
        for name, deployment in stands.services.items():
            if name in trained:
                _end(deployment, launches[name].command)


def _end(deployment: Deployment, command: str) -> None:
    deployment.child.terminate()
    try:
        deployment.child.process.wait(EXIT_SECONDS)
    except subprocess.TimeoutExpired:
        raise StepFailed(
            "build",
            f"the training run `{command}` did not end within {EXIT_SECONDS:g} s of SIGTERM",
            deployment.child.log_tail(),
        ) from None
