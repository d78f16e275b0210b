"""Files of systems, stacks and runtimes: what they mean, and how a wrong one is refused."""

from collections.abc import Callable

import pytest
from small_lab import SmallLab

from loadstone.errors import InputError
from loadstone.study.values.model import Protocol

SYSTEM = "systems/shop/system.yaml"
STACK = "systems/shop/gateway/go/stack.yaml"
RUNTIME = "runtimes/go.yaml"

READ: dict[str, Callable[[SmallLab], object]] = {
    SYSTEM: lambda lab: lab.catalogue.system("shop"),
    STACK: lambda lab: lab.catalogue.stack(lab.catalogue.system("shop"), "gateway", "go"),
    RUNTIME: lambda lab: lab.catalogue.runtime("go"),
}


def test_a_system_is_read(lab: SmallLab) -> None:
    system = lab.catalogue.system("shop")
    assert system.directory == lab.root / "systems/shop"
    assert system.dependencies == {"backend": "echo"}
    assert system.entry == "gateway"
    gateway = system.service("gateway")
    assert gateway.legs == ("client", "upstream")
    assert gateway.variables == {"UPSTREAM_URL": "{backend}"}
    assert gateway.ready.body_equals_request
    assert gateway.ready.operation.path == "/buy"
    assert len(gateway.ready.operation.body) == 50


def test_a_stack_is_read(lab: SmallLab) -> None:
    stack = lab.catalogue.stack(lab.catalogue.system("shop"), "gateway", "go")
    assert (stack.build, stack.run, stack.runtimes) == ("make", "./run", ("go",))
    assert stack.protocols == {"client": (Protocol.H1C,), "upstream": (Protocol.H1C,)}
    assert stack.directory == lab.root / "systems/shop/gateway/go"


def test_a_runtime_is_read(lab: SmallLab) -> None:
    runtime = lab.catalogue.runtime("go")
    assert (runtime.runtime, runtime.detect, runtime.install) == ("go", "true", "Install it.")


CASES = {
    "a system that is not its folder's": (
        SYSTEM,
        "system: shop",
        "system: shops",
        ":1: system: is shops, and the folder is shop",
    ),
    "a dependency of an unknown kind": (
        SYSTEM,
        "backend: echo",
        "backend: oracle",
        ":3: dependencies.backend: must be 'echo', 'mariadb', 'postgres' or 'redis', not 'oracle'",
    ),
    "a need that is no dependency": (
        SYSTEM,
        "needs: [backend]",
        "needs: [backends]",
        ":7: services.gateway.needs[0]: backends is not a dependency or a service",
    ),
    "no client leg": (
        SYSTEM,
        "[client, upstream]",
        "[upstream]",
        ":6: services.gateway.legs: the leg client is missing",
    ),
    "a leg named as the service": (
        SYSTEM,
        "[client, upstream]",
        "[client, gateway]",
        ":6: services.gateway.legs[1]: gateway is there twice, or is a service's name",
    ),
    "a variable of something else": (
        SYSTEM,
        '"{backend}"',
        '"{database}"',
        ":8: services.gateway.variables.UPSTREAM_URL: {database} is not in needs",
    ),
    "a part of an address that is none": (
        SYSTEM,
        '"{backend}"',
        '"{backend.path}"',
        ":8: services.gateway.variables.UPSTREAM_URL: {backend.path} is no part of an address",
    ),
    "half a placeholder": (
        SYSTEM,
        '"{backend}"',
        '"{backend"',
        ":8: services.gateway.variables.UPSTREAM_URL: has a brace without its other half",
    ),
    "a variable's name that is none": (
        SYSTEM,
        "UPSTREAM_URL",
        "A=B",
        ":8: services.gateway.variables.A=B: is not a variable's name",
    ),
    "a readiness request without a path": (
        SYSTEM,
        "      post: /buy\n",
        "",
        ":9: services.gateway.ready: an operation has exactly one method, not none",
    ),
    "a start that any status ends, and one status": (
        SYSTEM,
        "body_equals_request",
        "any_status",
        ":14: services.gateway.ready.any_status: is there beside check.status",
    ),
    "a stack that is not its folder's": (
        STACK,
        "stack: go",
        "stack: rust",
        ":1: stack: is rust, and the folder is go",
    ),
    "a stack of 26 lines": (
        STACK,
        "run: ./run",
        "run: ./run" + "\n# why" * 19,
        ":1: has more than 25 lines",
    ),
    "a stack on an unknown runtime": (
        STACK,
        "runtimes: [go]",
        "runtimes: [go, gcc]",
        ":6: runtimes[1]: gcc is not a known runtime",
    ),
    "a stack on no runtime": (STACK, "runtimes: [go]", "runtimes: []", ":6: runtimes: must not be"),
    "a stack that misses a leg": (
        STACK,
        ", upstream: [h1c]",
        "",
        ":7: protocols: the leg upstream is missing",
    ),
    "a stack with another leg": (
        STACK,
        "upstream: [h1c]",
        "upstream: [h1c], upstrem: [h1c]",
        ":7: protocols.upstrem: is not a leg of the service gateway",
    ),
    "a stack with a protocol that Loadstone lacks": (
        STACK,
        "client: [h1c]",
        "client: [h1c, h3]",
        ":7: protocols.client[1]: h3 is there twice, or is no protocol of a leg",
    ),
    "a stack without a build": (STACK, "build: make\n", "", ":1: build: is missing"),
    "a runtime that is not its file's": (
        RUNTIME,
        "runtime: go",
        "runtime: golang",
        ":1: runtime: is golang, and the file is go.yaml",
    ),
    "a runtime without a command": (
        RUNTIME,
        'detect: "true"',
        "detect: true",
        ":3: detect: must be text, not true",
    ),
    "a runtime that exposes neither a log nor a reason": (
        RUNTIME,
        "install: Install it.",
        "install: Install it.\nexposes: {}",
        ":5: exposes: is neither a log nor a reason for none, or both",
    ),
    "a runtime that exposes a log and a reason for none": (
        RUNTIME,
        "install: Install it.",
        "install: Install it.\nexposes: {log: go-gctrace, nothing: It is mute.}",
        ":5: exposes: is neither a log nor a reason for none, or both",
    ),
    "a runtime that exposes an unknown log": (
        RUNTIME,
        "install: Install it.",
        "install: Install it.\nexposes: {log: jvm}",
        ":5: exposes.log: must be 'jvm-gc-log' or 'go-gctrace', not 'jvm'",
    ),
    "a JVM that is not told to write the log that it exposes": (
        RUNTIME,
        "install: Install it.",
        "install: Install it.\nreplaces: java\nlaunch: java {arguments}\nexposes: {log: jvm-gc-log}",
        ":7: exposes: and `launch` differ: {gc_log} there, and the log jvm-gc-log here",
    ),
    "a JVM that writes a log which nobody reads": (
        RUNTIME,
        "install: Install it.",
        "install: Install it.\nreplaces: java\nlaunch: java {gc_log}\nexposes: {nothing: x}",
        ":7: exposes: and `launch` differ",
    ),
    "a runtime that compiles in a way that nobody knows": (
        RUNTIME,
        "install: Install it.",
        "install: Install it.\ncompiles: always",
        ":5: compiles: must be 'never', not 'always'",
    ),
    "a runtime that compiles on no thread": (
        RUNTIME,
        "install: Install it.",
        "install: Install it.\ncompiles: {threads: []}",
        ":5: compiles.threads: must not be empty",
    ),
    "a thread's name that the kernel cuts": (
        RUNTIME,
        "install: Install it.",
        "install: Install it.\ncompiles:\n  threads:\n    - JITWorker\n    - C1 CompilerThread0",
        ":8: compiles.threads[1]: 'C1 CompilerThread0' is too long: the kernel keeps the first",
    ),
    "a thread's name that no terminal shows": (
        RUNTIME,
        "install: Install it.",
        'install: Install it.\ncompiles: {threads: ["a\\nb"]}',
        ":5: compiles.threads[0]: is no thread's name: it holds more than printable ASCII",
    ),
    "a log outside of a launch command": (
        RUNTIME,
        'detect: "true"',
        'detect: "java {gc_log} -version"',
        ":3: detect: has an unknown placeholder {gc_log}",
    ),
}


@pytest.mark.parametrize(("name", "old", "new", "message"), CASES.values(), ids=CASES.keys())
def test_a_wrong_file_is_refused_with_line_and_key(
    lab: SmallLab, name: str, old: str, new: str, message: str
) -> None:
    path = lab.change(name, old, new)
    with pytest.raises(InputError) as caught:
        READ[name](lab)
    assert caught.value.message.removeprefix(str(path)).startswith(message)
