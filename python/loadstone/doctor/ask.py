"""Asks whether programs, runtimes and tools are here, all at once: most of the time is waiting."""

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from subprocess import SubprocessError
from typing import NamedTuple

from loadstone.deploy.binaries import binary_version, find_binary, find_engine
from loadstone.deploy.dependencies.registry import KINDS
from loadstone.deploy.placement import Placement
from loadstone.doctor.engine_trial import EngineTrial, try_engine
from loadstone.doctor.presence import Presence
from loadstone.doctor.quickstart_needs import Needs, quickstart_needs
from loadstone.errors import InputError, StepFailed, Unavailable
from loadstone.study.systems.availability import availability
from loadstone.study.systems.catalogue import Catalogue
from loadstone.study.values.manifest import Runtime
from loadstone.text.plain import uncoloured

TIMEOUT_SECONDS = 5.0
"""Of each: a runtime on a JVM takes two seconds for its version when a dozen others ask too."""

_INSTALL = "Install Loadstone again (in a checkout: `make setup`)"
"""What to do where a part of the lab does not work."""

TOOLS = (
    Runtime(
        runtime="npm",
        title="npm",
        detect="npm --version",
        install="Install npm, which comes with Node.js from https://nodejs.org/.",
    ),
    Runtime(
        runtime="mvn",
        title="Maven",
        detect="mvn --version",
        install="Install Maven 3.8 or later from your distribution or https://maven.apache.org/.",
    ),
    Runtime(
        runtime="docker",
        title="Docker engine",
        detect="docker version --format {{{{.Server.Version}}}}",
        install="Install Docker Engine (https://docs.docker.com/engine/install/) and start it; "
        "no part of the lab needs it.",
    ),
)
"""Programs that are asked as runtimes are, but execute no stack."""


class Answers(NamedTuple):
    """What is here and what is not."""

    lab: tuple[Presence, ...]
    """Parts of the lab itself."""
    runtimes: tuple[Presence, ...]
    tools: tuple[Presence, ...]
    trial: EngineTrial | None
    """The engine's trial; none where it could not be made."""


def ask_all(catalogue: Catalogue, placement: Placement) -> Answers:
    """Ask. Takes `TIMEOUT_SECONDS` at most, or the second of the engine's trial."""
    needs = quickstart_needs(catalogue)
    runtimes = catalogue.runtimes()
    with ThreadPoolExecutor(max_workers=len(runtimes) + len(TOOLS) + len(KINDS) + 1) as pool:
        lab = pool.submit(_lab, needs, placement)
        asked = [pool.submit(_runtime, catalogue, each, needs) for each in runtimes]
        tools = [
            pool.submit(_asked, tool, is_needed=tool.runtime in needs.programs) for tool in TOOLS
        ]
        servers = [
            pool.submit(_server, name, kind.version)
            for name, kind in KINDS.items()
            if kind.version is not None
        ]
        parts, trial = lab.result()
        return Answers(
            parts,
            tuple(each.result() for each in asked),
            tuple(each.result() for each in (*tools, *servers)),
            trial,
        )


def _lab(needs: Needs, placement: Placement) -> tuple[tuple[Presence, ...], EngineTrial | None]:
    engine = _needed("loadstone-engine", lambda: binary_version(find_engine()))
    echo = _needed("loadstone-echo", lambda: binary_version(find_binary("loadstone-echo")))
    study = Presence(
        name="quickstart study",
        found=None if needs.problem else "is readable, with its stacks and workloads",
        reason=needs.problem,
        remedy=needs.remedy,
        needed=True,
    )
    trials: list[EngineTrial] = []

    def tried() -> str:
        trials.append(try_engine(placement))
        return _answered(trials[0])

    both_here = engine.is_here and echo.is_here
    parts = (engine, echo, study, *([_needed("trial load", tried)] if both_here else []))
    return parts, trials[0] if trials else None


def _answered(trial: EngineTrial) -> str:
    if trial.ok != trial.offered:
        raise StepFailed("load", f"only {trial.ok} of {trial.offered} requests were answered")
    return f"{trial.ok} of {trial.offered} requests answered"


def _needed(name: str, find: Callable[[], str]) -> Presence:
    try:
        return Presence(name=name, found=find(), needed=True)
    except (StepFailed, Unavailable) as error:
        log_tail = error.log_tail if isinstance(error, StepFailed) else ""
        reason = " ".join(filter(None, (error.message, log_tail)))
        remedy = error.remedy or f"{_INSTALL}; 127.0.0.1 must be usable."
    except (OSError, SubprocessError) as error:  # not executable, no loopback, no answer
        reason, remedy = str(error), f"{_INSTALL} as the user who runs the lab."
    return Presence(name=name, reason=reason, remedy=remedy, needed=True)


def _runtime(catalogue: Catalogue, name: str, needs: Needs) -> Presence:
    is_needed = name in needs.runtimes
    try:
        return _asked(catalogue.runtime(name), is_needed=is_needed)
    except (InputError, Unavailable) as error:
        return Presence(name=name, reason=error.message, remedy=error.remedy, needed=is_needed)


def _server(name: str, version: Callable[[], str]) -> Presence:
    try:
        return Presence(name=name, found=version())
    except Unavailable as error:
        return Presence(name=name, reason=error.message, remedy=error.remedy)


def _asked(runtime: Runtime, *, is_needed: bool) -> Presence:
    state = availability(runtime, TIMEOUT_SECONDS)
    return Presence(
        name=runtime.runtime,
        found=None if state.version is None else uncoloured(state.version),
        reason=None if state.reason is None else uncoloured(state.reason),
        remedy=runtime.install,
        needed=is_needed,
    )
