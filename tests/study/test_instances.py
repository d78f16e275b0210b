"""Settings that say how many processes a service has, and how a wrong one is refused."""

import pytest
from small_lab import SmallLab, plan_of

from loadstone.errors import InputError

FILE = "systems/shop/system.yaml"

SETTING = '  users-instances: {instances: users, levels: ["1", "2", "16"]}'
SYSTEM = f"""\
system: shop
title: A shop
dependencies: {{backend: echo}}
settings:
{SETTING}
services:
  gateway:
    legs: [client, look-up]
    needs: [users]
    variables: {{USERS: "users={{users}}"}}
    ready: {{operation: buy, get: /buy}}
  users:
    legs: [look-up]
    needs: [backend]
    ready: {{operation: look, get: /user}}
"""

USERS = """\
stack: go
language: Go
framework: none
build: make
run: ./run
runtimes: [go]
protocols: {look-up: [h1c]}
"""

ARMS = "arms:\n  gateway: [go, node]\n  client: [h1c]\n  upstream: [h1c]\n"
OWN_ARMS = "arms:\n  gateway: [go, node]\n  users: [go]\n  client: [h1c]\n  look-up: [h1c]\n"


@pytest.fixture
def shop(lab: SmallLab) -> SmallLab:
    lab.write(FILE, SYSTEM)
    lab.write("systems/shop/users/go/stack.yaml", USERS)
    for stack in ("go", "node"):
        lab.change(f"systems/shop/gateway/{stack}/stack.yaml", "upstream:", "look-up:")
    lab.study(ARMS, OWN_ARMS)
    return lab


def test_the_first_process_has_the_name_of_its_service_and_others_a_number(shop: SmallLab) -> None:
    system = shop.catalogue.system("shop")
    assert system.instance_names("users", system.chosen({})) == ("users",)
    assert system.instance_names("users", system.chosen({"users-instances": "2"})) == (
        "users",
        "users.2",
    )
    assert len(system.instance_names("users", system.chosen({"users-instances": "16"}))) == 16
    assert system.instance_names("gateway", system.chosen({"users-instances": "2"})) == ("gateway",)


def test_a_system_can_be_had_with_one_process_of_each_at_any_level(shop: SmallLab) -> None:
    system = shop.catalogue.system("shop").one_of_each()
    chosen = system.chosen({"users-instances": "16"})
    assert system.instance_names("users", chosen) == ("users",)
    assert chosen == {"users-instances": "16"}


def test_their_number_is_a_factor_as_any_setting_is(shop: SmallLab) -> None:
    shop.study(OWN_ARMS, f'{OWN_ARMS}  users-instances: ["1", "2"]\n')
    plan = plan_of(shop.study(), shop.catalogue)
    assert [arm.id for arm in plan.arms] == ["go-1", "go-2", "node-1", "node-2"]
    assert plan.arms[1].settings == {"users-instances": "2"}
    assert [each.service for each in plan.arms[1].services] == ["gateway", "users"]


def test_services_may_be_told_the_number_too(shop: SmallLab) -> None:
    shop.change(FILE, "instances: users,", "instances: users, variable: {gateway: INSTANCES},")
    system = shop.catalogue.system("shop")
    chosen = system.chosen({"users-instances": "2"})
    assert system.setting_variables("gateway", chosen) == {"INSTANCES": "2"}


CASES = {
    "the entry": (
        "instances: users,",
        "instances: gateway,",
        ":5: settings.users-instances.instances: gateway is the entry, which is called at one address",
        "name a service that another one needs",
    ),
    "an unknown service": (
        "instances: users,",
        "instances: user,",
        ":5: settings.users-instances.instances: user is not a service",
        "did you mean users? known: users",
    ),
    "a dependency": (
        "instances: users,",
        "instances: backend,",
        ":5: settings.users-instances.instances: backend is not a service",
        "known: users",
    ),
    "none at all": (
        '["1", "2", "16"]',
        '["1", "0"]',
        ":5: settings.users-instances.levels[1]: 0 is no number of instances",
        "write a whole number from 1 to 16",
    ),
    "too many": (
        '["1", "2", "16"]',
        '["1", "17"]',
        ":5: settings.users-instances.levels[1]: 17 is no number of instances",
        "write a whole number from 1 to 16",
    ),
    "a number in words": (
        '["1", "2", "16"]',
        '["1", two]',
        ":5: settings.users-instances.levels[1]: two is no number of instances",
        "write a whole number from 1 to 16",
    ),
    "a number with a nought before it": (
        '["1", "2", "16"]',
        '["01"]',
        ":5: settings.users-instances.levels[0]: 01 is no number of instances",
        "write a whole number from 1 to 16",
    ),
    "a number that is not text": (
        '["1", "2", "16"]',
        "[1, 2]",
        ":5: settings.users-instances.levels[0]: must be text, not 1",
        'put it in quotes: "1"',
    ),
    "two settings of one service": (
        SETTING,
        f'{SETTING}\n  more: {{instances: users, levels: ["1"]}}',
        ":6: settings.more.instances: users has as many instances as the setting users-instances says",
        "keep one of the two",
    ),
}


@pytest.mark.parametrize(("old", "new", "message", "remedy"), CASES.values(), ids=CASES.keys())
def test_a_wrong_number_is_refused_with_line_and_key(
    shop: SmallLab, old: str, new: str, message: str, remedy: str
) -> None:
    path = shop.change(FILE, old, new)
    with pytest.raises(InputError) as caught:
        shop.catalogue.system("shop")
    assert caught.value.message.removeprefix(str(path)).startswith(message)
    assert (caught.value.remedy or "").startswith(remedy)
