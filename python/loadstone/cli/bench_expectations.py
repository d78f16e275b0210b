"""What is typed after `loadstone bench` of what an answer must be, turned into a check."""

import json
from collections.abc import Sequence

from loadstone.errors import LoadstoneError, WrongValueError
from loadstone.study.values.steps import AnswerCheck, Exactly, MemberCheck
from loadstone.text.json_pointer import tokens_of


def check(status: int | None, body: str | None, values: Sequence[str]) -> AnswerCheck:
    """What an answer must be for its request to be ok."""
    return AnswerCheck(
        status=() if status is None else (status,),
        body_contains=body or None,
        members=tuple(_member(text) for text in values),
    )


def _member(text: str) -> MemberCheck:
    """`PATH=VALUE`: a JSON pointer, and JSON, or else a text without its quotes."""
    pointer, equals, typed = text.partition("=")
    try:
        tokens = tokens_of(pointer) if equals else None
    except WrongValueError:
        tokens = None
    if tokens is None:
        raise LoadstoneError(
            f"--expect-json {text!r} is not PATH=VALUE",
            "PATH is a JSON pointer, for example --expect-json '/items/0/name=Ann'",
        )
    try:
        value = json.loads(typed)
    except ValueError:
        value = typed
    return MemberCheck(pointer=tokens, expect=Exactly(value=value))
