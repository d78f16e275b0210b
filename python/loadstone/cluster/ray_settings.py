"""How Ray is started and reached: every setting in one place, without anything of Ray imported.

Ray is membership, calls and failure detection here, so all of it that costs CPU time, or decides by
itself, is off. What each was seen to cost: docs/guides/several-machines.md. `RAY_event_stats_print_
interval_ms=-1`, documented as "off", makes the head spin on a whole CPU, and is not among them.
"""

import json
from collections.abc import Mapping
from pathlib import Path

from loadstone.study.values.machines import ClusterTls

INSTALL = "pip install 'loadstone[cluster]'"

DEFAULT_PORT = 6379
NODE_MANAGER_PORT = 6380
OBJECT_MANAGER_PORT = 6381
RUNTIME_ENV_AGENT_PORT = 6382
AGENT_GRPC_PORT = 6383
AGENT_LISTEN_PORT = 6384
METRICS_PORT = 6385
FIRST_WORKER_PORT, LAST_WORKER_PORT = 6390, 6409
"""One for each actor and each driver."""

STORE_BYTES = 80_000_000
"""The least that Ray takes; what is shipped goes in parts a tenth of it."""

_ALWAYS = {
    "RAY_AUTH_MODE": "token",
    "RAY_worker_niceness": "0",
    "RAY_worker_oom_score_adjustment": "0",
    "RAY_memory_monitor_refresh_ms": "0",  # else it kills actors when memory is full
    "RAY_health_check_period_ms": "1000",
    "RAY_health_check_timeout_ms": "2000",
    "RAY_health_check_failure_threshold": "4",
    "RAY_GRACEFUL_SHUTDOWN_DRAIN_TIMEOUT_S": "1",  # else leaving takes 30 s
    "RAY_enable_metrics_collection": "0",
    "RAY_event_stats": "0",
    "RAY_task_events_report_interval_ms": "0",
    "RAY_raylet_report_resources_period_milliseconds": "1000",
    "RAY_raylet_check_gc_period_milliseconds": "5000",
    "RAY_local_fs_monitor_interval_ms": "10000",
    "RAY_object_manager_timer_freq_ms": "1000",
    "RAY_kill_idle_workers_interval_ms": "5000",
    "RAY_USAGE_STATS_ENABLED": "0",
}


def variables(token: Path, tls: ClusterTls | None) -> dict[str, str]:
    """Return what Ray's programs, and whoever talks to them, have in their environment."""
    encrypted = (
        {}
        if tls is None
        else {
            "RAY_USE_TLS": "1",
            "RAY_TLS_SERVER_CERT": str(tls.certificate),
            "RAY_TLS_SERVER_KEY": str(tls.key),
            "RAY_TLS_CA_CERT": str(tls.authority),
        }
    )
    return {**_ALWAYS, "RAY_AUTH_TOKEN_PATH": str(token), **encrypted}


def head_options(address: str, port: int) -> list[str]:
    """Return the options of `ray start` for the head of a cluster."""
    options = [
        "--head",
        f"--node-ip-address={address}",
        f"--port={port}",
        "--include-dashboard=false",
        "--no-monitor",
    ]
    return [*options, *_of_every_machine({})]


def machine_options(name: str, address: str | None, head: str) -> list[str]:
    """Return the options of `ray start` for a machine that joins under a name.

    Without an `address` it is the one by which the head is reached.
    """
    own = [] if address is None else [f"--node-ip-address={address}"]
    return [f"--address={head}", *own, *_of_every_machine({resource_of(name): 1})]


def resource_of(name: str) -> str:
    """Return what Ray calls a machine: a resource that only one actor can have."""
    return f"machine-{name}"


def _of_every_machine(resources: Mapping[str, int]) -> list[str]:
    return [
        "--num-cpus=0",  # Ray is to place nothing by its idea of CPUs
        f"--object-store-memory={STORE_BYTES}",
        "--include-log-monitor=false",
        "--disable-usage-stats",
        f"--resources={json.dumps(resources)}",
        f"--node-manager-port={NODE_MANAGER_PORT}",
        f"--object-manager-port={OBJECT_MANAGER_PORT}",
        f"--runtime-env-agent-port={RUNTIME_ENV_AGENT_PORT}",
        f"--dashboard-agent-grpc-port={AGENT_GRPC_PORT}",
        f"--dashboard-agent-listen-port={AGENT_LISTEN_PORT}",
        f"--metrics-export-port={METRICS_PORT}",
        f"--min-worker-port={FIRST_WORKER_PORT}",
        f"--max-worker-port={LAST_WORKER_PORT}",
        "--block",
    ]
