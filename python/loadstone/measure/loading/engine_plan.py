"""The engine's plan for a workload: where load may go, what is spoken there, and what is sent."""

import copy
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal
from urllib.parse import urlsplit

from loadstone.deploy.target_address import Target
from loadstone.study.values.arrivals import Rate, Stage, Users
from loadstone.study.values.model import Operation, Protocol, Workload

PLAN_VERSION = 2
Event = dict[str, Any]

SAMPLES_PER_SECOND = 1
SAMPLE_BODY_BYTES = 65_536
"""Of a sampled body: more than any payload of the thin systems, little enough for one sample a
second.
"""

SECRET_FIELDS = {"authorization", "proxy-authorization", "cookie", "x-api-key"}
MASK = "(masked)"


@dataclass(frozen=True)
class EngineOptions:
    """What a load needs to know beside its workload; the defaults are those of a study."""

    verify: bool = True
    """Whether the server's certificate is verified."""
    roots_pem: str | None = None
    """Certificates to verify by, PEM; none: those of Mozilla."""
    resumed_share: float = 0.0
    """Share of connections that ask to resume a TLS session."""
    cipher_suite: str | None = None
    """The only one that is offered, by its registered name; none: all that the engine has."""
    event_loop: Literal["auto", "io_uring", "epoll"] = "auto"
    """How the engine waits for the kernel."""
    record_requests: bool = False
    """Whether every request is kept as a row of `requests.bin`."""
    compare_answers: bool = True
    """Whether it is counted how many ok answers to an operation had which body."""


def protocol_of(url: str, *, http2: bool = False) -> Protocol:
    """What is spoken to a URL: its scheme says whether over TLS."""
    if urlsplit(url).scheme == "https":
        return Protocol.H2 if http2 else Protocol.H1
    return Protocol.H2C if http2 else Protocol.H1C


CIPHER_SUITE = "TLS_AES_128_GCM_SHA256"
"""What studies speak: the one that every implementation of TLS 1.3 must have (RFC 8446, 9.1). Servers
would choose differently among several, and then encrypt differently.
"""


def options_for(authority: Path | None) -> EngineOptions:
    """Return how a study loads a service, which over TLS is verified by this PEM file."""
    if authority is None:
        return EngineOptions()
    return EngineOptions(roots_pem=authority.read_text(), cipher_suite=CIPHER_SUITE)


def engine_plan(
    workload: Workload,
    *,
    target: Target,
    protocol: Protocol,
    cpus: tuple[int, ...],
    seed: int,
    options: EngineOptions | None = None,
    count: int | None = None,
    late_look_ns: int = 0,
) -> Event:
    """Return the engine's plan for a workload against a target.

    `count` bounds its requests; `late_look_ns` is how long the load goes on behind its window.
    """
    options = options or EngineOptions()
    return {
        "plan_version": PLAN_VERSION,
        "target": {
            "address": target.address,
            "host": target.host,
            "server_name": target.name if protocol.is_tls else None,
        },
        "allowed_addresses": [] if target.is_loopback else [target.ip],
        "protocol": protocol,
        **({"tls": _tls(options)} if protocol.is_tls else {}),
        "streams": workload.streams,
        "connections": "per_request" if workload.new_connections else "kept",
        "redirects": workload.redirects,
        "event_loop": options.event_loop,
        # Of a rate alone: users who wait for a backend behind the engine's CPU would starve it.
        "real_time": isinstance(workload.arrivals, Rate),
        "cpus": list(cpus),
        "seed": seed,
        "groups": [
            {
                "group": workload.group,
                "arrivals": _arrivals(workload.arrivals),
                "think": None if workload.think is None else workload.think.model_dump(),
                "session": [_operation(each, options) for each in workload.session],
            }
        ],
        "duration_ns": workload.duration_ns + late_look_ns,
        **_warm_up(workload),
        **_users(workload),
        "count": count,
        "connect_timeout_ns": workload.connect_timeout_ns,
        "timeout_ns": workload.timeout_ns,
        "grace_ns": workload.grace_ns,
        "stop": workload.stop.model_dump(),
        "record_requests": options.record_requests,
        "samples": {"per_second": SAMPLES_PER_SECOND, "body_bytes": SAMPLE_BODY_BYTES},
    }


def _warm_up(workload: Workload) -> Event:
    """The warm-up of unknown length, where there is one: the duration counts from its end."""
    within_ns = workload.steady_within_ns
    return {} if within_ns is None else {"warm_up": {"at_most_ns": within_ns}}


def _users(workload: Workload) -> Event:
    """From when on users are counted: a window whose begin is known before has theirs alone."""
    if workload.steady_within_ns is not None or workload.warm_up_ns is None:
        return {}
    return {"users_from_ns": workload.warm_up_ns}


def _tls(options: EngineOptions) -> Event:
    return {
        "verify": options.verify,
        "roots_pem": options.roots_pem,
        "resumed_share": options.resumed_share,
        "cipher_suite": options.cipher_suite,
    }


def _arrivals(arrivals: Users | Rate) -> Event:
    stages = _stages(arrivals.stages)
    if isinstance(arrivals, Users):
        return {"users": {"stages": stages}}
    process = "poisson" if arrivals.poisson else "constant"
    return {
        "rate": {"stages": stages, "process": process, "connections": arrivals.connections},
    }


def _stages(stages: Sequence[Stage]) -> list[Event]:
    """Each stage with its beginning. A step has no length: the next stage begins where it went."""
    level, lasting = 0.0, []
    for stage in stages:
        if stage.over_ns:
            lasting.append({"from": level, "to": stage.to, "duration_ns": stage.over_ns})
        level = stage.to
    if not lasting or not lasting[-1]["from"] == lasting[-1]["to"] == level:
        # Of any length: after the last one its end stays. A window behind a warm-up asks for it.
        lasting.append({"from": level, "to": level, "duration_ns": 1})
    return lasting


def _operation(operation: Operation, options: EngineOptions) -> Event:
    return {
        "operation": operation.operation,
        "method": operation.method,
        "path": operation.path,
        "headers": [list(header) for header in operation.headers],
        "body": operation.body,
        "check": operation.check.model_dump(),
        "compare_answers": options.compare_answers,
    }


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
