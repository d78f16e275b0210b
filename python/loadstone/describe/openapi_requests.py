"""The operations of an OpenAPI document as requests: those that can be made, and why the others cannot.

Reads without parameters come first. Requests that want credentials are a workload of their own,
so that the others run at once; so are those whose values the document does not give, since nobody
knows whether the service has what they ask for, and writes, which change data and are made only where
they are asked for.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from loadstone.describe.credentials import add_credentials
from loadstone.describe.literal import header_value, literal
from loadstone.describe.made_values import ValueMaker
from loadstone.describe.model import (
    Body,
    CannotMake,
    Description,
    LeftOut,
    MadeRequest,
    MadeWorkload,
    Secret,
)
from loadstone.describe.names import name_of, unused
from loadstone.describe.parameters import has_required, sent_parameters
from loadstone.describe.ready_request import without_secrets
from loadstone.describe.yaml_text import unwritable
from loadstone.errors import InputError
from loadstone.openapi.document import Document, ReferenceNotTaken, reference_of
from loadstone.openapi.operations import Operation, operations_of
from loadstone.study.files.operation_file import METHODS
from loadstone.study.files.workload_file import MOST_CELLS
from loadstone.text.words import counted

READS, WITH_CREDENTIALS = "reads", "with-credentials"
GUESSES, WRITES = "guesses", "writes"
"""Names of workloads; further ones of the same kind are `reads-2` and so on."""
CALLERS = "callers"
"""The group of all of them."""

_ABOUT = {
    READS: "What changes nothing, with the values that the document gives.",
    WITH_CREDENTIALS: "What changes nothing, and wants credentials: set the variables in their "
    "place, then name this workload in the study.",
    GUESSES: "What changes nothing, with values that the document does not give: correct them, then "
    "name this workload in the study.",
    WRITES: "What changes data. Its values are the document's, or made of its schemas.",
}
_CHECKS = 5
"""Reads that are held against their status before each study and in every run."""
_SAFE_METHODS = ("GET", "HEAD")
MOST_OPERATIONS = 20 * MOST_CELLS
"""Twenty workloads: who has more describes a part of the API."""


@dataclass
class _Found:
    """What a document has."""

    requests: dict[str, list[MadeRequest]] = field(
        default_factory=lambda: {READS: [], WITH_CREDENTIALS: [], GUESSES: [], WRITES: []}
    )
    left_out: list[LeftOut] = field(default_factory=list)
    secrets: dict[str, Secret] = field(default_factory=dict)
    """By variable."""
    names: set[str] = field(default_factory=set)


def openapi_description(document: Document, *, with_writes: bool) -> Description:
    """What a document says of its API. Raises InputError where no request of it can be made."""
    found = _found(document, with_writes=with_writes)
    if not any(found.requests.values()):
        raise _nothing(document, found)
    workloads = [
        workload
        for kind, requests in found.requests.items()
        for workload in _workloads(kind, requests)
    ]
    workloads[0] = replace(workloads[0], left_out=found.left_out)
    reads = found.requests[READS] or found.requests[WITH_CREDENTIALS]
    measured = [workloads[0].name]
    if found.requests[WRITES] and WRITES not in measured:
        measured.append(WRITES)
    title = document.top.below("info", "title").value
    return Description(
        made_of=document.path.name,
        title=title if isinstance(title, str) and title.strip() else document.path.stem,
        workloads=workloads,
        measured=measured,
        ready=_ready(found),
        checks=reads[:_CHECKS],
        document=document.path,
        secrets=tuple(found.secrets.values()),
        notes=tuple(_notes(found, workloads)),
    )


def _found(document: Document, *, with_writes: bool) -> _Found:
    found = _Found()
    usable: list[Operation] = []
    for operation in operations_of(document):
        if isinstance(operation, Operation):
            usable.append(operation)
        else:
            found.left_out.append(LeftOut(operation.title, operation.reason))
    for number, operation in enumerate(sorted(usable, key=lambda each: _rank(document, each))):
        if number >= MOST_OPERATIONS:
            reason = f"it stands behind the first {MOST_OPERATIONS} operations"
            found.left_out.append(LeftOut(operation.title, reason))
            continue
        if operation.method.lower() not in METHODS:
            reason = f"sessions do not send {operation.method}"
            found.left_out.append(LeftOut(operation.title, reason))
            continue
        is_read = operation.method in _SAFE_METHODS
        if not is_read and not with_writes:
            found.left_out.append(LeftOut(operation.title, "it writes: give --writes"))
            continue
        maker = ValueMaker(document)
        try:
            request, secrets = _request(document, operation, maker, found.names)
        except CannotMake as error:
            found.left_out.append(LeftOut(operation.title, error.message))
            continue
        if not is_read:
            kind = WRITES
        elif maker.has_invented:
            kind = GUESSES
        else:
            kind = WITH_CREDENTIALS if secrets else READS
        found.requests[kind].append(request)
        found.names.add(request.name)
        found.secrets |= {each.variable: each for each in secrets}
    return found


def _rank(document: Document, operation: Operation) -> tuple[bool, bool]:
    """GET before all others, and what needs no parameter first; else as in the document."""
    try:
        needs_values = has_required(document, operation)
    except CannotMake:
        needs_values = True
    return operation.method != "GET", needs_values


def _request(
    document: Document, operation: Operation, maker: ValueMaker, names: set[str]
) -> tuple[MadeRequest, tuple[Secret, ...]]:
    """The request of an operation, and the secrets in it. Raises CannotMake."""
    sent = sent_parameters(document, operation, maker)
    body, media_type = _body(document, operation, maker)
    secrets = add_credentials(document, operation, sent)
    headers = sent.all_headers | ({} if media_type is None else {"content-type": media_type})
    named = operation.found.mapping.get("operationId")
    title = f"{operation.method} {operation.path}"
    name = name_of(named if isinstance(named, str) else title, "operation")
    request = MadeRequest(
        name=unused(name, names),
        method=operation.method.lower(),
        path=sent.target,
        headers=headers,
        body=body,
        status=_status(operation),
    )
    for part in (request.path, headers, None if body is None else body.value):
        if reason := unwritable(part):
            raise CannotMake(f"a value of it {reason}")
    return request, secrets


def _body(
    document: Document, operation: Operation, maker: ValueMaker
) -> tuple[Body | None, str | None]:
    """The body, and the media type that its kind does not say already. Raises CannotMake."""
    if "requestBody" not in operation.found.mapping or operation.method in _SAFE_METHODS:
        return None, None
    try:
        found = document.follow(operation.found.below("requestBody"))
    except ReferenceNotTaken as error:
        raise CannotMake(f"its body: {error.message}") from error
    content = found.below("content")
    reasons = ["it has no media type that sessions send"]
    for media_type in content.mapping:
        kind = _kind(media_type)
        if kind is None:
            continue
        try:
            value = maker.of_media(content.below(media_type))
            return _written(kind, value), None if kind == media_type else header_value(media_type)
        except CannotMake as error:
            reasons.append(error.message)
    if found.mapping.get("required") is True:
        raise CannotMake(f"its body: {reasons[-1]}")
    return None, None


_JSON, _FORM = "application/json", "application/x-www-form-urlencoded"


def _kind(media_type: str) -> str | None:
    named = media_type.partition(";")[0].strip().lower()
    if named == _JSON or named.endswith("+json"):
        return _JSON
    if named == _FORM:
        return _FORM
    return "text" if named.startswith("text/") else None


def _written(kind: str, value: Any) -> Body:
    if kind == _JSON:
        return Body("json", literal(value))
    if kind == _FORM:
        if not isinstance(value, dict):
            raise CannotMake("its form is none")
        return Body("form", {name: literal(_field(each)) for name, each in value.items()})
    if not isinstance(value, str):
        raise CannotMake("its text is none")
    return Body("body", literal(value))


def _field(value: Any) -> str:
    """The value of a form, whose names are sent as they stand. Raises CannotMake."""
    if isinstance(value, dict | list):
        raise CannotMake("a form holds names and texts alone")
    if isinstance(value, bool):
        return "true" if value else "false"
    return "" if value is None else str(value)


def _status(operation: Operation) -> int | None:
    """The only status of success or of a redirect that the document has; none: any 2xx."""
    responses = operation.found.below("responses").mapping
    codes = [
        int(each) for each in responses if each.isascii() and each.isdigit() and len(each) == 3
    ]
    good = [code for code in codes if 200 <= code < 300]
    if not good and not {"2XX", "default"} & responses.keys():
        good = [code for code in codes if 300 <= code < 400]
    return good[0] if len(good) == 1 else None


def _workloads(kind: str, requests: Sequence[MadeRequest]) -> Iterator[MadeWorkload]:
    """As many workloads as the requests need, each with the cells that one may have."""
    for number, begin in enumerate(range(0, len(requests), MOST_CELLS), start=1):
        yield MadeWorkload(
            name=kind if number == 1 else f"{kind}-{number}",
            group=CALLERS,
            about=_ABOUT[kind],
            requests=requests[begin : begin + MOST_CELLS],
        )


def _ready(found: _Found) -> MadeRequest:
    """What the start-up clock asks: a read whose values are known, without a secret if there is one."""
    for kind, requests in found.requests.items():
        plain = [each for each in requests if not each.has_templates]
        if plain and kind in (GUESSES, WRITES):
            return replace(plain[0], said="its values were made up: correct them")
        if plain:
            return plain[0]
        if requests:
            return without_secrets(requests[0])
    raise AssertionError("there is a request")


def _notes(found: _Found, workloads: Sequence[MadeWorkload]) -> Iterator[str]:
    made = sum(map(len, found.requests.values()))
    yield f"{counted(made, 'operation')} in {counted(len(workloads), 'workload')}: " + ", ".join(
        f"{each.name} ({len(each.requests)})" for each in workloads
    )
    if found.left_out:
        yield (
            f"{counted(len(found.left_out), 'operation')} left out; each is named with its reason in "
            f"workloads/{workloads[0].name}.yaml"
        )


def _nothing(document: Document, found: _Found) -> InputError:
    if not found.left_out:
        return InputError(
            "has no operations",
            path=document.path,
            key="paths",
            remedy=f"describe one below {reference_of(('paths',))}, or give --url or --har",
        )
    first = found.left_out[0]
    writes = any("--writes" in each.reason for each in found.left_out)
    return InputError(
        f"no request can be made of its {counted(len(found.left_out), 'operation')}: "
        f"{first.title}: {first.reason}",
        path=document.path,
        remedy="give --writes: it then sends what changes data"
        if writes
        else "give examples of the parameters in the document, or begin with --url or --har",
    )
