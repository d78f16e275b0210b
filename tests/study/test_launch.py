"""How a runtime's words and a stack's become one command line."""

import shlex
from pathlib import Path

import pytest

from loadstone.study.systems.catalogue import Catalogue
from loadstone.study.systems.launch import FoundRuntime, gc_log_path, with_gc_log
from plain_stack import stack

CHECKOUT = Path(__file__).parents[2]
JVMS = ("openjdk-17", "openjdk-17-cds", "openjdk-25", "openjdk-25-aot-cache", "graal-jit")


def found(name: str) -> FoundRuntime:
    runtime = Catalogue(CHECKOUT).runtime(name)
    return FoundRuntime(runtime=runtime, version="1", home=Path("/jdk"))


@pytest.mark.parametrize("name", JVMS)
def test_a_jvm_writes_its_log_beside_the_services_own(name: str) -> None:
    command = found(name).run_command(stack("java -Xmx64m -jar 'a b.jar' ${X}"))
    words = shlex.split(with_gc_log(command, gc_log_path(Path("/runs/a b:c/logs"), "gateway")))
    (option,) = [word for word in words if word.startswith("-Xlog:gc")]
    # Behind quotes that the JVM takes off itself: it would read on at the blank and at the colon.
    assert ':file="/runs/a b:c/logs/gateway-gc.log":' in option
    assert words[0] == "/jdk/bin/java"
    assert words[-4:] == ["-Xmx64m", "-jar", "a b.jar", "${X}"]


@pytest.mark.parametrize("name", JVMS)
def test_a_training_run_writes_no_log(name: str) -> None:
    command = found(name).training_command(stack("java -jar a.jar"))
    assert command is None or "Xlog" not in with_gc_log(command, Path("/gc.log"))


def test_a_command_without_the_placeholder_stays_as_it_is() -> None:
    command = found("go").run_command(stack("./bin/gateway {logs} '{}'"))
    assert with_gc_log(command, Path("/gc.log")) == "./bin/gateway {logs} '{}'"


def test_what_shows_a_runtime_is_left_out_of_what_its_service_printed() -> None:
    printed = "Using compiler configuration 'community' provided by X\nbooking: PORT\nleft open"
    assert found("graal-jit").without_proof(printed) == "booking: PORT\nleft open"
    assert found("openjdk-25").without_proof(printed) == printed


def test_what_makes_a_service_tell_of_itself_is_not_set_for_its_build() -> None:
    runtime = found("go")
    assert runtime.service_variables("/bin")["GODEBUG"] == "gctrace=1"
    assert "GODEBUG" not in runtime.variables("/bin")


def test_every_committed_runtime_says_what_it_exposes_or_why_nothing() -> None:
    for path in (CHECKOUT / "runtimes").glob("*.yaml"):
        exposes = Catalogue(CHECKOUT).runtime(path.stem).exposes
        assert exposes is not None, path
        assert (exposes.log is None) != (exposes.nothing is None)


@pytest.mark.parametrize("name", [*JVMS, "ballerina"])
def test_a_jvm_names_the_threads_of_both_of_its_compilers(name: str) -> None:
    compiles = Catalogue(CHECKOUT).runtime(name).compiles
    assert compiles is not None
    assert "C1 CompilerThre" in compiles.threads
    assert len(compiles.threads) == 2


@pytest.mark.parametrize(
    "name", ["caddy", "cpython", "go", "graalvm-native", "haproxy", "nginx", "rust"]
)
def test_what_is_compiled_before_it_runs_has_no_compile_threads(name: str) -> None:
    compiles = Catalogue(CHECKOUT).runtime(name).compiles
    assert compiles is not None
    assert compiles.threads == ()


@pytest.mark.parametrize("name", ["deno", "node"])
def test_threads_that_also_collect_garbage_are_not_taken_for_compile_threads(name: str) -> None:
    assert Catalogue(CHECKOUT).runtime(name).compiles is None
