"""The engine as a child: its plan in, its events out."""

import copy
import ipaddress
import json
import os
import socket
from collections.abc import Sequence
from pathlib import Path
from typing import Any
from urllib.parse import SplitResult, urlsplit

from pydantic import ValidationError

from loadstone.deploy import process
from loadstone.deploy.binaries import find_engine
from loadstone.errors import LoadstoneError, StepFailed, TargetRefused, Unavailable
from loadstone.results import folder
from loadstone.results.record import LoadFacts
from loadstone.study.model import Operation, Users, Workload

SAMPLE_BODY_BYTES = 65_536
"""Of a sampled body: more than any payload of the thin systems, little enough for one sample a
second.
"""

URL_EXAMPLE = "for example http://127.0.0.1:8080/"

SECRET_FIELDS = {"authorization", "proxy-authorization", "cookie", "x-api-key"}
MASK = "(masked)"

Event = dict[str, Any]


def resolve_target(url: str, allowed: Sequence[str]) -> tuple[SplitResult, str]:
    """Return the split URL and `IP:port`. Raises TargetRefused before anything is sent.

    Loopback is always allowed; any other address only if the URL's host, or host and port, is
    listed by the author.
    """
    try:
        parts = urlsplit(url)
    except ValueError as error:
        raise LoadstoneError(f"{url!r} is not a URL: {error}", URL_EXAMPLE) from error
    if parts.scheme == "https":
        raise Unavailable("https is not spoken yet", "use an http:// URL")
    if parts.scheme != "http" or not parts.hostname:
        raise LoadstoneError(f"{url!r} is not an http:// URL", URL_EXAMPLE)
    if parts.username or parts.password:
        raise LoadstoneError(
            "credentials in a URL are not sent", "use --header 'Authorization: ...'"
        )
    try:
        port = parts.port or 80
    except ValueError as error:
        raise LoadstoneError(f"{url!r} has a wrong port", "ports are 1 to 65535") from error
    try:
        found = socket.getaddrinfo(parts.hostname, port, type=socket.SOCK_STREAM)
    except (OSError, ValueError) as error:
        raise LoadstoneError(f"the host {parts.hostname!r} is not known: {error}") from error
    address = str(found[0][4][0])
    if not ipaddress.ip_address(address.partition("%")[0]).is_loopback and not (
        {parts.hostname, f"{parts.hostname}:{port}", address, f"{address}:{port}"} & set(allowed)
    ):
        raise TargetRefused(
            f"{url} is {address}, which is not loopback; nothing was sent",
            "load only what is yours: list it in the study's allow_target, "
            f"or give --allow-target {parts.hostname}",
        )
    return parts, f"[{address}]:{port}" if ":" in address else f"{address}:{port}"


def engine_plan(
    workload: Workload,
    *,
    url: str,
    allowed: Sequence[str],
    cpus: tuple[int, ...],
    seed: int,
    samples_per_second: int = 1,
) -> Event:
    """Return the engine's plan for a workload against a base URL. Raises TargetRefused."""
    parts, address = resolve_target(url, allowed)
    if isinstance(workload.arrivals, Users):
        arrivals: Event = {"users": {"stages": [_steady(workload.arrivals.users)]}}
    else:
        arrivals = {
            "rate": {
                "stages": [_steady(workload.arrivals.rate_per_second)],
                "connections": workload.arrivals.connections,
            }
        }
    return {
        "plan_version": 2,
        "target": {"address": address, "host": parts.netloc},
        "allowed_addresses": []
        if _is_loopback(address)
        else [address.rpartition(":")[0].strip("[]")],
        "protocol": "h1c",
        "cpus": list(cpus),
        "seed": seed,
        "groups": [
            {
                "group": workload.group,
                "arrivals": arrivals,
                "session": [_operation(operation) for operation in workload.session],
            }
        ],
        "duration_ns": workload.duration_ns,
        "count": None,
        "connect_timeout_ns": workload.connect_timeout_ns,
        "timeout_ns": workload.timeout_ns,
        "grace_ns": workload.grace_ns,
        "samples": {"per_second": samples_per_second, "body_bytes": SAMPLE_BODY_BYTES},
    }


def _steady(value: float) -> Event:
    # A stage of any length will do: after the last one its end stays.
    return {"from": value, "to": value, "duration_ns": 1}


def _is_loopback(address: str) -> bool:
    return ipaddress.ip_address(
        address.rpartition(":")[0].strip("[]").partition("%")[0]
    ).is_loopback


def _operation(operation: Operation) -> Event:
    return {
        "operation": operation.operation,
        "method": operation.method,
        "path": operation.path,
        "headers": [list(header) for header in operation.headers],
        "body": operation.body,
        "check": operation.check.model_dump(),
    }


class Engine:
    """A running engine. `events` is polled, never waited on; `result` is there when it has
    finished.
    """

    def __init__(self, child: process.Child) -> None:
        self.child = child
        self.result: LoadFacts | None = None
        self.error: str | None = None
        self._buffer = b""
        os.set_blocking(child.stdout.fileno(), False)

    def events(self) -> list[Event]:
        """Return the events that have come since the last call. Raises StepFailed('load') on a
        broken line.
        """
        self._buffer += self.child.stdout.read() or b""
        *lines, self._buffer = self._buffer.split(b"\n")
        return [self._take(line) for line in lines if line]

    def _take(self, line: bytes) -> Event:
        try:
            event: Event = json.loads(line)
            if event["event"] == "finished":
                self.result = LoadFacts.model_validate(event["summary"])
            elif event["event"] == "failed":
                self.error = str(event["error"])
        except (ValueError, KeyError, TypeError, ValidationError) as error:
            raise StepFailed(
                "load", f"the engine said what the lab does not know: {error}"
            ) from error
        return event

    def facts(self) -> LoadFacts:
        """Return the summary of an engine that has ended. Raises StepFailed('load') if it gave
        none.
        """
        self.events()
        if self.result is not None and self.child.process.poll() == 0:
            return self.result
        raise StepFailed(
            "load", self.error or f"the engine {self.child.ending()}", self.child.log_tail()
        )


def start_engine(plan: Event, directory: Path, cpus: tuple[int, ...]) -> Engine:
    """Start the engine on a plan, with its files in `directory`; the plan is kept beside its log."""
    directory = directory.resolve()  # the engine works in it
    logs = directory / folder.LOGS
    logs.mkdir(parents=True, exist_ok=True)
    (logs / "engine-plan.json").write_text(json.dumps(masked(plan), indent=1))
    child = process.start(
        "engine",
        [str(find_engine()), "run", "--plan", "-", "--out", str(directory)],
        directory=directory,
        log_path=logs / "engine.log",
        cpus=cpus,
        pipe_output=True,
        input_bytes=json.dumps(plan).encode(),
    )
    return Engine(child)


def masked(plan: Event) -> Event:
    """Return the plan as it is kept: secrets in request headers are named, their values are not."""
    kept: Event = copy.deepcopy(plan)
    for group in kept["groups"]:
        for operation in group["session"]:
            operation["headers"] = [
                [name, MASK if name.lower() in SECRET_FIELDS else value]
                for name, value in operation["headers"]
            ]
    return kept
