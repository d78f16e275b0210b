"""The committed runtimes, on machines that are made up of stand-in programs: found, or told why not."""

from pathlib import Path

import pytest

from loadstone.study.files.runtime_file import read_runtime
from loadstone.study.systems.availability import Availability, availability, require_runtime
from loadstone.study.systems.catalogue import Catalogue, open_catalogue

CATALOGUE = open_catalogue(Path(__file__))

ALONE = {
    "ballerina": ("bal", "Ballerina 2201.12.0 (Swan Lake Update 12)"),
    "bun": ("bun", "1.4.5"),
    "caddy": ("caddy", "2.6.2"),
    "command": ("uname", "Linux 6.1.0 x86_64"),
    "cpython": ("python3", "Python 3.13.1"),
    "cpython-313": ("python3.13", "Python 3.13.1"),
    "deno": ("deno", "deno 2.9.5 (stable, release, x86_64-unknown-linux-gnu)"),
    "go": ("go", "go version go1.24.4 linux/amd64"),
    "graalvm-native": ("native-image", "native-image 25.0.1 2025-10-21"),
    "haproxy": ("haproxy", "HAProxy version 2.6.12-1+deb12u4 2026/04/01 - https://haproxy.org/"),
    "nginx": ("nginx", "nginx version: nginx/1.22.1"),
    "node": ("node", "v20.19.2"),
    "node-24": ("node-24", "v24.21.0"),
    "node-26": ("node-26", "v26.10.0"),
    "rust": ("cargo", "cargo 1.92.0 (344c4567c 2025-10-21)"),
}
"""Runtime to its program, and to the first line that it prints."""


@pytest.fixture
def machine(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A machine without any runtime; its programs are in `bin`."""
    (tmp_path / "bin").mkdir()
    monkeypatch.setenv("PATH", str(tmp_path / "bin"))
    homes = ("GRAALVM_HOME", "BUN_INSTALL", "DENO_INSTALL", "NODE_24_HOME", "NODE_26_HOME")
    jdks = ("JAVA_HOME", "JAVA_HOME_17", "JAVA_HOME_21", "JAVA_HOME_25")
    for variable in (*jdks, "PYTHON_3_13_HOME", *homes):
        monkeypatch.delenv(variable, raising=False)
    monkeypatch.setattr("loadstone.study.systems.runtime_home.JDK_FOLDERS", (f"{tmp_path}/jvm",))
    return tmp_path


def add_program(path: Path, prints: str, code: int = 0) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(f"#!/bin/sh\necho '{prints}'\nexit {code}\n")
    path.chmod(0o755)


def add_jdk(folder: Path, version: str) -> None:
    add_program(folder / "bin" / "java", f'openjdk version "{version}"')
    add_program(folder / "bin" / "javac", version)
    (folder / "release").write_text(f'IMPLEMENTOR="Any"\nJAVA_VERSION="{version}"\n')


def look_for(name: str, root: Path) -> Availability:
    """Read the committed file as one of a root of the test, whose own installs are not there."""
    (root / "runtimes").mkdir(exist_ok=True)
    file = root / "runtimes" / f"{name}.yaml"
    file.write_bytes((CATALOGUE.roots[0] / "runtimes" / file.name).read_bytes())
    return availability(Catalogue(root).runtime(name))


def test_every_committed_runtime_is_looked_for_here() -> None:
    of_25 = {"openjdk-25", "openjdk-25-aot-cache", "openjdk-25-virtual"}
    assert set(CATALOGUE.runtimes()) == {
        *ALONE,
        *of_25,
        "openjdk-17",
        "openjdk-17-cds",
        "openjdk-21",
        "graal-jit",
        "nginx-njs",  # a module of nginx, which no program tells of
    }


@pytest.mark.parametrize("name", ALONE)
def test_a_program_on_the_path_is_found_with_its_version(name: str, machine: Path) -> None:
    program, prints = ALONE[name]
    add_program(machine / "bin" / program, prints)
    found = look_for(name, machine)
    assert (found.version, found.reason) == (prints, None)


@pytest.mark.parametrize("name", ALONE)
def test_a_program_that_is_not_here_is_named(name: str, machine: Path) -> None:
    found = look_for(name, machine)
    assert found.version is None
    assert ALONE[name][0] in (found.reason or "")


@pytest.mark.parametrize("name", ["openjdk-17", "openjdk-17-cds", "graal-jit"])
def test_of_several_jdks_the_one_of_the_version_is_taken(name: str, machine: Path) -> None:
    add_jdk(machine / "jvm" / "a", "25.0.1")
    add_jdk(machine / "jvm" / "b", "17.0.17")
    found = look_for(name, machine)
    assert (found.version, found.home) == ('openjdk version "17.0.17"', machine / "jvm" / "b")


def test_a_jdk_of_another_version_is_told(machine: Path) -> None:
    add_jdk(machine / "jvm" / "a", "17.0.17")
    reason = look_for("openjdk-25", machine).reason or ""
    assert f"no JDK 25 was found (there is 17.0.17 in {machine}/jvm/a)" in reason


def test_a_jre_is_no_jdk(machine: Path) -> None:
    add_jdk(machine / "jvm" / "a", "25.0.1")
    (machine / "jvm" / "a" / "bin" / "javac").unlink()
    assert "(there is none)" in (look_for("openjdk-25", machine).reason or "")


def test_a_jvm_that_refuses_the_options_of_its_runtime_is_no_such_runtime(machine: Path) -> None:
    add_jdk(machine / "jvm" / "a", "17.0.17")
    add_program(machine / "jvm" / "a" / "bin" / "java", "Unrecognized VM option EnableJVMCI", 1)
    assert "Unrecognized VM option" in (look_for("graal-jit", machine).reason or "")


@pytest.mark.parametrize("name", ["bun", "deno", "node-24", "node-26"])
def test_what_the_project_installed_is_found_after_the_path(name: str, machine: Path) -> None:
    own = machine / ".loadstone" / "runtimes"
    add_program(own / "bin" / name, "own 1")
    assert look_for(name, machine).home == own
    add_program(machine / "bin" / name, "of the machine 2")
    found = look_for(name, machine)
    assert (found.version, found.home) == ("of the machine 2", machine)


def test_a_variable_names_the_home_before_the_path(
    machine: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    add_program(machine / "bin" / "native-image", "native-image 21")
    add_program(machine / "graal" / "bin" / "native-image", "native-image 25")
    monkeypatch.setenv("GRAALVM_HOME", str(machine / "graal"))
    assert look_for("graalvm-native", machine).version == "native-image 25"


def test_a_link_to_a_program_of_another_name_is_followed_no_further(machine: Path) -> None:
    add_program(machine / "lib" / "bun" / "bin" / "bun.exe", "1.4.5")
    (machine / "bin" / "bun").symlink_to(machine / "lib" / "bun" / "bin" / "bun.exe")
    assert look_for("bun", machine).home == machine


def test_a_link_from_elsewhere_leads_to_the_home(
    machine: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    add_program(machine / "graal" / "bin" / "native-image", "native-image 25")
    (machine / "links").mkdir()
    (machine / "links" / "native-image").symlink_to(machine / "graal" / "bin" / "native-image")
    monkeypatch.setenv("PATH", str(machine / "links"))
    assert look_for("graalvm-native", machine).home == machine / "graal"


def test_where_the_project_installs_is_no_part_of_a_builds_digest(tmp_path: Path) -> None:
    texts = set()
    for root in ("a", "b"):
        file = tmp_path / root / "runtimes" / "bun.yaml"
        file.parent.mkdir(parents=True)
        file.write_bytes((CATALOGUE.roots[0] / "runtimes" / "bun.yaml").read_bytes())
        texts.add(read_runtime(file).model_dump_json())
    assert len(texts) == 1


def test_a_native_image_is_built_and_run_in_place_of_java(
    machine: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("GRAALVM_HOME", str(machine / "graal"))
    add_program(machine / "graal" / "bin" / "native-image", "native-image 25")
    look_for("graalvm-native", machine)
    found = require_runtime(Catalogue(machine).runtime("graalvm-native"))
    netty = CATALOGUE.stack(CATALOGUE.system("mediation"), "gateway", "netty")
    assert found.run_command(netty) == "./loadstone-runtime/application"
    prepare = found.prepare_command(netty) or ""
    assert f"{machine}/graal/bin/native-image --no-fallback -jar target/gateway.jar -o" in prepare
    assert found.variables("/bin")["JAVA_HOME"] == f"{machine}/graal"
