"""The stacks of the mediation system, built and ready to be started by a test."""

import os
import shlex
import subprocess
from contextlib import AbstractContextManager
from dataclasses import dataclass
from pathlib import Path
from typing import NamedTuple

import pytest
from gateway_process import START_SECONDS, Gateway, gateway, leg_variables

import held_stacks
from held_stacks import CATALOGUE, as_parameters, variants_of
from loadstone.contract.model import Contract
from loadstone.contract.upstream import RecordingUpstream
from loadstone.study.systems.launch import FoundRuntime, gc_log_path, with_gc_log
from loadstone.study.values.manifest import Stack
from loadstone.study.values.model import Protocol

SYSTEM = CATALOGUE.system("mediation")
EVERY = CATALOGUE.stacks(SYSTEM, "gateway")
STACKS = [stack for stack in EVERY if stack.yardstick is None]
YARDSTICKS = [stack for stack in EVERY if stack.yardstick is not None]
"""Smallest servers, which are no gateways: of a contract they hold the clauses that they name."""

CHEAP = ("go", "express", "node")
"""Built and started in a moment; the others are slow."""
READY_MADE = ("nginx", "haproxy", "caddy")
"""Of the process rules they keep the port, the end by SIGTERM and the waits (SPEC, Process)."""


class Legs(NamedTuple):
    """What is spoken on either side of a gateway."""

    client: Protocol
    upstream: Protocol


CLEARTEXT = Legs(Protocol.H1C, Protocol.H1C)
OLDEST_AND_NEWEST = (CLEARTEXT, Legs(Protocol.H2, Protocol.H2))


class Variant(held_stacks.Variant):
    """A stack on one of its runtimes."""

    @property
    def is_cheap(self) -> bool:
        return self.stack.stack in CHEAP and self.runtime == self.stack.runtimes[0]


VARIANTS = [Variant(*each) for each in variants_of(STACKS)]


@dataclass(frozen=True)
class Ready:
    """A stack that is built, and trained where its runtime asks for that."""

    stack: Stack
    command: list[str]
    directory: Path
    runtime: FoundRuntime

    @property
    def is_ready_made(self) -> bool:
        return self.stack.stack in READY_MADE

    def start(
        self,
        upstream: RecordingUpstream,
        client: Protocol = Protocol.H1C,
        *,
        under: tuple[str, ...] = (),
        **more: str,
    ) -> AbstractContextManager[Gateway]:
        """Start it, perhaps under a program that confines it, or with more variables."""
        told = {**self.variables(), **leg_variables(client, upstream), **more}
        return gateway(
            [*under, *self.command],
            self.directory,
            upstream.url,
            told,
            client=client,
            says_its_port=not self.is_ready_made,
        )

    def variables(self) -> dict[str, str]:
        return {**os.environ, **self.runtime.variables(os.environ["PATH"])}

    def end_with(self, **variables: str) -> "subprocess.CompletedProcess[str]":
        """Start it wrongly, and return its end."""
        return subprocess.run(
            self.command,
            cwd=self.directory,
            env={**self.variables(), **variables},
            capture_output=True,
            text=True,
            timeout=START_SECONDS,
            check=False,
        )

    def own_lines(self, lines: list[str]) -> list[str]:
        """Leave out what the runtime says of itself."""
        return self.runtime.without_proof("\n".join(lines)).splitlines()


def on_every_runtime() -> list[object]:
    """A parameter for every stack on every runtime."""
    return as_parameters(VARIANTS)


def ready(variant: Variant, contract: Contract, tmp_path_factory: pytest.TempPathFactory) -> Ready:
    """Build a stack, and train it; skip the test where its runtime is not here."""
    logs = tmp_path_factory.mktemp("logs")
    launch = held_stacks.ready(SYSTEM, "gateway", variant, contract, logs).launch
    assert launch.runtime is not None
    command = with_gc_log(launch.command, gc_log_path(logs, "gateway"))
    return Ready(variant.stack, shlex.split(command), launch.directory, launch.runtime)
