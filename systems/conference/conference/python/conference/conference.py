"""What a conference has to be. Nothing is coerced, and every member with a fault is told of."""

import re
from dataclasses import dataclass

from conference.problem import Fault, Kind, Problem

_ID = re.compile(r"[A-Za-z0-9][A-Za-z0-9._~-]{0,63}")
_MAXIMUM_ID_LENGTH = 64
_MAXIMUM_NAME_LENGTH = 191
# Controls, and halves of surrogate pairs, which are no characters and have no UTF-8.
_NO_CHARACTERS = re.compile("[\x00-\x1f\x7f\ud800-\udfff]")

_ABSENT = object()


@dataclass(frozen=True)
class Conference:
    """A row."""

    id: str
    name: str


def new_conference(value: object) -> Conference:
    """Return the conference in the body of an insert. Raises Problem."""
    members = _members(value)
    id_, name = members.get("id", _ABSENT), members.get("name", _ABSENT)
    _refuse_faults({"/id": _fault_of_text(id_) or _fault_of_id(id_), "/name": _fault_of_name(name)})
    return Conference(str(id_), str(name))


def replaced_conference(value: object, id_: str) -> Conference:
    """Return the conference `id_` with the name in the body of a replace. Raises Problem."""
    members = _members(value)
    name = members.get("name", _ABSENT)
    _refuse_faults(
        {
            "/id": _fault_of_same_id(members.get("id", _ABSENT), id_),
            "/name": _fault_of_name(name),
        }
    )
    return Conference(id_, str(name))


def is_id(text: str) -> bool:
    """Return whether a text is an id."""
    return _ID.fullmatch(text) is not None


def _members(value: object) -> dict[str, object]:
    if not isinstance(value, dict):
        raise Problem(Kind.INVALID, faults=[Fault("", "type")])
    return value


def _refuse_faults(codes: dict[str, str | None]) -> None:
    faults = [Fault(pointer, code) for pointer, code in codes.items() if code is not None]
    if faults:
        raise Problem(Kind.INVALID, faults=faults)


def _fault_of_text(value: object) -> str | None:
    if value is _ABSENT:
        return "required"
    if not isinstance(value, str):
        return "type"
    return None if value else "too-short"


def _fault_of_id(value: object) -> str | None:
    text = str(value)
    if len(text) > _MAXIMUM_ID_LENGTH:
        return "too-long"
    return None if is_id(text) else "pattern"


def _fault_of_same_id(value: object, id_: str) -> str | None:
    if value is _ABSENT or value == id_:
        return None
    return "mismatch" if isinstance(value, str) else "type"


def _fault_of_name(value: object) -> str | None:
    fault = _fault_of_text(value)
    if fault is not None:
        return fault
    text = str(value)
    if len(text) > _MAXIMUM_NAME_LENGTH:
        return "too-long"
    return "characters" if _NO_CHARACTERS.search(text) else None
