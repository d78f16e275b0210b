"""What a system's file says of a dependency beside its kind, and how a wrong line is refused."""

import pytest
from small_lab import SYSTEM, SmallLab

from loadstone.errors import InputError
from loadstone.study.values.dependency import Account, DependencyOptions, ServerCommands

FILE = "systems/shop/system.yaml"


def with_backend(lab: SmallLab, typed: str) -> SmallLab:
    lab.change(FILE, "{backend: echo}", f"\n  backend: {typed}")
    return lab


def options(lab: SmallLab, typed: str) -> tuple[str, DependencyOptions]:
    system = with_backend(lab, typed).catalogue.system("shop")
    return system.dependencies["backend"], system.options_of("backend")


@pytest.mark.parametrize("kind", ["echo", "mariadb", "postgres", "redis"])
def test_a_kind_alone_says_nothing_else(lab: SmallLab, kind: str) -> None:
    assert options(lab, kind) == (kind, DependencyOptions())


@pytest.mark.parametrize("kind", ["mariadb", "postgres"])
def test_a_database_may_have_an_account(lab: SmallLab, kind: str) -> None:
    account = Account(user="shop", password="it's")
    typed = f'{{kind: {kind}, user: shop, password: "it\'s"}}'
    assert options(lab, typed) == (kind, DependencyOptions(account=account))


def test_a_redis_may_have_settings(lab: SmallLab) -> None:
    found = options(lab, '{kind: redis, settings: {maxmemory: 64mb, save: "3600 1"}}')
    assert found == (
        "redis",
        DependencyOptions(settings={"maxmemory": "64mb", "save": "3600 1"}),
    )


def test_a_server_of_ones_own_needs_its_start_alone(lab: SmallLab) -> None:
    kind, found = options(lab, "{kind: command, start: './broker --port {port}'}")
    assert kind == "command"
    assert found.commands == ServerCommands(start="./broker --port {port}")
    assert found.commands.url == "http://127.0.0.1:{port}"
    assert not found.commands.wants_data


def test_a_server_of_ones_own_is_all_that_is_typed_of_it(lab: SmallLab) -> None:
    _, found = options(
        lab,
        "{kind: command, start: './broker {data}', ready: {command: './ping {port}'}, seed: ./fill, "
        "reset: ./empty, stop: SIGINT, url: 'amqp://127.0.0.1:{port}'}",
    )
    assert found.commands == ServerCommands(
        start="./broker {data}",
        ready_command="./ping {port}",
        seed="./fill",
        reset="./empty",
        stop_signal="SIGINT",
        url="amqp://127.0.0.1:{port}",
    )
    assert found.commands.wants_data


def test_braces_of_a_commands_own_stay(lab: SmallLab) -> None:
    typed = """{kind: command, start: 'sh -c "echo ${HOME}; echo {1..2}; run ''{}''"'}"""
    _, found = options(lab, typed)
    assert found.commands is not None
    assert found.commands.start == "sh -c \"echo ${HOME}; echo {1..2}; run '{}'\""


AT = ":4: dependencies.backend"
CASES = {
    "a command without a start": (
        "command",
        f"{AT}: must be 'echo', 'mariadb', 'postgres' or 'redis'",
        "write",
    ),
    "a command that starts nothing": ("{kind: command}", f"{AT}.start: is missing", "add the key"),
    "an empty start": ("{kind: command, start: ' '}", f"{AT}.start: must not be empty", "write"),
    "an open quotation": (
        '{kind: command, start: "sh \'x"}',
        f"{AT}.start: is not a command line: No closing quotation",
        "close what was opened",
    ),
    "an unknown placeholder": (
        "{kind: command, start: './broker {prot}'}",
        f"{AT}.start: {{prot}} is nothing that the lab fills in",
        "did you mean {port}?",
    ),
    "a seed without a reset": (
        "{kind: command, start: sh, seed: ./fill}",
        f"{AT}.seed: stands without a reset",
        "add reset",
    ),
    "two ways to be ready": (
        "{kind: command, start: sh, ready: {get: /, command: sh}}",
        f"{AT}.ready: is one of get and command",
        "write one of the two",
    ),
    "no way to be ready": (
        "{kind: command, start: sh, ready: {}}",
        f"{AT}.ready: is one of get and command",
        "write one of the two",
    ),
    "a path that is none": (
        "{kind: command, start: sh, ready: {get: healthz}}",
        f"{AT}.ready.get: 'healthz' is not a path",
        "write one such as /healthz",
    ),
    "a path with a line end": (
        '{kind: command, start: sh, ready: {get: "/a\\nHost: b"}}',
        f"{AT}.ready.get: ",
        "",
    ),
    "a signal that ends nothing": (
        "{kind: command, start: sh, stop: SIGCONT}",
        f"{AT}.stop: 'SIGCONT' ends no server",
        "",
    ),
    "an account of a command": (
        "{kind: command, start: sh, user: me}",
        f"{AT}.user: is not a known key",
        "known: kind, start",
    ),
    "half an account": (
        "{kind: postgres, user: shop}",
        f"{AT}.password: is missing",
        "add the key",
    ),
    "a user that is no name": (
        "{kind: postgres, user: 'shop\"; DROP', password: x}",
        f"{AT}.user: 'shop\"; DROP' is not a user's name",
        "write lower-case letters",
    ),
    "a database of an unknown kind": (
        "{kind: oracle, user: shop, password: x}",
        f"{AT}.kind: must be 'mariadb' or 'postgres', not 'oracle'",
        "write",
    ),
    "a mapping without a kind": (
        "{user: shop, password: x}",
        f"{AT}.kind: is missing",
        "add the key",
    ),
    "a setting of the lab's": (
        "{kind: redis, settings: {port: '6379'}}",
        f"{AT}.settings.port: is decided by the lab",
        "take it out",
    ),
    "a setting that is none": (
        "{kind: redis, settings: {'max memory': 64mb}}",
        f"{AT}.settings.max memory: is no setting of a Redis",
        "write it as in redis.conf",
    ),
    "a setting of two lines": (
        '{kind: redis, settings: {maxmemory: "64mb\\nport 1"}}',
        f"{AT}.settings.maxmemory: has several lines",
        "write its value in one line",
    ),
    "a setting that is no text": (
        "{kind: redis, settings: {maxclients: 100}}",
        f"{AT}.settings.maxclients: must be text, not 100",
        "put it in quotes",
    ),
}


@pytest.mark.parametrize(("typed", "message", "remedy"), CASES.values(), ids=CASES.keys())
def test_a_wrong_dependency_is_refused_with_file_line_and_key(
    lab: SmallLab, typed: str, message: str, remedy: str
) -> None:
    with pytest.raises(InputError) as caught:
        with_backend(lab, typed).catalogue.system("shop")
    said = caught.value.message.removeprefix(str(lab.root / FILE))
    assert said.startswith(message)
    assert (caught.value.remedy or "").startswith(remedy)


def test_a_server_of_ones_own_has_no_levels(lab: SmallLab) -> None:
    with_backend(lab, "{kind: command, start: sh}")
    lab.change(
        FILE, "title: A shop\n", "title: A shop\nsettings: {rows: {seed: backend, levels: [few]}}\n"
    )
    with pytest.raises(InputError, match="is of kind command, whose seed is a command"):
        lab.catalogue.system("shop")


def test_the_small_systems_file_is_what_these_tests_take_it_for() -> None:
    assert SYSTEM.splitlines()[2] == "dependencies: {backend: echo}"
