"""The rows that are published of `parking`: all 64 cells, their notes, and what contradicts itself."""

from collections import Counter
from pathlib import Path

import pytest

from loadstone.audit.study.published_rows import contradiction
from loadstone.study.systems.catalogue import Catalogue
from loadstone.study.values.published import PublishedRow, PublishedSource

ROOT = Path(__file__).resolve().parents[2]
CATALOGUE = Catalogue(ROOT)
JAVA_GATEWAYS, FAST_USERS = ("spring@native", "spring@jit"), ("ballerina@native", "ballerina@jit")


@pytest.fixture(scope="module")
def source() -> PublishedSource:
    published = CATALOGUE.published(CATALOGUE.system("parking"))
    assert published is not None
    (found,) = published.sources
    return found


def noted(source: PublishedSource, code: str) -> list[PublishedRow]:
    return [row for row in source.rows if code in {note.code for note in row.notes}]


def test_every_cell_of_the_design_is_there_once(source: PublishedSource) -> None:
    cells = Counter(
        (*row.stacks.values(), row.scenario.legs["client"].value, row.users) for row in source.rows
    )
    stacks = (*JAVA_GATEWAYS, *FAST_USERS)
    assert cells == Counter(
        (gateway, users, client, number)
        for gateway in stacks
        for users in stacks
        for client in ("h1", "h2")
        for number in (10, 100)
    )
    assert {row.pause_ms for row in source.rows} == {1000}


def test_the_times_of_each_row_are_in_their_order(source: PublishedSource) -> None:
    for row in source.rows:
        times = [row.min_ms, row.median_ms, row.p90_ms, row.p95_ms, row.max_ms]
        known = [each for each in times if each is not None]
        assert len(known) == 5
        assert known == sorted(known)


def test_its_figures_add_up_to_known_sums(source: PublishedSource) -> None:
    h1, h2 = (
        [row.mean_ms or 0 for row in source.rows if row.scenario.legs["client"].value == client]
        for client in ("h1", "h2")
    )
    assert sum(after < before for before, after in zip(h1, h2, strict=True)) == 32, (
        "means of HTTP/2"
    )
    assert max(row.max_ms or 0 for row in source.rows) == 471.07


def test_notes_are_on_the_rows_that_have_them(source: PublishedSource) -> None:
    assert {code: len(noted(source, code)) for code in "CDS"} == {"C": 15, "D": 10, "S": 10}
    assert {row.users for row in noted(source, "S")} == {100}
    hung = [note.says.split()[0] for row in source.rows for note in row.notes if note.code == "S"]
    assert hung == ["10", "10", "22", "17", "12", "39", "38", "42", "33", "50"]
    for row in noted(source, "S"):
        assert row.withheld("failures_percent")


def test_printed_figures_alone_show_which_rows_cannot_be(source: PublishedSource) -> None:
    found = [(row, why) for row in source.rows if (why := contradiction(row))]
    over = [row for row, why in found if why.endswith("so many there were not")]
    assert all(row in noted(source, "C") for row in over)
    assert len(over) == 4
    missing = [row for row, _ in found if row not in over]
    assert {(row.stacks["gateway"], row.stacks["users"]) for row in missing} == {
        (gateway, users) for gateway in JAVA_GATEWAYS for users in FAST_USERS
    }
    assert len(missing) == 8
    assert all(row in noted(source, "S") for row in missing)


def test_ramps_and_starts_are_there(source: PublishedSource) -> None:
    assert [ramp.users_before_failure for ramp in source.ramps] == [
        *(9579, 11373, 8381, 9172),
        *(7644, 8984, 6356, 7757),
    ]
    assert [ramp.users_per_second for ramp in source.ramps] == [
        200,
        200,
        200,
        200,
        100,
        200,
        200,
        200,
    ]
    assert {start.service for start in source.starts} == {"gateway", "users"}
    assert len(source.starts) == 8
