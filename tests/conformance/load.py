"""One load of the real engine: a plan by a few words, and what came of it, held to conservation."""

import base64
import json
import subprocess
import sys
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest

ENGINE = Path(sys.executable).parent / "loadstone-engine"
SECOND_NS = 1_000_000_000
TIMEOUT_SECONDS = 120


@dataclass
class Load:
    """A load in the making; by default one user that keeps one connection."""

    port: int
    protocol: str
    operations: list[dict[str, Any]]
    count: int | None
    """None: until `duration_ns` is over."""
    event_loop: str = "auto"
    streams: int = 1
    users: int = 1
    connections: str = "kept"
    think_ns: int | None = None
    ip: str = "127.0.0.1"
    tls: dict[str, Any] = field(default_factory=dict)
    keys: dict[str, Any] = field(default_factory=dict)

    def plan(self) -> dict[str, Any]:
        """The plan as the engine reads it."""
        stage = {"from": self.users, "to": self.users, "duration_ns": 1}
        think = None if self.think_ns is None else {"constant_ns": self.think_ns}
        sends = [{"operation": index, "think": think} for index in range(len(self.operations))]
        group = {
            "group": "clients",
            "arrivals": {"users": {"stages": [stage]}},
            "operations": [_in_plan(operation) for operation in self.operations],
            "session": [{"send": send} for send in sends],
        }
        address = f"{self.ip}:{self.port}"
        is_tls = self.protocol in {"h1", "h2", "h2-downgrade"}
        return {
            "plan_version": 3,
            "target": {"address": address, "host": address},
            "protocol": self.protocol,
            **({"tls": self.tls} if is_tls else {}),
            "streams": self.streams,
            "connections": self.connections,
            "event_loop": self.event_loop,
            "seed": 1,
            "groups": [group],
            "duration_ns": 60 * SECOND_NS,
            **({} if self.count is None else {"count": self.count}),
            "connect_timeout_ns": 10 * SECOND_NS,
            "timeout_ns": 30 * SECOND_NS,
            "grace_ns": 30 * SECOND_NS,
            **self.keys,
        }

    def run(self, out: Path) -> "Ended":
        """Run it to its end, and check that nothing was lost."""
        done = subprocess.run(
            [ENGINE, "run", "--plan", "-", "--out", out],
            input=json.dumps(self.plan()),
            capture_output=True,
            text=True,
            timeout=TIMEOUT_SECONDS,
            check=False,
        )
        assert done.stdout, done.stderr
        last = json.loads(done.stdout.splitlines()[-1])
        if self.event_loop == "io_uring" and "io_uring" in last.get("error", ""):
            pytest.skip(last["error"])
        assert done.returncode == 0, done.stderr
        assert last["event"] == "finished", last
        ended = Ended(last["summary"], out)
        ended.assert_conserved(self.count)
        return ended


def _in_plan(operation: dict[str, Any]) -> dict[str, Any]:
    """An operation, its texts as the pieces that they are in a plan. No failure ends a session."""
    check = operation.get("check", {})
    contains = check.get("body_contains")
    return {
        "operation": operation["operation"],
        "cell": operation["operation"],
        "method": operation["method"],
        "path": [operation["path"]],
        "headers": [[name, [value]] for name, value in operation.get("headers", {}).items()],
        "body": [operation["body"]] if operation.get("body") else [],
        "check": {
            "status": [check["status"]] if "status" in check else [],
            "body_contains": None if contains is None else [contains],
        },
        "on_failure": "go_on",
    }


@dataclass(frozen=True)
class Ended:
    """What a load left behind."""

    summary: dict[str, Any]
    out: Path

    @property
    def outcomes(self) -> dict[str, int]:
        """Outcomes that are not zero."""
        return {name: count for name, count in self.summary["outcomes"].items() if count}

    @property
    def errors(self) -> dict[str, Any]:
        """The texts of each outcome's failures."""
        samples: dict[str, Any] = self.summary["error_samples"]
        return samples

    def assert_conserved(self, offered: int | None) -> None:
        """Every offered request has one outcome, in the summary and in the timeline."""
        assert offered is None or sum(self.outcomes.values()) == offered, self.outcomes
        lines = (self.out / "timeline.ndjson").read_text().splitlines()
        for name, operation in self.summary["operations"].items():
            counted = [json.loads(line)["operations"][name]["outcomes"] for line in lines]
            for outcome, count in operation["outcomes"].items():
                assert sum(interval[outcome] for interval in counted) == count

    def samples(self) -> list[dict[str, Any]]:
        """The responses that were kept, with their bodies as bytes."""
        lines = (self.out / "samples.ndjson").read_text().splitlines()
        found = [json.loads(line) for line in lines]
        return [sample | {"body": base64.b64decode(sample["body"])} for sample in found]
