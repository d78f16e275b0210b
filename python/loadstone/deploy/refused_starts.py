"""Starts that are refused though something may have answered: whoever did was not what was started."""

import socket
from contextlib import suppress

from loadstone.deploy import process
from loadstone.deploy.ports import LOOPBACK
from loadstone.deploy.taken_port import foreign_listener
from loadstone.errors import StepFailed
from loadstone.study.systems.launch import FoundRuntime
from loadstone.text.at_port import at_port

ELSEWHERE_SECONDS = 1.0
"""For a service to take a connection where it should not listen."""


def refuse_taken_port(port: int, child: process.Child, and_then: str) -> None:
    """Raise StepFailed where another program has the port that was chosen for the service."""
    taker = foreign_listener(port)
    if taker is not None:
        raise StepFailed(
            "start-up",
            f"port {port} was free when it was chosen for {child.name}, but {taker} took it"
            f"{and_then}",
            child.log_tail(),
        )


def refuse_elsewhere(address: str, port: int, child: process.Child) -> None:
    """Raise StepFailed where a service listens on loopback alone, and not where it was told to."""
    if address == LOOPBACK:
        return
    with suppress(OSError), socket.create_connection((LOOPBACK, port), ELSEWHERE_SECONDS):
        raise StepFailed(
            "start-up",
            f"{child.name} listens at {at_port(LOOPBACK, port)}, and HOST told it to listen at "
            f"{address}: its stack does not read HOST, so no other machine can load it",
            child.log_tail(),
        )


def refuse_unproven(runtime: FoundRuntime, child: process.Child) -> None:
    """Raise StepFailed where the log lacks what shows that the runtime is really in use."""
    proof = runtime.runtime.proof
    if proof is not None and proof not in child.log_path.read_text(errors="replace"):
        raise StepFailed(
            "start-up",
            f"{child.name} answers, but its log does not show that {runtime.runtime.title} runs it: "
            f"{proof!r} is missing",
            child.log_tail(),
        )
