"""Rows with pauses, a stack for each service, notes and ramps: as published, or refused by line."""

import pytest
from small_lab import SmallLab

from loadstone.errors import InputError
from loadstone.study.values.published import (
    Published,
    PublishedKey,
    PublishedSource,
    RampKey,
    RowNote,
)

FOLDER = "systems/shop/published"
SYSTEM = """\
system: shop
title: A shop
scenarios: [{operation: buy, legs: {client: h1, look-up: h1c, discovery: h1c}}]
services:
  gateway:
    legs: [client, look-up, discovery]
    needs: [users, registry]
    ready: {operation: buy, get: /buy}
  users:
    legs: [look-up, discovery]
    needs: [registry]
    ready: {operation: look, get: /user}
  registry:
    role: bench
    legs: [discovery]
    ready: {operation: list, get: /registered}
"""
ABOUT = """\
published: elsewhere
origin: a table of somebody
machine: a larger one
validity: [Each row is one run.]
notes:
  C: {says: it is too much, withholds: [throughput_per_second]}
  S: {says: "{number} users hung", withholds: [failures_percent, completed]}
  O: {says: it is older}
"""
WHOSE = "gateway_stack,users_stack,operation,client,look-up,discovery"
HEADING = (
    f"{WHOSE},users,pause_ms,message_bytes,delay_ms,throughput_per_second,mean_ms,p90_ms,notes"
)
PLAIN = "go@go,spring@native,buy,h1,h1c,h1c,10,1000,0,0,9.86,7.53,14.21,"
NOTED = "go@go,spring@jit,buy,h1,h1c,h1c,100,1000,0,0,98.80,13.37,22.92,CS10"
RAMP_HEADING = (
    f"{WHOSE},users_per_second,pause_ms,stop,message_bytes,users_before_failure,completed,notes"
)
RAMP = "go@go,go@go,buy,h1,h1c,h1c,200,1000,first_failure,0,9579,75856,OS3"
STARTS = "service,stack,runtime,startup_ms\ngateway,spring,native,88\nusers,spring,native,228\n"


@pytest.fixture
def shop(lab: SmallLab) -> SmallLab:
    lab.write("systems/shop/system.yaml", SYSTEM)
    lab.write(f"{FOLDER}/elsewhere.yaml", ABOUT)
    lab.write(f"{FOLDER}/elsewhere.csv", f"{HEADING}\n{PLAIN}\n{NOTED}\n")
    lab.write(f"{FOLDER}/elsewhere-ramps.csv", f"{RAMP_HEADING}\n{RAMP}\n")
    lab.write(f"{FOLDER}/elsewhere-starts.csv", STARTS)
    return lab


def read(lab: SmallLab) -> PublishedSource:
    found: Published | None = lab.catalogue.published(lab.catalogue.system("shop"))
    assert found is not None
    (source,) = found.sources
    return source


def test_a_row_names_a_stack_for_each_measured_service_and_its_pause(shop: SmallLab) -> None:
    source = read(shop)
    plain, noted = source.rows
    assert plain.stacks == {"gateway": "go@go", "users": "spring@native"}
    assert source.name_of(plain) == "go@go and spring@native (elsewhere)"
    assert plain.key == PublishedKey("buy h1 -> h1c -> h1c", 10, 0, 0, pause_ms=1000)
    assert (plain.p90_ms, plain.p99_ms, plain.failures_percent) == (14.21, None, None)
    assert plain.notes == ()
    assert noted.notes == (
        RowNote(code="C", says="it is too much", withholds=("throughput_per_second",)),
        RowNote(code="S", says="10 users hung", withholds=("failures_percent", "completed")),
    )
    assert noted.withheld("throughput_per_second") == "C: it is too much"
    assert noted.withheld("mean_ms") == ""


def test_ramps_have_a_growth_and_what_ended_them(shop: SmallLab) -> None:
    (ramp,) = read(shop).ramps
    assert ramp.key == RampKey("buy h1 -> h1c -> h1c", 200, "first_failure", 0, 1000)
    assert (ramp.users_before_failure, ramp.run_seconds, ramp.failed) == (9579, None, None)
    assert ramp.withheld("completed") == "S: 3 users hung"


def test_starts_may_be_of_one_service_each(shop: SmallLab) -> None:
    source = read(shop)
    assert [source.name_of(start) for start in source.starts] == [
        "gateway/spring@native (elsewhere)",
        "users/spring@native (elsewhere)",
    ]


@pytest.mark.parametrize(
    ("file", "old", "new", "said"),
    [
        (".csv", "CS10", "CS", ":3: notes: S must be there once, with a number"),
        (".csv", "CS10", "C2S10", ":3: notes: C must be there once, without a number"),
        (".csv", "CS10", "CC", ":3: notes: C must be there once"),
        (".csv", "CS10", "X", ":3: notes: nothing says what X means"),
        (".csv", "CS10", "C S10", ":3: notes: must be capital letters"),
        (".csv", "CS10", "c", ":3: notes: must be capital letters"),
        (".csv", "go@go,spring@jit", "go,spring@jit", ":3: gateway_stack: must be STACK@RUNTIME"),
        (".csv", "100,1000", "100,1s", ":3: pause_ms: must be a whole number"),
        (".csv", "users_stack,", "", ":1: these are not the columns"),
        (".csv", "users_stack", "registry_stack", ":1: these are not the columns"),
        (
            ".csv",
            NOTED,
            PLAIN,
            ":3: this load of buy h1 -> h1c -> h1c is there twice, first in line 2",
        ),
        ("-ramps.csv", "first_failure", "timeout", ":2: stop: 'timeout' is not known here"),
        (
            "-ramps.csv",
            "h1c,200,",
            "h1c,0,",
            ":2: users_per_second: must be a whole number, 1 or more",
        ),
        ("-ramps.csv", "9579,75856", ",", ":2: has no figure"),
        ("-ramps.csv", "9579", "9579.5", ":2: users_before_failure: must be a whole number"),
        ("-ramps.csv", f"{RAMP}\n", f"{RAMP}\n{RAMP}\n", ":3: this ramp of buy"),
        ("-starts.csv", "gateway,spring", "gate,spring", ":2: service: 'gate' is not known here"),
        ("-starts.csv", "users,", "gateway,", ":3: stack: gateway/spring@native is there twice"),
        (".yaml", "  C: {", "  c: {", ":6: notes.c: must be one capital letter"),
        (
            ".yaml",
            "[throughput_per_second]",
            "[throughput]",
            ":6: notes.C.withholds[0]: throughput is",
        ),
        (".yaml", "says: it is too much, ", "", ":6: notes.C.says: is missing"),
    ],
)
def test_what_is_wrong_is_refused_with_its_line(
    shop: SmallLab, file: str, old: str, new: str, said: str
) -> None:
    path = shop.change(f"{FOLDER}/elsewhere{file}", old, new)
    with pytest.raises(InputError) as caught:
        read(shop)
    assert caught.value.message.removeprefix(str(path)).startswith(said)
    assert caught.value.remedy


def test_a_source_may_have_ramps_alone(shop: SmallLab) -> None:
    for end in ("", "-starts"):
        (shop.root / FOLDER / f"elsewhere{end}.csv").unlink()
    source = read(shop)
    assert (source.rows, source.starts, len(source.ramps)) == ((), (), 1)
