"""Legs that lead to several services: by which each is called, and by which its dependencies are."""

import pytest
from small_lab import SmallLab

from loadstone.errors import InputError
from loadstone.study.values.hops import called_by

FILE = "systems/shop/system.yaml"

SYSTEM = """\
system: shop
title: A shop with a registry
dependencies: {database: postgres}
services:
  gateway:
    legs: [client, upstream, discovery]
    needs: [users, registry]
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


@pytest.fixture
def shop(lab: SmallLab) -> SmallLab:
    lab.write(FILE, SYSTEM)
    return lab


@pytest.mark.parametrize("legs", ["[upstream, discovery]", "[discovery, upstream]"])
def test_each_service_is_called_by_the_leg_that_leads_to_it(shop: SmallLab, legs: str) -> None:
    shop.change(FILE, "    legs: [upstream, discovery]", f"    legs: {legs}")
    system = shop.catalogue.system("shop")
    assert {name: system.inbound_leg(name) for name in system.names} == {
        "gateway": "client",
        "registry": "discovery",
        "users": "upstream",
    }
    assert system.legs == ("client", "upstream", "discovery")


def test_a_database_has_no_leg_where_all_lead_to_services(shop: SmallLab) -> None:
    assert shop.catalogue.system("shop").leg_to("database") is None


def test_a_dependency_is_called_by_the_leg_that_leads_to_no_service(shop: SmallLab) -> None:
    shop.change(FILE, "{database: postgres}", "{database: postgres, backend: echo}")
    shop.change(FILE, "needs: [database, registry]", "needs: [database, registry, backend]")
    shop.change(FILE, "    legs: [upstream, discovery]", "    legs: [upstream, discovery, onward]")
    system = shop.catalogue.system("shop")
    assert system.leg_to("backend") == "onward"
    assert system.inbound_leg("users") == "upstream"


def test_a_leg_that_a_caller_does_not_need_is_refused(shop: SmallLab) -> None:
    path = shop.change(FILE, "needs: [users, registry]", "needs: [users]")
    with pytest.raises(InputError) as caught:
        shop.catalogue.system("shop")
    assert caught.value.message.removeprefix(str(path)).startswith(
        ":6: services.gateway.legs[2]: discovery is a leg of gateway and users and registry, and none "
        "of them is what the others need"
    )


def test_a_leg_leads_to_the_only_service_that_all_others_need() -> None:
    legs = {"a": ("in", "on"), "b": ("on",), "c": ("on", "alone")}
    assert called_by("on", legs, {"a": ("b", "c"), "b": ("c",), "c": ()}) == "c"
    assert called_by("on", legs, {"a": ("b",), "b": (), "c": ("b",)}) == "b"
    assert called_by("on", legs, {"a": ("b",), "b": (), "c": ()}) is None
    assert called_by("alone", legs, {"a": ("c",), "b": (), "c": ()}) is None
    assert called_by("nowhere", legs, {}) is None
