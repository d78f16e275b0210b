"""Services that stand with what measures: what they mean to a study."""

import pytest
from small_lab import SmallLab, plan_of

from loadstone.errors import InputError

FILE = "systems/shop/system.yaml"

SYSTEM = """\
system: shop
title: A shop
dependencies: {backend: echo}
services:
  gateway:
    legs: [client, look-up]
    needs: [backend, users]
    ready: {operation: buy, get: /buy}
  users:
    role: bench
    legs: [look-up]
    ready: {operation: look, get: /user}
"""

USERS = """\
stack: node
language: JavaScript
framework: none
build: make
run: ./run
runtimes: [node, go]
protocols: {look-up: [h1c]}
"""

ARMS = "  gateway: [go, node]\n  client: [h1c]\n  upstream: [h1c]\n"
OWN_ARMS = "  gateway: [go, node]\n  users: [node]\n  client: [h1c]\n  look-up: [h1c]\n"


@pytest.fixture
def shop(lab: SmallLab) -> SmallLab:
    lab.write(FILE, SYSTEM)
    lab.write("systems/shop/users/node/stack.yaml", USERS)
    for stack in ("go", "node"):
        lab.change(f"systems/shop/gateway/{stack}/stack.yaml", "upstream:", "look-up:")
    lab.study(ARMS, OWN_ARMS)
    return lab


def test_a_service_on_the_bench_is_a_factor_and_not_what_is_measured(shop: SmallLab) -> None:
    assert shop.catalogue.system("shop").bench_services == ("users",)
    arm = plan_of(shop.study(), shop.catalogue).arms[0]
    assert arm.factors["users"] == "node"
    assert [each.service for each in arm.services] == ["gateway", "users"]
    assert [each.service for each in arm.measured] == ["gateway"]


def test_every_service_is_measured_that_has_no_role(shop: SmallLab) -> None:
    shop.change(FILE, "    role: bench\n", "")
    arm = plan_of(shop.study(), shop.catalogue).arms[0]
    assert arm.bench_services == ()
    assert arm.measured == arm.services


def test_its_compiler_is_nothing_that_a_warm_up_is_estimated_by(shop: SmallLab) -> None:
    for name, compiles in (("go", "never"), ("node", "{threads: [compiler]}")):
        path = f"runtimes/{name}.yaml"
        shop.write(path, (shop.root / path).read_text() + f"compiles: {compiles}\n")
    fast = plan_of(shop.study(), shop.catalogue).likely_warm_up_ns
    shop.change(FILE, "    role: bench\n", "")
    slow = plan_of(shop.study(), shop.catalogue).likely_warm_up_ns
    assert fast["go"] < slow["go"] == fast["node"] == slow["node"]


def test_limits_of_a_service_on_the_bench_are_refused(shop: SmallLab) -> None:
    path = shop.study("seed: 7", "seed: 7\nlimits: {users: {cpus: 0.5}}")
    with pytest.raises(InputError) as caught:
        plan_of(path, shop.catalogue)
    assert caught.value.message.removeprefix(str(path)).startswith(
        ":12: limits.users: users has the role bench"
    )
    assert caught.value.remedy == "take it out"


def test_the_entry_cannot_stand_on_the_bench(shop: SmallLab) -> None:
    path = shop.change(FILE, "  gateway:\n", "  gateway:\n    role: bench\n")
    with pytest.raises(InputError) as caught:
        shop.catalogue.system("shop")
    assert caught.value.message.removeprefix(str(path)).startswith(
        ":6: services.gateway.role: gateway is the entry"
    )


def test_another_role_is_refused(shop: SmallLab) -> None:
    path = shop.change(FILE, "role: bench", "role: service")
    with pytest.raises(InputError) as caught:
        shop.catalogue.system("shop")
    assert caught.value.message.removeprefix(str(path)).startswith(
        ":10: services.users.role: must be 'bench', not 'service'"
    )
