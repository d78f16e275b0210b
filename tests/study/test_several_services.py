"""Systems of several services: what they mean to a study, and how a wrong one is refused."""

import pytest
from small_lab import SmallLab, plan_of

from loadstone.errors import InputError
from loadstone.study.values.model import Protocol

FILE = "systems/shop/system.yaml"

SYSTEM = """\
system: shop
title: A shop
dependencies: {backend: echo, other: echo}
services:
  gateway:
    legs: [client, lookup]
    needs: [users]
    variables: {USERS_URL: "{users}"}
    ready: {operation: buy, get: /buy}
  users:
    legs: [lookup, upstream]
    needs: [backend, other]
    variables: {UPSTREAM_URL: "{backend}"}
    ready: {operation: look, get: /user}
"""

ARMS = """\
  gateway: [go, node]
  users: [go, {stack: go, runtime: node, label: again}]
  client: [h1c]
  lookup: [h1c]
  upstream: [h1c]
"""

USERS = """\
stack: go
language: Go
framework: none
build: make
run: ./run
runtimes: [go, node]
protocols: {lookup: [h1c], upstream: [h1c]}
"""


@pytest.fixture
def shop(lab: SmallLab) -> SmallLab:
    lab.write(FILE, SYSTEM)
    lab.write("systems/shop/users/go/stack.yaml", USERS)
    for stack in ("go", "node"):
        lab.change(f"systems/shop/gateway/{stack}/stack.yaml", "upstream:", "lookup:")
    lab.change(
        "studies/which.yaml",
        "  gateway: [go, node]\n  client: [h1c]\n  upstream: [h1c]\n",
        ARMS,
    )
    return lab


def test_services_are_started_behind_what_they_need_and_the_first_is_the_entry(
    shop: SmallLab,
) -> None:
    system = shop.catalogue.system("shop")
    assert system.entry == "gateway"
    assert [each.service for each in system.services] == ["users", "gateway"]
    assert system.names == ("gateway", "users")
    assert system.legs == ("client", "lookup", "upstream")


def test_the_entry_may_be_another_than_the_first(shop: SmallLab) -> None:
    shop.change(FILE, "services:\n", "entry: users\nservices:\n")
    shop.change(FILE, "[client, lookup]", "[across]")
    shop.change(FILE, "[lookup, upstream]", "[client, across]")
    system = shop.catalogue.system("shop")
    assert system.names == ("users", "gateway")


def test_each_service_is_a_factor_and_an_arm_has_a_choice_for_each(shop: SmallLab) -> None:
    plan = plan_of(shop.study(), shop.catalogue)
    assert [arm.id for arm in plan.arms] == ["go-go", "go-again", "node-go", "node-again"]
    second = plan.arms[1]
    assert [(each.service, each.label, each.runtime) for each in second.services] == [
        ("gateway", "go", "go"),
        ("users", "again", "node"),
    ]
    assert second.legs == dict.fromkeys(("client", "lookup", "upstream"), Protocol.H1C)


def test_limits_may_be_given_for_every_service(shop: SmallLab) -> None:
    shop.study("seed: 7", "seed: 7\nlimits: {users: {cpus: 0.5}}")
    assert plan_of(shop.study(), shop.catalogue).limits["users"].cpus == 0.5


def test_seeds_are_the_files_of_the_dependencys_folder_in_order(shop: SmallLab) -> None:
    for name in ("2-rows.sql", "1-tables.sql"):
        shop.write(f"systems/shop/seed/backend/{name}", "")
    system = shop.catalogue.system("shop")
    assert [path.name for path in system.seed_of("backend")] == ["1-tables.sql", "2-rows.sql"]
    assert system.seed_of("other") == ()


CASES = {
    "a circle": (
        "needs: [backend, other]",
        "needs: [backend, other, gateway]",
        ":12: services.users.needs[2]: goes round in a circle: gateway needs users needs gateway",
        "take one of these needs out",
    ),
    "a service that needs itself": (
        "needs: [users]",
        "needs: [users, gateway]",
        ":7: services.gateway.needs[1]: is the service itself",
        "take it out",
    ),
    "an unknown need": (
        "needs: [users]",
        "needs: [user]",
        ":7: services.gateway.needs[0]: user is not a dependency or a service",
        "did you mean users? known: backend, other, users",
    ),
    "a need twice": (
        "needs: [users]",
        "needs: [users, users]",
        ":7: services.gateway.needs[1]: users is there twice",
        "keep one of the two",
    ),
    "two services of one name": (
        "  users:\n",
        "  gateway:\n",
        ":10: services.gateway: is there twice, first in line 5",
        "keep one of the two",
    ),
    "a service with the name of a dependency": (
        "{backend: echo, other: echo}",
        "{backend: echo, other: echo, users: echo}",
        ":10: services.users: is the name of a dependency, too",
        "give services and dependencies names of their own",
    ),
    "a service with a name that the lab uses": (
        "  users:\n",
        "  engine:\n",
        ":10: services.engine: is a name of the lab's own",
        "choose another name",
    ),
    "a dependency that nobody needs": (
        "needs: [backend, other]",
        "needs: [backend]",
        ":3: dependencies.other: no service needs it",
        "add it to the needs of a service, or take it out",
    ),
    "an unknown entry": (
        "services:\n",
        "entry: user\nservices:\n",
        ":4: entry: user is not a service",
        "did you mean users? known: gateway, users",
    ),
    "an entry that is a dependency": (
        "services:\n",
        "entry: backend\nservices:\n",
        ":4: entry: backend is not a service",
        "known: gateway, users",
    ),
    "an entry without the client leg": (
        "services:\n",
        "entry: users\nservices:\n",
        ":12: services.users.legs: the leg client is missing",
        "add client: users is the entry",
    ),
    "a client leg that leads elsewhere": (
        "legs: [lookup, upstream]",
        "legs: [lookup, upstream, client]",
        ":11: services.users.legs[2]: client leads to the entry, gateway",
        "name the leg by which other services call it",
    ),
    "one name for two hops": (
        'needs: [users]\n    variables: {USERS_URL: "{users}"}',
        "needs: [backend]",
        ":6: services.gateway.legs[1]: lookup is a leg of gateway and users, and none of them is "
        "what the others need",
        "give each hop a name of its own",
    ),
    "a leg with the name of a factor that every system has": (
        "legs: [lookup, upstream]",
        "legs: [lookup, upstream, page-cache]",
        ":11: services.users.legs[2]: is the name of a factor of every system",
        "choose another name",
    ),
    "a leg with the name of a service": (
        "legs: [client, lookup]",
        "legs: [client, users]",
        ":6: services.gateway.legs[1]: users is there twice, or is a service's name",
        "legs and services are factors of a study",
    ),
    "a part of the addresses of a service": (
        '"{users}"',
        '"{users.port}"',
        ":8: services.gateway.variables.USERS_URL: {users.port} is a part of what has no address",
        "write {users}",
    ),
    "a variable of something that is not needed": (
        '"{users}"',
        '"{backend}"',
        ":8: services.gateway.variables.USERS_URL: {backend} is not in needs",
        "known: users",
    ),
    "no services": (
        SYSTEM[SYSTEM.index("services:") :],
        "services: {}\n",
        ":4: services: must ",
        "",
    ),
}


@pytest.mark.parametrize(("old", "new", "message", "remedy"), CASES.values(), ids=CASES.keys())
def test_a_wrong_system_is_refused_with_line_and_key(
    shop: SmallLab, old: str, new: str, message: str, remedy: str
) -> None:
    path = shop.change(FILE, old, new)
    with pytest.raises(InputError) as caught:
        shop.catalogue.system("shop")
    assert caught.value.message.removeprefix(str(path)).startswith(message)
    assert (caught.value.remedy or "").startswith(remedy)


def test_a_stack_must_speak_the_legs_of_its_own_service(shop: SmallLab) -> None:
    shop.change("systems/shop/users/go/stack.yaml", "{lookup: [h1c], ", "{")
    with pytest.raises(InputError, match="the leg lookup is missing"):
        plan_of(shop.study(), shop.catalogue)


def test_a_stack_of_one_service_is_none_of_another(shop: SmallLab) -> None:
    path = shop.study("users: [go, ", "users: [node, ")
    with pytest.raises(InputError) as caught:
        plan_of(path, shop.catalogue)
    assert "arms.users[0]: node is not a stack of shop/users" in caught.value.message
