"""The first requests of a footprint as typed: what they mean, and what is refused."""

import pytest
from small_lab import SmallLab

from loadstone.errors import InputError
from loadstone.measure.footprint import parts_of
from loadstone.study.files.workload_file import read_workload
from loadstone.study.values.model import Workload

PATH = "systems/shop/workloads/still.yaml"
LOAD = """\
workload: still
kind: footprint
group: callers
users: 2
duration: 4s
warm_up: 1s
session: [{operation: look, get: /look}]
"""
INSERT = "{operation: insert, post: /items, json: {id: %d}, check: {status: 202}}"


def footprint(lab: SmallLab, *first: str) -> Workload:
    text = f"first: [{', '.join(first)}]\n" if first else ""
    workload = read_workload(lab.write(PATH, LOAD + text))
    assert isinstance(workload, Workload)
    return workload


def test_several_first_requests_may_have_one_name(lab: SmallLab) -> None:
    found = footprint(lab, INSERT % 1, INSERT % 2)
    assert [(each.operation, each.body) for each in found.first] == [
        ("insert", '{"id":1}'),
        ("insert", '{"id":2}'),
    ]
    sent = found.of_first(0, 2)
    assert [each.operation for each in sent.groups[0].operations] == ["insert-1", "insert-2"]
    assert sent.new_connections
    assert sent.connections == 1


@pytest.mark.parametrize(
    ("count", "parts"),
    [
        (0, [(0, 1, "after_first_request"), (1, 5, "after_five_requests")]),
        (3, [(0, 1, "after_first_request"), (1, 3, None)]),
        (
            10,
            [
                (0, 1, "after_first_request"),
                (1, 5, "after_five_requests"),
                (5, 10, "after_ten_requests"),
            ],
        ),
        (
            11,
            [
                (0, 1, "after_first_request"),
                (1, 5, "after_five_requests"),
                (5, 10, "after_ten_requests"),
                (10, 11, None),
            ],
        ),
    ],
)
def test_marks_stand_behind_the_requests_that_they_are_named_after(
    lab: SmallLab, count: int, parts: list[tuple[int, int, str | None]]
) -> None:
    found = footprint(lab, *(INSERT % number for number in range(count)))
    assert list(parts_of(found)) == parts


@pytest.mark.parametrize(
    ("typed", "message"),
    [
        (
            "{operation: insert, post: /items, body: '{{sequence}}'}",
            r"first\[0\]\.body: templates belong to a workload's session",
        ),
        (
            "{operation: insert, post: /items, check: {or_end: 409}}",
            r"first\[0\]\.check\.or_end: there is no session to end here",
        ),
        (
            "{operation: look, head: /items, check: {body_contains: a}}",
            r"first\[0\]\.check: an answer to HEAD has no body",
        ),
        (
            "{operation: insert, post: /items, capture: {id: /id}}",
            r"first\[0\]\.capture",
        ),
        ("{operation: insert}", r"first\[0\]: an operation has exactly one method"),
    ],
)
def test_what_changes_from_run_to_run_is_refused(lab: SmallLab, typed: str, message: str) -> None:
    with pytest.raises(InputError, match=message):
        footprint(lab, typed)


def test_a_load_has_no_first_requests(lab: SmallLab) -> None:
    text = LOAD.replace("kind: footprint", "kind: load") + f"first: [{INSERT % 1}]\n"
    with pytest.raises(InputError, match="first: is only for a footprint"):
        read_workload(lab.write(PATH, text))
