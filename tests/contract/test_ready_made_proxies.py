"""What ready-made proxies are told: each accepts the configuration of every pair of its protocols."""

import itertools
import os
import select
import shutil
import signal
import subprocess
from collections.abc import Mapping
from pathlib import Path

import pytest
from gateway_process import END_SECONDS, SYSTEM, gateway

from loadstone.contract.upstream import RecordingUpstream
from loadstone.machine.tls_material import TlsMaterial
from loadstone.study.systems.catalogue import open_catalogue
from loadstone.study.values.manifest import CLIENT_LEG
from loadstone.study.values.model import Protocol

PROXIES = SYSTEM / "gateway"
VALIDATE = {
    "nginx": ["nginx", "-t", "-q", "-e", "stderr", "-c"],
    "haproxy": ["haproxy", "-c", "-f"],
    "caddy": ["caddy", "validate", "--adapter", "caddyfile", "--config"],
}
HERE = [
    pytest.param(
        name, marks=pytest.mark.skipif(shutil.which(name) is None, reason=f"{name} is not here")
    )
    for name in VALIDATE
]
CATALOGUE = open_catalogue(Path(__file__))


def pairs(name: str) -> list[tuple[Protocol, Protocol]]:
    protocols = CATALOGUE.stack(CATALOGUE.system("mediation"), "gateway", name).protocols
    return list(itertools.product(protocols[CLIENT_LEG], protocols["upstream"]))


def configure(
    name: str, folder: Path, variables: Mapping[str, str]
) -> "subprocess.CompletedProcess[str]":
    return subprocess.run(
        ["sh", "configure.sh", str(folder)],
        cwd=PROXIES / name,
        env={"PATH": os.environ["PATH"], **variables},
        capture_output=True,
        text=True,
        check=False,
    )


def told(client: Protocol, upstream: Protocol, material: TlsMaterial) -> dict[str, str]:
    return {
        "PORT": "9090",
        "UPSTREAM_URL": f"{upstream.scheme}://127.0.0.1:8688",
        "CLIENT_PROTOCOL": client.value,
        "UPSTREAM_PROTOCOL": upstream.value,
        "TLS_CERT": str(material.certificate),
        "TLS_KEY": str(material.key),
        "TLS_CA": str(material.authority),
    }


@pytest.mark.parametrize("name", HERE)
def test_the_configuration_of_every_pair_of_protocols_is_accepted(
    name: str, tmp_path: Path, material: TlsMaterial
) -> None:
    for client, upstream in pairs(name):
        written = tmp_path / "configuration"
        written.write_text(configure(name, tmp_path, told(client, upstream, material)).stdout)
        # Neither a mark of a template is left, nor one of another protocol's lines.
        assert not any(line.startswith("@") for line in written.read_text().splitlines())
        validated = subprocess.run(
            [*VALIDATE[name], str(written)],
            cwd=PROXIES / name,
            capture_output=True,
            text=True,
            check=False,
        )
        assert validated.returncode == 0, (client, upstream, validated.stderr)
        assert "warn" not in validated.stderr.lower()


@pytest.mark.parametrize("name", VALIDATE)
@pytest.mark.parametrize(
    ("variable", "value"),
    [
        ("HOST", "everywhere"),
        ("PORT", "http"),
        ("UPSTREAM_URL", "127.0.0.1:1"),
        ("UPSTREAM_URL", "http://127.0.0.1:1"),
        ("UPSTREAM_URL", "https://127.0.0.1:1/path"),
        ("UPSTREAM_URL", "https://127.0.0.1:1;}"),
        ("CLIENT_PROTOCOL", "h3"),
        ("UPSTREAM_PROTOCOL", "h2"),
        ("TLS_CERT", "/nowhere.pem"),
        ("TLS_KEY", "/nowhere.pem"),
        ("TLS_CA", ""),
    ],
)
def test_a_wrong_variable_of_a_proxy_is_named(
    name: str, variable: str, value: str, tmp_path: Path, material: TlsMaterial
) -> None:
    variables = {**told(Protocol.H1, Protocol.H1, material), variable: value}
    ended = configure(name, tmp_path, variables)
    assert ended.returncode == 2
    assert ended.stderr.startswith(f"gateway: {variable} must be ")
    assert f'not "{value}"' in ended.stderr


@pytest.mark.parametrize("name", HERE)
def test_a_stopped_proxy_leaves_no_files(
    name: str, tmp_path: Path, upstream: RecordingUpstream
) -> None:
    command = ["sh", "start.sh"]
    own = {"TMPDIR": str(tmp_path)}
    with gateway(command, PROXIES / name, upstream.url, own, says_its_port=False) as started:
        assert list(tmp_path.iterdir()) != []
        assert started.stop(signal.SIGTERM) == 0
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("name", HERE)
def test_a_proxy_ends_with_the_shell_that_started_it(
    name: str, tmp_path: Path, upstream: RecordingUpstream
) -> None:
    command = ["sh", "start.sh"]
    own = {"TMPDIR": str(tmp_path)}
    with gateway(command, PROXIES / name, upstream.url, own, says_its_port=False) as started:
        # Whoever writes into the pipe holds it open: its end is that of the last of them.
        assert started.process.stdout is not None
        started.process.send_signal(signal.SIGKILL)
        started.process.wait(END_SECONDS)
        ended, _, _ = select.select([started.process.stdout], [], [], END_SECONDS)
        assert ended
