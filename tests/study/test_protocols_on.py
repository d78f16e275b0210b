"""What a manifest says a stack cannot do: protocols of a runtime, and clauses."""

import pytest
from small_lab import SmallLab, load_study

from loadstone.errors import InputError
from loadstone.study.values.model import Protocol

MANIFEST = "systems/shop/gateway/go/stack.yaml"


@pytest.fixture
def lab(lab: SmallLab) -> SmallLab:
    lab.change(MANIFEST, "[go]", "[go, node]")
    lab.change(MANIFEST, "client: [h1c]", "client: [h1c, h2]")
    lab.study("client: [h1c]", "client: [h2]")
    lab.study("[go, node]", "[go, {stack: go, label: again}]")
    return lab


def test_an_arm_on_a_runtime_that_does_not_speak_it_is_refused(lab: SmallLab) -> None:
    assert len(load_study(lab.study(), lab.catalogue).arms) == 2
    lab.change(MANIFEST, "stack: go\n", "stack: go\nprotocols_on: {node: {client: [h1c]}}\n")
    assert len(load_study(lab.study(), lab.catalogue).arms) == 2
    with pytest.raises(InputError) as caught:
        load_study(lab.study("label: again", "label: again, runtime: node"), lab.catalogue)
    assert "again does not speak h2 on the client leg" in caught.value.message


@pytest.mark.parametrize(
    ("typed", "message"),
    [
        ("{deno: {client: [h1c]}}", "protocols_on.deno: is not a runtime of the stack"),
        ("{node: {client: [h1]}}", "protocols_on.node.client[0]: h1 is there twice, or not in"),
        ("{node: {server: [h1c]}}", "protocols_on.node.server[0]: h1c is there twice, or not in"),
    ],
)
def test_fewer_protocols_must_be_of_those_that_it_speaks(
    lab: SmallLab, typed: str, message: str
) -> None:
    lab.change(MANIFEST, "stack: go\n", f"stack: go\nprotocols_on: {typed}\n")
    with pytest.raises(InputError) as caught:
        load_study(lab.study(), lab.catalogue)
    assert message in caught.value.message


def test_a_deviation_is_over_the_protocols_that_it_names(lab: SmallLab) -> None:
    lab.change(
        MANIFEST,
        "stack: go\n",
        "stack: go\ndeviations:\n"
        "  - {clause: PT-9, reason: it cannot, legs: {client: [h2]}}\n"
        "  - {clause: PT-1, reason: it will not}\n",
    )
    over_http_2, everywhere = lab.catalogue.stack(
        lab.catalogue.system("shop"), "gateway", "go"
    ).deviations
    legs = {"client": Protocol.H1C, "upstream": Protocol.H1C}
    assert not over_http_2.is_over(legs)
    assert over_http_2.is_over(legs | {"client": Protocol.H2})
    assert everywhere.is_over(legs)
    lab.change(MANIFEST, "client: [h2]}}", "client: [h1]}}")
    with pytest.raises(InputError) as caught:
        lab.catalogue.stack(lab.catalogue.system("shop"), "gateway", "go")
    assert "deviations[0].legs.client[0]: h1 is not in protocols.client" in caught.value.message
