"""More connections to one target than one address has ports for, in a network of the test's own whose
addresses have 200 ports each.
"""

import json
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

BIN = Path(sys.executable).parent
SECOND_NS = 10**9
FIRST_PORT, PORTS = 20_000, 200
USERS = 500
OWN_NETWORK = ("unshare", "--map-root-user", "--net")
SET_UP = (
    "ip link set lo up && "
    f"echo {FIRST_PORT} {FIRST_PORT + PORTS - 1} > /proc/sys/net/ipv4/ip_local_port_range"
)
LOAD = """
exec 3< <(exec "$1"/loadstone-echo --listen 127.0.0.1:9000)
echo_pid=$!
read -r line <&3
"$1"/loadstone-engine run --plan - --out "$2"
kill $echo_pid
"""


def opened(folder: Path, addresses: list[str]) -> tuple[int, dict[str, int]]:
    """How many connections so many users had, and how their requests ended."""
    level = {"from": USERS, "to": USERS, "duration_ns": 1}
    plan: dict[str, Any] = {
        "plan_version": 3,
        "target": {"address": "127.0.0.1:9000", "host": "localhost"},
        "source_addresses": addresses,
        "protocol": "h1c",
        "seed": 1,
        "groups": [
            {
                "group": "users",
                "arrivals": {"users": {"stages": [level]}},
                "operations": [{"operation": "get", "cell": "get", "method": "GET", "path": ["/"]}],
                "session": [{"send": {"operation": 0, "think": {"constant_ns": 300_000_000}}}],
            }
        ],
        "count": 2 * USERS,
        "duration_ns": 20 * SECOND_NS,
        "connect_timeout_ns": 5 * SECOND_NS,
        "timeout_ns": 5 * SECOND_NS,
        "grace_ns": 5 * SECOND_NS,
    }
    done = subprocess.run(
        [*OWN_NETWORK, "bash", "-c", f"{SET_UP} && {LOAD}", "load", BIN, folder / "records"],
        input=json.dumps(plan),
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    summary = json.loads(done.stdout.splitlines()[-1])["summary"]
    outcomes = {name: count for name, count in summary["outcomes"].items() if count}
    return summary["connections"]["opened"], outcomes


def require_own_network() -> None:
    if shutil.which("unshare") is None or shutil.which("ip") is None:
        pytest.skip("a network of its own needs `unshare` and `ip`: util-linux, iproute2")
    tried = subprocess.run(
        [*OWN_NETWORK, "bash", "-c", SET_UP], capture_output=True, text=True, check=False
    )
    if tried.returncode != 0:
        pytest.skip(f"no network of its own can be made here: {tried.stderr.strip()}")


def test_several_addresses_have_more_ports_than_one(tmp_path: Path) -> None:
    require_own_network()
    count, outcomes = opened(tmp_path / "one", [])
    assert count <= PORTS
    assert outcomes["connect"] > 0
    several = ["127.0.0.2", "127.0.0.3", "127.0.0.4"]
    assert opened(tmp_path / "several", several) == (USERS, {"ok": 2 * USERS})
