"""What is held of the answers that the engine kept of a load."""

from functools import partial
from itertools import pairwise

from loadstone.contract import declare
from loadstone.contract.client import Answer
from loadstone.contract.expect import expect, expect_equal
from loadstone.contract.model import Sample

from .lib.countries import COUNTRIES
from .lib.service import compact, read_json, rows_of

listed = partial(declare.sample_check, operation="list")
joined = partial(declare.sample_check, operation="with-country")
LIST_BEGINS = b'[{"id":"'
JOINED_BEGINS = b'[{"name":"'


@listed("L1", "under load, a list is compact and by id")
def sampled_list(sample: Sample) -> None:
    if sample.truncated:
        _expect_beginning(sample, LIST_BEGINS)
        return
    identifiers = [row["id"] for row in rows_of(_whole(sample))]
    is_sorted = all(one < other for one, other in pairwise(identifiers))
    expect(is_sorted, "the list is not by id, or has an id twice")


@joined("W1", "under load, each conference has its country")
def sampled_joined(sample: Sample) -> None:
    if sample.truncated:
        _expect_beginning(sample, JOINED_BEGINS)
        return
    for row in rows_of(_whole(sample), ("name", "country")):
        expect_equal(row["country"], COUNTRIES.get(row["name"]), f"the country of {row['name']}")


@declare.sample_check("I1", "under load, an insert is 202 without a body", operation="insert")
def sampled_insert(sample: Sample) -> None:
    expect_equal((sample.status, sample.body_bytes), (202, 0), "status and size of an insert")


@declare.sample_check("G1", "under load, a row is compact", operation="get")
def sampled_get(sample: Sample) -> None:
    answer = _whole(sample)
    expect_equal(answer.status, 200, "the status of a get")
    row = read_json(answer.body)
    expect(isinstance(row, dict) and tuple(row) == ("id", "name"), f"the row is {row}")
    expect_equal(answer.body, compact(row), "the row, not as compact as it could be,")


@declare.sample_check("G5", "under load, a remove is 204 without a body", operation="remove")
def sampled_remove(sample: Sample) -> None:
    expect_equal((sample.status, sample.body_bytes), (204, 0), "status and size of a remove")


def _whole(sample: Sample) -> Answer:
    expect_equal(len(sample.body), sample.body_bytes, "the kept body's size")
    types = [value for name, value in sample.headers if name.lower() == "content-type"]
    expect_equal(types, ["application/json"], "Content-Type")
    return Answer("", sample.headers, sample.status, sample.body)


def _expect_beginning(sample: Sample, wanted: bytes) -> None:
    expect_equal(sample.status, 200, "the status")
    beginning = sample.body[: len(wanted)]
    expect_equal(beginning, wanted[: len(beginning)], "the beginning of a long list")
