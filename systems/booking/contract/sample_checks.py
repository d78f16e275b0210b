"""What is held of the answers that the engine kept of a load."""

from functools import partial
from itertools import pairwise

from loadstone.contract import declare
from loadstone.contract.client import Answer
from loadstone.contract.expect import expect, expect_equal
from loadstone.contract.model import Sample

from .lib.problems import expect_problem
from .lib.shapes import (
    ACCOUNT,
    CLUB,
    FACILITY,
    RATING,
    RESERVATION,
    Shape,
    expect_shape,
    page_of,
    ratings_of,
    value_of,
)


def _unavailable(sample: Sample) -> None:
    """Expect the problem of an answer that waited in vain for a connection of the pool."""
    expect_problem(_whole(sample), "unavailable", "under load")


_sampled = partial(declare.sample_check, otherwise={503: _unavailable})


def _objects(sample: Sample, shape: Shape, *statuses: int) -> None:
    """Expect one whole object, or a part of one of success."""
    expect(sample.status in statuses, f"the status is {sample.status}")
    if not sample.truncated:
        value = value_of(_whole(sample), sample.status, "the answer")
        expect_shape(value, shape, "the answer")


def _pages(sample: Sample, shape: Shape) -> None:
    """Expect a page in its order, or a part of one of success."""
    expect_equal(sample.status, 200, "the status")
    if sample.truncated:
        beginning = b'{"items":['
        expect_equal(sample.body[: len(beginning)], beginning, "the beginning of a page")
        return
    page = page_of(_whole(sample), shape, "the page")
    numbers = [each["id"] for each in page.items]
    if shape is RESERVATION:
        numbers.reverse()
    is_sorted = all(one < other for one, other in pairwise(numbers))
    expect(is_sorted, "the page is not in order, or has an id twice")


@_sampled("A1", "under load, an account is 201, compact and whole", operation="sign-up")
def sampled_account(sample: Sample) -> None:
    _objects(sample, ACCOUNT, 201)


@_sampled("A5", "under load, a token is told as ever", operation="log-in")
def sampled_token(sample: Sample) -> None:
    expect_equal(sample.status, 200, "the status")
    if not sample.truncated:
        value = value_of(_whole(sample), 200, "logging in")
        members = ("token", "token_type", "expires_in")
        expect(isinstance(value, dict) and tuple(value) == members, "logging in has other members")


@_sampled("G2", "under load, a page of clubs is by id", operation="list-clubs")
def sampled_clubs(sample: Sample) -> None:
    _pages(sample, CLUB)


@_sampled("G2", "under load, facilities are by id", operation="list-facilities")
def sampled_facilities(sample: Sample) -> None:
    _pages(sample, FACILITY)


@_sampled("G2", "under load, reservations are from the newest on", operation="list-reservations")
def sampled_reservations(sample: Sample) -> None:
    _pages(sample, RESERVATION)


@_sampled("C1", "under load, a facility is 201, compact and whole", operation="add-facility")
def sampled_facility(sample: Sample) -> None:
    _objects(sample, FACILITY, 201)


@_sampled("R1", "under load, a reservation is 201 or its slot is taken", operation="reserve")
def sampled_reservation(sample: Sample) -> None:
    if sample.status == 409:
        media_types = sample.answer.values("content-type")
        expect_equal(media_types, ("application/problem+json",), "Content-Type")
        return
    _objects(sample, RESERVATION, 201)


@_sampled("D1", "under load, an acceptance is 200, compact and whole", operation="accept")
def sampled_acceptance(sample: Sample) -> None:
    _objects(sample, RESERVATION, 200)


@_sampled("D5", "under load, a rating is compact and whole", operation="rate")
def sampled_rating(sample: Sample) -> None:
    _objects(sample, RATING, 201, 200)


@_sampled("D8", "under load, ratings have count and average", operation="list-ratings")
def sampled_ratings(sample: Sample) -> None:
    expect_equal(sample.status, 200, "the status")
    if not sample.truncated:
        found = ratings_of(_whole(sample), "ratings")
        is_right = found.total >= len(found.page.items)
        expect(is_right, f"count is {found.total} with {len(found.page.items)} items")


def _whole(sample: Sample) -> Answer:
    expect_equal(len(sample.body), sample.body_bytes, "the kept body's size")
    return sample.answer
