"""What is held of the answers that the engine kept of a load."""

from collections.abc import Callable
from contextlib import suppress
from functools import partial
from itertools import pairwise

from loadstone.contract import declare
from loadstone.contract.client import Answer
from loadstone.contract.expect import expect, expect_equal
from loadstone.contract.model import Sample, SampleCheck

from .lib.countries import COUNTRIES
from .lib.problems import expect_failure
from .lib.service import compact, read_json, rows_of

LIST_BEGINS = b'[{"id":"'
JOINED_BEGINS = b'[{"name":"'


def _failure(operation: str, *codes: str) -> Callable[[Sample], None]:
    """A check that an answer is the problem of one of these codes."""
    *others, last = codes

    def hold(sample: Sample) -> None:
        answer = sample.answer
        for code in others:
            with suppress(AssertionError):
                expect_failure(answer, code, operation, "under load")
                return
        expect_failure(answer, last, operation, "under load")

    return hold


def _sampled(
    clause: str, title: str, operation: str
) -> Callable[[Callable[[Sample], None]], SampleCheck]:
    """Declare a check of an operation, whose wait for a connection of the pool may be over."""
    otherwise = {503: _failure(operation, "unavailable")}
    return declare.sample_check(clause, title, operation=operation, otherwise=otherwise)


listed = partial(_sampled, operation="list")
joined = partial(
    declare.sample_check,
    operation="with-country",
    otherwise={
        502: _failure("with-country", "country-failed"),
        503: _failure("with-country", "country-open", "unavailable"),
        504: _failure("with-country", "country-timeout"),
    },
)


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


@_sampled("I1", "under load, an insert is 202 without a body", "insert")
def sampled_insert(sample: Sample) -> None:
    expect_equal((sample.status, sample.body_bytes), (202, 0), "status and size of an insert")


@_sampled("G1", "under load, a row is compact", "get")
def sampled_get(sample: Sample) -> None:
    answer = _whole(sample)
    expect_equal(answer.status, 200, "the status of a get")
    row = read_json(answer.body)
    expect(isinstance(row, dict) and tuple(row) == ("id", "name"), f"the row is {row}")
    expect_equal(answer.body, compact(row), "the row, not as compact as it could be,")


@_sampled("G5", "under load, a remove is 204 without a body", "remove")
def sampled_remove(sample: Sample) -> None:
    expect_equal((sample.status, sample.body_bytes), (204, 0), "status and size of a remove")


def _whole(sample: Sample) -> Answer:
    expect_equal(len(sample.body), sample.body_bytes, "the kept body's size")
    types = [value for name, value in sample.headers if name.lower() == "content-type"]
    expect_equal(types, ["application/json"], "Content-Type")
    return sample.answer


def _expect_beginning(sample: Sample, wanted: bytes) -> None:
    expect_equal(sample.status, 200, "the status")
    beginning = sample.body[: len(wanted)]
    expect_equal(beginning, wanted[: len(beginning)], "the beginning of a long list")
