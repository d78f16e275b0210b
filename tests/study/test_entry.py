"""`entry` of a study: a service that is loaded itself, and how a wrong one is refused."""

import pytest
from small_lab import SmallLab, load_study, plan_of

from loadstone.errors import InputError
from loadstone.study.design.resolve import resolve_plan
from loadstone.study.values.called_at import called_at

FILE = "systems/shop/system.yaml"

SYSTEM = """\
system: shop
title: A shop with a registry
dependencies: {database: postgres, backend: echo}
settings:
  found-by: {variable: {gateway: FOUND_BY, users: FOUND_BY}, levels: [list, registry]}
  strategy: {variable: {gateway: STRATEGY}, levels: [one, two]}
  users-instances: {instances: users, levels: ["1", "2"]}
  users-number: {instances: registry, variable: {gateway: NUMBER}, levels: ["1", "2"]}
services:
  gateway:
    legs: [client, upstream, discovery, onward]
    needs: [users, registry, backend]
    ready: {operation: buy, get: /buy}
  users:
    legs: [upstream, discovery]
    needs: [database, registry]
    ready: {operation: look, get: /user}
  registry:
    role: bench
    legs: [discovery]
    ready: {operation: list, get: /registered}
"""
STACK = """\
stack: go
language: Go
framework: none
build: make
run: ./run
runtimes: [go]
protocols: {protocols}
"""
ARMS = "arms:\n  gateway: [go, node]\n  client: [h1c]\n  upstream: [h1c]\n"
OWN_ARMS = """\
entry: users
arms:
  users: [go, {stack: go, label: again}]
  registry: [go]
  upstream: [h1c, h2c]
  discovery: [h1c]
"""


@pytest.fixture
def shop(lab: SmallLab) -> SmallLab:
    lab.write(FILE, SYSTEM)
    for service, protocols in (
        ("users", "{upstream: [h1c, h2c], discovery: [h1c]}"),
        ("registry", "{discovery: [h1c]}"),
    ):
        text = STACK.replace("{protocols}", protocols)
        lab.write(f"systems/shop/{service}/go/stack.yaml", text)
    lab.study(ARMS, OWN_ARMS)
    lab.study("compare: gateway", "compare: users")
    return lab


def test_only_what_the_service_needs_is_a_part(shop: SmallLab) -> None:
    whole = shop.catalogue.system("shop")
    part = called_at(whole, "users")
    assert (part.entry, part.entry_leg, part.name) == ("users", "upstream", "shop at users")
    assert part.names == ("users", "registry")
    assert list(part.dependencies) == ["database"]
    assert part.legs == ("upstream", "discovery")
    assert part.inbound_leg("users") == "upstream"
    assert part.inbound_leg("registry") == "discovery"
    assert part.leg_to("database") is None
    assert [each.service for each in part.services] == ["registry", "users"], "in start order"
    assert whole.name == "shop"
    assert (whole.entry, whole.entry_leg) == ("gateway", "client")


def test_settings_are_left_as_far_as_they_do_something(shop: SmallLab) -> None:
    part = called_at(shop.catalogue.system("shop"), "users")
    assert [(each.name, each.variables, each.instances) for each in part.settings] == [
        ("found-by", {"users": "FOUND_BY"}, None),
        ("users-number", {}, "registry"),
    ]
    assert part.instance_names("users", part.chosen({})) == ("users",)


def test_a_service_without_a_leg_cannot_be_called(shop: SmallLab) -> None:
    shop.change(
        FILE, "    legs: [client, upstream, discovery, onward]", "    legs: [client, discovery]"
    )
    with pytest.raises(ValueError, match="no leg leads to users"):
        called_at(shop.catalogue.system("shop"), "users")


def test_arms_have_the_services_and_the_legs_of_the_part_alone(shop: SmallLab) -> None:
    resolved = resolve_plan(shop.study(), shop.catalogue)
    plan = resolved.plan
    assert plan.entry == "users"
    assert [arm.id for arm in plan.arms] == ["go-h1c", "go-h2c", "again-h1c", "again-h2c"]
    first = plan.arms[0]
    assert [each.service for each in first.services] == ["users", "registry"]
    assert list(first.legs) == ["upstream", "discovery"]
    assert first.settings == {"found-by": "list", "users-number": "1"}
    assert (resolved.system.entry, resolved.whole.entry) == ("users", "gateway")


def test_the_entry_of_the_system_may_be_named(lab: SmallLab) -> None:
    plan = plan_of(lab.study("system: shop\n", "system: shop\nentry: gateway\n"), lab.catalogue)
    assert plan.entry is None
    assert load_study(lab.study(), lab.catalogue).arms[0].legs["client"] == "h1c"


CASES = {
    "an unknown service": (
        "entry: users",
        "entry: user",
        ":4: entry: user is not a service of shop",
        "did you mean users? known: gateway, ",
    ),
    "a service on the bench": (
        "entry: users",
        "entry: registry",
        ":4: entry: registry has the role bench",
        "name a service that is compared",
    ),
    "a service in front of it": (
        "  registry: [go]\n",
        "  registry: [go]\n  gateway: [go]\n",
        ":8: arms.gateway: is not a factor of shop at users",
        "known: users, registry, upstream, discovery, page-cache, found-by, users-number",
    ),
    "its own number": (
        "  registry: [go]\n",
        '  registry: [go]\n  users-instances: ["2"]\n',
        ":8: arms.users-instances: is not a factor of shop at users",
        "known: users, registry, ",
    ),
    "limits of what does not stand": (
        "entry: users",
        "entry: users\nlimits: {gateway: {cpus: 1}}",
        ":5: limits.gateway: is not a service of shop at users",
        "known: users, registry",
    ),
}


@pytest.mark.parametrize(("old", "new", "message", "remedy"), CASES.values(), ids=CASES.keys())
def test_a_wrong_one_is_refused_with_line_and_key(
    shop: SmallLab, old: str, new: str, message: str, remedy: str
) -> None:
    path = shop.study(old, new)
    with pytest.raises(InputError) as caught:
        plan_of(path, shop.catalogue)
    assert caught.value.message.removeprefix(str(path)).startswith(message)
    assert (caught.value.remedy or "").startswith(remedy)


def test_a_service_to_which_no_leg_leads_is_refused(shop: SmallLab) -> None:
    shop.change(
        FILE, "    legs: [client, upstream, discovery, onward]", "    legs: [client, discovery]"
    )
    shop.change(FILE, "needs: [users, registry, backend]", "needs: [users, registry]")
    shop.change(FILE, "{database: postgres, backend: echo}", "{database: postgres}")
    with pytest.raises(InputError, match="no leg of shop leads to users"):
        plan_of(shop.study(), shop.catalogue)
