"""A deployed service: fresh processes on free ports, and the start-up clock already read."""

import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from loadstone.deploy import process
from loadstone.deploy.build import Built
from loadstone.deploy.ports import free_port
from loadstone.errors import StepFailed
from loadstone.measure.startup import first_correct_response
from loadstone.results.record import StartupFacts
from loadstone.study.manifest import Service, Stack
from loadstone.study.model import Protocol

START_UP_TIMEOUT_SECONDS = 60.0
"""How long a service may take to its first correct response, as in the published benchmark scripts."""


@dataclass(frozen=True)
class Deployment:
    """A running service under test."""

    child: process.Child
    base_url: str
    startup: StartupFacts


@contextmanager
def deploy(
    service: Service,
    stack: Stack,
    built: Built,
    *,
    dependency_urls: Mapping[str, str],
    legs: Mapping[str, Protocol],
    cpus: tuple[int, ...],
    logs: Path,
) -> Iterator[Deployment]:
    """Start a service, wait for its first correct response, stop it at the end of the block.

    Raises StepFailed('deploy') when it cannot be started, StepFailed('start-up') when it ends or
    stays wrong.
    """
    port = free_port()
    variables = {
        "PORT": str(port),
        **{f"{leg.upper()}_PROTOCOL": protocol.value for leg, protocol in legs.items()},
        **{name: text.format_map(dependency_urls) for name, text in service.variables.items()},
    }
    log_path = logs / f"{service.service}.log"
    spawned_ns = time.monotonic_ns()
    try:
        child = process.start(
            service.service,
            stack.run,
            directory=built.directory,
            log_path=log_path,
            cpus=cpus,
            variables=variables,
        )
    except OSError as error:
        raise StepFailed("deploy", f"`{stack.run}` cannot be started: {error}") from error
    with process.running(child):
        startup = first_correct_response(
            child, port, service.ready, START_UP_TIMEOUT_SECONDS, spawned_ns
        )
        yield Deployment(child, f"http://127.0.0.1:{port}", startup)
