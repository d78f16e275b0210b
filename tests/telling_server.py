"""A server that answers with the environment that it was started with, for systems of tests."""

import json
import os
import sys
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from loadstone.deploy.confinement.without import confine
from loadstone.deploy.deployed_system import DeployedSystem, deploy_system
from loadstone.deploy.deployment import Conditions, Launch
from loadstone.deploy.placement import Placement
from loadstone.study.values.manifest import Ready, System
from loadstone.study.values.model import Operation, Protocol

SERVER = """
import http.server, json, os
class Handler(http.server.BaseHTTPRequestHandler):
    def do_GET(self):
        body = json.dumps(dict(os.environ)).encode()
        self.send_response(200)
        self.send_header("content-length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)
    def log_message(self, *words):
        pass
http.server.HTTPServer((os.environ["HOST"], int(os.environ["PORT"])), Handler).serve_forever()
"""
READY = Ready(operation=Operation(operation="look", method="GET", path="/"))
CPUS = tuple(sorted(os.sched_getaffinity(0)))


def conditions_in(folder: Path, system: System) -> Conditions:
    """No limits, HTTP/1.1 in cleartext on all legs of a system, logs in a folder."""
    return Conditions(
        legs=dict.fromkeys(system.legs, Protocol.H1C),
        limits={},
        placement=Placement(service=CPUS[-1:], bench=CPUS[:1]),
        confine=lambda _, limits: confine(limits, "not asked for"),
        logs=folder,
        cache=folder,
    )


@contextmanager
def deployed(
    system: System,
    conditions: Conditions,
    *,
    entry: str | None = None,
    upstream_url: str | None = None,
    server_text: str = SERVER,
) -> Iterator[DeployedSystem]:
    """Let a system stand, whose services are all such servers."""
    server = conditions.logs / "server.py"
    server.write_text(server_text)
    launch = Launch(f"{sys.executable} {server}", conditions.logs)
    launches = dict.fromkeys(system.names, launch)
    with deploy_system(
        system, launches, conditions, entry=entry, upstream_url=upstream_url
    ) as found:
        yield found


def told(system: DeployedSystem, process: str) -> dict[str, Any]:
    """The environment that a process was started with."""
    with urllib.request.urlopen(system.services[process].base_url) as answer:
        found: dict[str, Any] = json.load(answer)
        return found
