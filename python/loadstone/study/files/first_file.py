"""The first requests of a footprint: the same in every run, so that memory after them is, too."""

from collections.abc import Sequence
from typing import Annotated

from pydantic import Field

from loadstone.study.files.answer_file import RawAnswerCheck, check_of, judge_pointers
from loadstone.study.files.operation_file import (
    RawRequest,
    literal_reader,
    refuse_templates,
    request_of,
)
from loadstone.study.files.session_file import judge_head
from loadstone.study.files.yaml_file import KeyPath, YamlFile
from loadstone.study.values.steps import Send

MOST_FIRST_REQUESTS = 1_000
"""The last mark is after ten; what goes on for longer is a load."""


class RawFirstRequest(RawRequest):
    """A request that is always the same, and what is made of its answer."""

    check: RawAnswerCheck = RawAnswerCheck()
    """What the answer must be; there is no session that it could end."""


RawFirstRequests = Annotated[
    list[RawFirstRequest], Field(min_length=1, max_length=MOST_FIRST_REQUESTS)
]


def first_of(source: YamlFile, at: KeyPath, raw: Sequence[RawFirstRequest]) -> tuple[Send, ...]:
    """The requests that were typed at `at`; several may have one name. Raises InputError."""
    return tuple(_request(source, (*at, position), each) for position, each in enumerate(raw))


def _request(source: YamlFile, at: KeyPath, raw: RawFirstRequest) -> Send:
    refuse_templates(source, at, source.at(at))
    if raw.check.or_end is not None:
        raise source.error(
            (*at, "check", "or_end"), "there is no session to end here", "write it into status"
        )
    reader = literal_reader(source)
    request = request_of(reader, at, raw)
    check = check_of(reader, (*at, "check"), raw.check)
    judge_pointers(reader, at, check, ())
    judge_head(reader, at, request.method, check, ())
    return Send(
        operation=raw.operation,
        method=request.method,
        path=request.path,
        headers=request.headers,
        body=request.body,
        check=check,
        on_failure="go_on",  # each is sent once, whatever came of those before it
    )
