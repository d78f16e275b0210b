"""Whether an answer is what a document says of it: its status, its media type, its body.

What cannot be told is said, never passed over: a body that was cut, a schema that leads out of the
document. Statuses from 400 on that the document lacks are not judged: a service that is overloaded
sends them, and they are counted as failures where nobody expects them.
"""

import json
from collections.abc import Sequence
from functools import cached_property
from typing import Any

from jsonschema import ValidationError
from referencing import Registry, Resource

from loadstone.errors import LoadstoneError
from loadstone.openapi.dialects import DIALECTS
from loadstone.openapi.document import (
    Document,
    Located,
    ReferenceNotTaken,
    Tokens,
    reference_of,
    uri_fragment_of,
)
from loadstone.openapi.operations import Operation, operations_of
from loadstone.openapi.path_index import PathIndex
from loadstone.text.quoted import shortened

_BASE = "loadstone:document"
"""What the document is called among schemas: an address that nothing could be fetched from."""
_FIRST_FAILURE = 400
_SHOWN_CHARACTERS = 160


class NotJudged(LoadstoneError):
    """Why it cannot be told whether an answer fits."""


class AnswerSchemas:
    """What a document says of answers."""

    def __init__(self, document: Document) -> None:
        self._document = document
        self._validators: dict[Tokens, Any] = {}

    def misfit(
        self,
        method: str,
        target: str,
        status: int,
        media_type: str | None,
        body: bytes | None,
    ) -> str | None:
        """What of an answer does not fit, with its place in the document; none where all does.

        `target` is path and query; `body` is none where it was cut. Raises NotJudged.
        """
        operation = self._index.find(method, target)
        if operation is None:
            raise NotJudged(f"the document has no operation for {method} {shortened(target)}")
        try:
            return self._misfit(operation, status, media_type, body)
        except ReferenceNotTaken as error:
            raise NotJudged(error.message) from error

    def _misfit(
        self, operation: Operation, status: int, media_type: str | None, body: bytes | None
    ) -> str | None:
        response = self._response(operation, status)
        if response is None:
            if status >= _FIRST_FAILURE:
                return None
            place = reference_of((*operation.found.at, "responses"))
            return f"the status {status} is not among those of the document ({place})"
        content = response.below("content")
        if not content.mapping:
            return None
        media = _media(content, media_type)
        if media is None:
            known = ", ".join(map(shortened, content.mapping))
            return f"the media type is {media_type or 'missing'}, not {known} ({_place(content)})"
        schema = media.below("schema")
        if schema.value is None or operation.method == "HEAD" or not _is_json(media_type):
            return None
        if body is None:
            raise NotJudged("the kept body is cut")
        return self._of_body(schema, body)

    @cached_property
    def _index(self) -> PathIndex:
        found = operations_of(self._document)
        return PathIndex(each for each in found if isinstance(each, Operation))

    @cached_property
    def _registry(self) -> Any:
        # Without a way to retrieve anything: a reference to what is not in it is an error.
        return Registry().with_resource(_BASE, Resource.opaque(self._document.tree))

    def _response(self, operation: Operation, status: int) -> Located | None:
        responses = operation.found.below("responses")
        for name in (str(status), f"{status // 100}XX", "default"):
            if name in responses.mapping:
                return self._document.follow(responses.below(name))
        return None

    def _of_body(self, schema: Located, body: bytes) -> str | None:
        try:
            instance = json.loads(body)
        except RecursionError:
            raise NotJudged("the body is nested too deep") from None
        except ValueError as error:
            return f"the body is no JSON: {error} ({_place(schema)})"
        if schema.at not in self._validators:
            reference = {"$ref": f"{_BASE}{uri_fragment_of(schema.at)}"}
            dialect = DIALECTS[self._document.version]
            self._validators[schema.at] = dialect(reference, registry=self._registry)
        try:
            found = next(self._validators[schema.at].iter_errors(instance), None)
        except RecursionError:
            raise NotJudged("its schema or its body goes too deep, or round in a circle") from None
        except Exception as error:  # whatever comes of a schema that is none
            said = f"{type(error).__name__}: {shortened(str(error).partition(chr(10))[0])}"
            raise NotJudged(f"its schema cannot be used ({_place(schema)}): {said}") from error
        return None if found is None else self._told(schema, found)

    def _told(self, schema: Located, error: ValidationError) -> str:
        where = "".join(f"/{part}" for part in error.absolute_path) or "the body"
        said = error.message
        if len(said) > _SHOWN_CHARACTERS:
            said = f"{said[: _SHOWN_CHARACTERS // 2]}...{said[-_SHOWN_CHARACTERS // 2 :]}"
        place = self._place_of(schema, [str(part) for part in error.absolute_schema_path])
        return f"{where}: {said} ({reference_of(place)})"

    def _place_of(self, schema: Located, path: Sequence[str]) -> Tokens:
        """Where in the document the keyword stands that a value breaks: references on the way to it are
        followed, which the path of an error leaves out.
        """
        found = schema
        for token in path:
            try:
                followed = self._document.follow(found)
            except ReferenceNotTaken:
                break
            below = followed.below(token)
            if below.value is None:
                below = found.below(token)  # of 3.1: what stands beside a reference holds, too
            if below.value is None:
                break
            found = below
        return found.at


def _media(content: Located, media_type: str | None) -> Located | None:
    """What a response says of a media type: under its name, or under a range that has it."""
    named = (media_type or "").partition(";")[0].strip().lower()
    ranges = (named, f"{named.partition('/')[0]}/*", "*/*")
    by_name = {name.partition(";")[0].strip().lower(): name for name in content.mapping}
    for each in ranges:
        if each in by_name:
            return content.below(by_name[each])
    return None


def _is_json(media_type: str | None) -> bool:
    named = (media_type or "").partition(";")[0].strip().lower()
    return named == "application/json" or named.endswith("+json")


def _place(found: Located) -> str:
    return reference_of(found.at)
