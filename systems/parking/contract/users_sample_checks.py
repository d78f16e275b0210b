"""What is held of the lists that the engine kept of a load."""

import re
from functools import partial
from pathlib import Path

from loadstone.contract import declare
from loadstone.contract.expect import expect, expect_equal
from loadstone.contract.model import Sample

from .lib.problems import expect_problem

SEED = Path(__file__).parents[1] / "seed" / "users.json"
BY = re.compile(r"users-[1-9][0-9]{0,4}")


def _unavailable(sample: Sample) -> None:
    """Expect the problem of an answer that waited in vain for the database."""
    expect_problem(sample.answer, "unavailable", "under load")


_sampled = partial(declare.sample_check, operation="list-users", otherwise={503: _unavailable})


@_sampled("U10", "under load, a list is the bytes of the seed")
def sampled_list(sample: Sample) -> None:
    expect_equal(sample.status, 200, "the status")
    wanted = SEED.read_bytes()
    expect_equal(sample.body_bytes, len(wanted), "the size of a list")
    expect(wanted.startswith(sample.body), f"a list begins with {sample.body[:80]!r}")
    if not sample.truncated:
        expect_equal(len(sample.body), sample.body_bytes, "the kept body's size")


@_sampled("U28", "under load, a list has its fields")
def sampled_fields(sample: Sample) -> None:
    answer = sample.answer
    expect_equal(answer.values("content-type"), ("application/json",), "Content-Type")
    expect_equal(answer.values("cache-control"), ("no-store",), "Cache-Control")
    by = answer.values("x-instance-id")
    expect(len(by) == 1 and BY.fullmatch(by[0]) is not None, f"X-Instance-Id is {by}")
