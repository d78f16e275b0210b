"""What ready-made gateways are told: the configuration of every pair of their protocols is accepted, a
wrong variable is named, and one that is stopped leaves nothing.
"""

import itertools
import os
import signal
import subprocess
from collections.abc import Mapping
from pathlib import Path

import pytest
from gateway_process import gateway
from parking_stacks import READY_MADE, SECRET, SYSTEM, VARIANTS

from held_stacks import CATALOGUE, Variant
from loadstone.errors import Unavailable
from loadstone.machine.tls_material import TlsMaterial, make_tls_material
from loadstone.measure.prepare.stack_sources import found_source
from loadstone.study.values.manifest import CLIENT_LEG
from loadstone.study.values.model import Protocol
from stack_processes import ANOTHER, listens

VALIDATE = {
    "nginx": ["nginx", "-t", "-q", "-e", "stderr", "-c"],
    "haproxy": ["haproxy", "-c", "-f"],
}
ONE_INSTANCE = "users=http://127.0.0.1:9"


@pytest.fixture(scope="session")
def material(tmp_path_factory: pytest.TempPathFactory) -> TlsMaterial:
    return make_tls_material(tmp_path_factory.mktemp("tls"))


@pytest.fixture(
    params=[each for each in VARIANTS["gateway"] if each.stack.stack in READY_MADE], ids=str
)
def here(request: pytest.FixtureRequest) -> Variant:
    """One whose server is here."""
    variant: Variant = request.param
    try:
        found_source(CATALOGUE, *variant)
    except Unavailable as error:
        pytest.skip(error.message)
    return variant


def configured(
    name: str, folder: Path, told: Mapping[str, str]
) -> "subprocess.CompletedProcess[str]":
    return subprocess.run(
        ["sh", "configure.sh", str(folder)],
        cwd=SYSTEM.directory / "gateway" / name,
        env={"PATH": os.environ["PATH"], **told},
        capture_output=True,
        text=True,
        check=False,
    )


def variables(client: Protocol, upstream: Protocol, material: TlsMaterial) -> dict[str, str]:
    instances = (f"{upstream.scheme}://127.0.0.1:{port}" for port in (9, 10))
    return {
        "PORT": "9090",
        "CLIENT_PROTOCOL": client.value,
        "UPSTREAM_PROTOCOL": upstream.value,
        "STATIC_INSTANCES": f"users={','.join(instances)}",
        "JWT_SECRET": SECRET,
        "TLS_CERT": str(material.certificate),
        "TLS_KEY": str(material.key),
        "TLS_CA": str(material.authority),
    }


def test_the_configuration_of_every_pair_of_protocols_is_accepted(
    here: Variant, tmp_path: Path, material: TlsMaterial
) -> None:
    name, spoken = here.stack.stack, here.stack.protocols
    for client, upstream in itertools.product(spoken[CLIENT_LEG], spoken["upstream"]):
        written = tmp_path / "configuration"
        told = variables(client, upstream, material)
        written.write_text(configured(name, tmp_path, told).stdout)
        text = written.read_text()
        # Neither a mark of a template is left, nor one of another protocol's lines, nor a secret.
        assert not any(line.startswith("@") for line in text.splitlines())
        assert SECRET not in text
        validated = subprocess.run(
            [*VALIDATE[name], str(written)],
            cwd=SYSTEM.directory / "gateway" / name,
            env={**os.environ, **told},
            capture_output=True,
            text=True,
            check=False,
        )
        assert validated.returncode == 0, (client, upstream, validated.stderr)
        assert "warn" not in validated.stderr.lower()


@pytest.mark.parametrize("name", READY_MADE)
@pytest.mark.parametrize(
    ("variable", "value"),
    [
        ("HOST", "everywhere"),
        ("PORT", "0"),
        ("PORT", "http"),
        ("CLIENT_PROTOCOL", "h3"),
        ("UPSTREAM_PROTOCOL", "h2"),
        ("DISCOVERY_PROTOCOL", "h2"),
        ("STATIC_INSTANCES", "users=http://127.0.0.1:9"),
        ("STATIC_INSTANCES", "users=https://127.0.0.1:9;}"),
        ("STATIC_INSTANCES", "users=https://127.0.0.1:9\nserver x"),
        ("STATIC_INSTANCES", "parks=https://127.0.0.1:9"),
        ("REGISTRY", "eureka"),
        ("REGISTRY_URL", "127.0.0.1:8761"),
        ("UPSTREAM_TIMEOUT_MS", "60001"),
        ("ALLOWED_ORIGIN", "park.example"),
        ("TLS_CERT", "/nowhere.pem"),
        ("TLS_KEY", "/nowhere.pem"),
        ("TLS_CA", "/nowhere.pem"),
    ],
)
def test_a_wrong_variable_is_named(
    name: str, variable: str, value: str, tmp_path: Path, material: TlsMaterial
) -> None:
    told = {**variables(Protocol.H1, Protocol.H1, material), variable: value}
    ended = configured(name, tmp_path, told)
    assert (ended.returncode, ended.stdout) == (2, "")
    assert ended.stderr.startswith(f"gateway: {variable} must be ")
    assert f'not "{value}"' in ended.stderr


@pytest.mark.parametrize("name", READY_MADE)
@pytest.mark.parametrize("secret", [None, "", "short", f"{SECRET} and a blank", f"{SECRET}\n"])
def test_a_wrong_secret_is_named_and_not_shown(
    name: str, secret: str | None, tmp_path: Path, material: TlsMaterial
) -> None:
    told = variables(Protocol.H1C, Protocol.H1C, material)
    del told["JWT_SECRET"]
    ended = configured(name, tmp_path, told if secret is None else {**told, "JWT_SECRET": secret})
    assert (ended.returncode, ended.stdout) == (2, "")
    assert ended.stderr.startswith("gateway: JWT_SECRET must be ")
    assert not secret or secret.strip() not in ended.stderr


def test_one_that_is_stopped_leaves_no_files(here: Variant, tmp_path: Path) -> None:
    folder = SYSTEM.directory / "gateway" / here.stack.stack
    own = {"TMPDIR": str(tmp_path), "STATIC_INSTANCES": ONE_INSTANCE, "JWT_SECRET": SECRET}
    with gateway(["sh", "start.sh"], folder, ONE_INSTANCE, own, says_its_port=False) as started:
        assert list(tmp_path.iterdir()) != []
        assert started.stop(signal.SIGTERM) == 0
    assert list(tmp_path.iterdir()) == []


def test_it_listens_where_host_says(here: Variant, tmp_path: Path) -> None:
    folder = SYSTEM.directory / "gateway" / here.stack.stack
    own = {"TMPDIR": str(tmp_path), "STATIC_INSTANCES": ONE_INSTANCE, "JWT_SECRET": SECRET}
    told = {**own, "HOST": ANOTHER}
    with gateway(["sh", "start.sh"], folder, ONE_INSTANCE, told, says_its_port=False) as started:
        port = int(started.url.rpartition(":")[2])
        assert listens(ANOTHER, port)
        assert not listens("127.0.0.1", port)
