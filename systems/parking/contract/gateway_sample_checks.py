"""What is held of the answers of the gateway that the engine kept of a load."""

from functools import partial

from loadstone.contract import declare
from loadstone.contract.expect import expect, expect_equal
from loadstone.contract.model import Sample

from .lib.gateway_answers import request_id_of
from .lib.problems import KINDS, expect_problem

_FAILURES = {KINDS[code].status: code for code in ("upstream", "unavailable", "upstream-timeout")}


def _refused(sample: Sample) -> None:
    """Expect the problem of a call that could not be passed on, or that the service refuses so."""
    expect_problem(sample.answer, _FAILURES[sample.status], "under load")


_listed = partial(
    declare.sample_check, operation="list-users", otherwise=dict.fromkeys(_FAILURES, _refused)
)


@declare.sample_check("G14", "under load, an answer has one X-Request-Id")
def sampled_request_id(sample: Sample) -> None:
    request_id_of(sample.answer, "under load")


@_listed("G11", "under load, status and fields are those of users")
def sampled_list(sample: Sample) -> None:
    answer = sample.answer
    expect_equal(answer.status, 200, "the status")
    expect_equal(answer.values("content-type"), ("application/json",), "Content-Type")
    instances = answer.values("x-instance-id")
    is_of_users = len(instances) == 1 and instances[0].startswith("users-")
    expect(is_of_users, f"X-Instance-Id is {instances}")
    expect_equal(answer.values("cache-control"), ("no-store",), "Cache-Control")


@_listed("G23", "under load, an answer is whole")
def sampled_whole(sample: Sample) -> None:
    if not sample.truncated:
        expect_equal(len(sample.body), sample.body_bytes, "the kept body's size")
        is_whole = sample.body.startswith(b'[{"id":') and sample.body.endswith(b"]")
        expect(is_whole, f"the body of {sample.body_bytes} bytes is no whole list")
