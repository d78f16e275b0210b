"""A stack is built once for its content."""

from pathlib import Path

import pytest

from loadstone.deploy.build import build, source_digest
from loadstone.errors import StepFailed
from loadstone.study.systems.launch import FoundRuntime
from loadstone.study.values.manifest import Compiles, Runtime, Stack
from loadstone.study.values.model import Protocol

SHELL = FoundRuntime(
    runtime=Runtime(runtime="sh", title="sh", detect="sh", install="."), version="sh 1", home=None
)


def stack(directory: Path, command: str) -> Stack:
    directory.mkdir(exist_ok=True)
    (directory / "source.txt").write_text("source")
    return Stack(
        stack="small",
        language="sh",
        framework="none",
        build=command,
        run="./artifact",
        runtimes=("sh",),
        protocols={"client": (Protocol.H1C,)},
        directory=directory,
    )


def test_an_unchanged_stack_is_built_once_and_its_sources_stay_clean(tmp_path: Path) -> None:
    small = stack(tmp_path / "source", "printf 12345 > artifact")
    first = build(small, SHELL, tmp_path / "cache", tmp_path / "log")
    again = build(small, SHELL, tmp_path / "cache", tmp_path / "log")
    assert not first.facts.cached
    assert again.facts.cached
    assert again.directory == first.directory
    assert again.facts.artifact_bytes == first.facts.artifact_bytes == 5
    assert (first.directory / "artifact").read_text() == "12345"
    assert sorted(path.name for path in small.directory.iterdir()) == ["source.txt"]


def test_sources_command_and_toolchain_are_all_part_of_the_digest(tmp_path: Path) -> None:
    small = stack(tmp_path / "source", "true")
    first = source_digest(small, SHELL)
    assert source_digest(small, SHELL.model_copy(update={"version": "sh 2"})) != first
    assert source_digest(small.model_copy(update={"build": "false"}), SHELL) != first
    (small.directory / "node_modules").mkdir()
    (small.directory / "node_modules" / "left-out").write_text("x")
    assert source_digest(small, SHELL) == first
    (small.directory / "source.txt").write_text("changed")
    assert source_digest(small, SHELL) != first


def test_how_a_runtime_is_watched_is_no_part_of_the_digest(tmp_path: Path) -> None:
    small = stack(tmp_path / "source", "true")
    watched = SHELL.runtime.model_copy(update={"compiles": Compiles(threads=("JITWorker",))})
    other = SHELL.model_copy(update={"runtime": watched})
    assert source_digest(small, other) == source_digest(small, SHELL)


def test_a_script_that_may_be_executed_is_another_build(tmp_path: Path) -> None:
    small = stack(tmp_path / "source", "test -x source.txt && echo x > artifact || true")
    first = build(small, SHELL, tmp_path / "cache", tmp_path / "log")
    (small.directory / "source.txt").chmod(0o755)
    second = build(small, SHELL, tmp_path / "cache", tmp_path / "log")
    assert not second.facts.cached
    assert not (first.directory / "artifact").exists()
    assert (second.directory / "artifact").exists()


def test_programs_in_a_folder_below_the_top_are_built(tmp_path: Path) -> None:
    small = stack(tmp_path / "source", "cp src/bin/main.rs artifact")
    program = small.directory / "src" / "bin" / "main.rs"
    program.parent.mkdir(parents=True)
    program.write_text("fn main() {}")
    built = build(small, SHELL, tmp_path / "cache", tmp_path / "log")
    assert (built.directory / "artifact").read_text() == "fn main() {}"


def test_a_build_that_fails_says_why_and_leaves_nothing(tmp_path: Path) -> None:
    small = stack(tmp_path / "source", "echo no compiler >&2; exit 3")
    with pytest.raises(StepFailed, match="exited with code 3") as failure:
        build(small, SHELL, tmp_path / "cache", tmp_path / "log")
    assert failure.value.step == "build"
    assert failure.value.log_tail == "no compiler"
    assert list((tmp_path / "cache").iterdir()) == []


def test_sources_that_cannot_be_copied_fail_the_build_by_name(tmp_path: Path) -> None:
    small = stack(tmp_path / "source", "true")
    (small.directory / "gone").symlink_to(tmp_path / "nowhere")
    with pytest.raises(StepFailed, match=r"cannot be copied to .*/gone: .*No such file"):
        build(small, SHELL, tmp_path / "cache", tmp_path / "log")
    assert list((tmp_path / "cache").iterdir()) == []


def test_a_build_that_hangs_is_ended(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("loadstone.deploy.build.BUILD_TIMEOUT_SECONDS", 0.2)
    with pytest.raises(StepFailed, match="did not end within"):
        build(stack(tmp_path / "source", "sleep 60"), SHELL, tmp_path / "cache", tmp_path / "log")


def test_what_a_killed_lab_half_built_is_removed(tmp_path: Path) -> None:
    abandoned = tmp_path / "cache" / "small-0123.partial-4194305"
    abandoned.mkdir(parents=True)
    build(stack(tmp_path / "source", "true"), SHELL, tmp_path / "cache", tmp_path / "log")
    assert not abandoned.exists()
