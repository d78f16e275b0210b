"""The engine's plan for a workload: where load may go, what is spoken there, and what is sent."""

import os
from collections.abc import Mapping
from dataclasses import dataclass
from ipaddress import ip_address
from pathlib import Path
from typing import Any, Literal
from urllib.parse import urlsplit

from loadstone.deploy.target_address import Target
from loadstone.measure.loading.feed_rows import NO_FEEDS, Feeds
from loadstone.measure.loading.session_plan import Constants, GroupPlan
from loadstone.study.values.model import Protocol, Workload

PLAN_VERSION = 3
Event = dict[str, Any]

SAMPLES_PER_SECOND = 1
SAMPLE_BODY_BYTES = 65_536
"""Of a sampled body: more than any payload of the thin systems, little enough for one sample a
second.
"""

CONNECTIONS_AN_ADDRESS = 28_000
"""From one address to another and its port: Linux gives 28,232 ports away by default
(`net.ipv4.ip_local_port_range`)."""


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
    run_id: str = "",
    feeds: Feeds = NO_FEEDS,
    environment: Mapping[str, str] = os.environ,
) -> Event:
    """Return the engine's plan for a workload against a target.

    `count` bounds its requests; `late_look_ns` is how long the load goes on behind its window; `feeds`
    are the rows of the workload's. Raises LoadstoneError where the environment lacks what is sent.
    """
    options = options or EngineOptions()
    places = {source: index for index, source in enumerate(feeds)}
    constants = Constants(run_id, environment)
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
        "real_time": workload.is_open,
        "cpus": list(cpus),
        "seed": seed,
        "run_id": run_id,
        "source_addresses": _source_addresses(workload, target),
        "feeds": [
            {
                "name": each.name,
                "file": str(each.path),
                "rows": each.rows,
                "columns": each.columns,
                "sha256": each.sha256,
            }
            for each in feeds.values()
        ],
        "groups": [
            GroupPlan(workload, group, constants, places, options.compare_answers).json()
            for group in workload.groups
        ],
        "duration_ns": workload.duration_ns + late_look_ns,
        **_warm_up(workload),
        **_users(workload),
        "count": count,
        "connect_timeout_ns": workload.connect_timeout_ns,
        "timeout_ns": workload.timeout_ns,
        "grace_ns": workload.grace_ns,
        "stop": workload.stop.model_dump(exclude_defaults=True),
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


def _source_addresses(workload: Workload, target: Target) -> list[str]:
    """Loopback addresses to connect from, where one has too few ports; IPv6 has but one."""
    connections = workload.connections
    if connections <= CONNECTIONS_AN_ADDRESS or not target.is_loopback:
        return []
    if ip_address(target.ip).version != 4:
        return []
    needed = -(-connections // CONNECTIONS_AN_ADDRESS)
    return [f"127.0.0.{number}" for number in range(2, 2 + needed)]
