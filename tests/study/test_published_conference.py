"""The rows that are published of `conference`, held against what is known of them by other means."""

import shutil
from pathlib import Path

import pytest
from small_lab import SmallLab

from loadstone.study.values.published import Published, PublishedKey

COMMITTED = Path(__file__).resolve().parents[2] / "systems" / "conference" / "published"
SYSTEM = """\
system: conference
title: Conferences
scenarios:
  - {operation: list, legs: {client: h1c, lookup: h1c}}
services:
  conference:
    legs: [client, lookup]
    needs: [country]
    variables: {COUNTRY_URL: "{country}"}
    ready: {operation: list, get: /conferences, check: {status: 200}}
  country:
    legs: [lookup]
    ready: {operation: lookup, get: /conferences/QCon/country, check: {status: 200}}
"""
LISTS = PublishedKey("list h1c -> h1c", 100, 0, 0)
EVEN = PublishedKey("list h1c -> h1c", 0, 0, 0, rate_per_second=1000)


@pytest.fixture
def published(lab: SmallLab) -> Published:
    """As committed, beside a system of the same legs and operation."""
    lab.write("systems/conference/system.yaml", SYSTEM)
    shutil.copytree(COMMITTED, lab.root / "systems/conference/published")
    found = lab.catalogue.published(lab.catalogue.system("conference"))
    assert found is not None
    return found


def test_each_report_has_a_row_of_each_load_for_each_stack(published: Published) -> None:
    sizes = {each.source: (len(each.rows), len(each.starts)) for each in published.sources}
    assert sizes == {"latest24": (24, 12), "mac23": (16, 8), "ubuntu23": (16, 8)}
    for source in published.sources:
        whose = [(start.stack, start.runtime) for start in source.starts]
        for key in (LISTS, EVEN):
            of_load = [row for row in source.rows if row.key == key]
            assert [(row.stack, row.runtime) for row in of_load] == whose


def test_throughput_and_p99_never_stand_in_one_row(published: Published) -> None:
    for source in published.sources:
        for row in source.rows:
            is_of_users = row.key == LISTS
            assert (row.throughput_per_second is not None) == is_of_users
            assert (row.p99_ms is not None) != is_of_users
            assert row.failures_percent is None


def test_the_first_on_one_machine_is_the_last_on_another(published: Published) -> None:
    order = {}
    for source in published.sources:
        rows = [row for row in source.rows if row.key == LISTS and row.runtime == "jit"]
        ranked = sorted(rows, key=lambda row: -(row.throughput_per_second or 0))
        order[source.source] = [row.stack for row in ranked]
    assert order["mac23"][0] == order["ubuntu23"][-1] == order["latest24"][-1] == "ballerina"
    assert order["latest24"][0] == "quarkus"


def test_sums_agree_with_those_of_the_reports(published: Published) -> None:
    sums = {
        source.source: (
            round(sum(row.throughput_per_second or 0 for row in source.rows), 2),
            round(sum(row.p99_ms or 0 for row in source.rows), 2),
            sum(start.startup_ms or 0 for start in source.starts),
            sum(start.build_seconds or 0 for start in source.starts),
        )
        for source in published.sources
    }
    assert sums == {
        "mac23": (17151.45, 148.95, 6185, 477),
        "ubuntu23": (31707.91, 549.02, 8402, 1146),
        "latest24": (55663.6, 160.73, 9376, 1945),
    }


def test_every_table_says_why_its_figures_are_not_to_be_compared(published: Published) -> None:
    for source in published.sources:
        told = " ".join(" ".join(source.validity).split())
        for reason in (
            "neither was warmed up",
            "shared the machine",
            "what each log claims",
            "near rest",
        ):
            assert reason in told
