"""The file in which a system declares its contract: requests, and what their answers must be.

It has the words of a session's steps. What needs more than one request, such as a value that an answer
tells, is a check in Python.
"""

from pathlib import Path
from typing import Annotated

from pydantic import Field

from loadstone.study.files.answer_file import RawAnswerCheck, check_of, judge_pointers
from loadstone.study.files.operation_file import (
    RawRequest,
    literal_reader,
    refuse_templates,
    request_of,
)
from loadstone.study.files.raw import Raw, Text, parse
from loadstone.study.files.session_file import judge_head
from loadstone.study.files.yaml_file import KeyPath, YamlFile, read_yaml
from loadstone.study.values.declared import DeclaredChecks
from loadstone.study.values.expressions import Base64, Environment, slots_of
from loadstone.study.values.steps import Send

FILE = "checks.yaml"
"""Its name, in the folder of a system."""


class RawDeclaredCheck(RawRequest):
    """One request, and what its answer must be. `{{env.NAME}}` is a variable of the environment."""

    check: RawAnswerCheck = RawAnswerCheck()
    """What the answer must be."""


class RawChecks(Raw):
    """The contract of a system without a folder `contract/`."""

    openapi: Text | None = None
    """An OpenAPI document of version 3.0 or 3.1, seen from this file: every answer that is sampled
    under load must be what it says of its operation."""
    checks: Annotated[list[RawDeclaredCheck], Field(min_length=1)] | None = None
    """Held one by one before a study; those by GET and HEAD before and after each load, too."""


def read_checks(path: Path) -> DeclaredChecks:
    """Read the checks of a system. Raises InputError."""
    source = read_yaml(path)
    raw = parse(source, RawChecks)
    if raw.openapi is None and raw.checks is None:
        raise source.error((), "declares nothing", "write checks, or openapi with a document")
    seen: set[str] = set()
    checks = []
    for position, each in enumerate(raw.checks or ()):
        at: KeyPath = ("checks", position)
        if each.operation in seen:
            raise source.error(
                (*at, "operation"),
                f"{each.operation} is there twice",
                "give each a name of its own",
            )
        seen.add(each.operation)
        checks.append(_check(source, at, each))
    document = None if raw.openapi is None else path.parent / raw.openapi
    if document is not None and not document.is_file():
        raise source.error(
            ("openapi",),
            f"{document} is not there",
            "give the document's path, seen from this file",
        )
    return DeclaredChecks(path=path, checks=tuple(checks), document=document)


def _check(source: YamlFile, at: KeyPath, raw: RawDeclaredCheck) -> Send:
    if raw.check.or_end is not None:
        raise source.error(
            (*at, "check", "or_end"), "there is no session to end here", "write it into status"
        )
    if "check" in raw.model_fields_set:
        refuse_templates(source, (*at, "check"), source.at((*at, "check")))
    reader = literal_reader(source)
    request = request_of(reader, at, raw)
    check = check_of(reader, (*at, "check"), raw.check)
    judge_pointers(reader, at, check, ())
    judge_head(reader, at, request.method, check, ())
    send = Send(
        operation=raw.operation,
        method=request.method,
        path=request.path,
        headers=request.headers,
        body=request.body,
        check=check,
    )
    for text in send.sent:
        for slot in slots_of(text):
            if not isinstance(slot.expression, Environment | Base64):
                raise source.error(
                    at,
                    "is made of more than the environment",
                    "write the value itself, or {{env.NAME}}: a check has no session",
                )
    return send
