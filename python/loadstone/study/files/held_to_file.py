"""What of its system's contract a service is held to, as typed: by the same keys of a stack's manifest
and of a service of one's own.
"""

import re
from collections.abc import Collection, Mapping, Sequence
from typing import Annotated, Literal

from pydantic import AfterValidator, Discriminator, Field, Tag

from loadstone.errors import WrongValueError
from loadstone.study.files.raw import Name, Raw, Text
from loadstone.study.files.yaml_file import KeyPath, YamlFile
from loadstone.study.values.held_to import EVERY, Deviation
from loadstone.study.values.protocol import Protocol
from loadstone.text.quoted import shortened, suggestion

CLAUSE_PATTERN = r"[A-Za-z][A-Za-z0-9.-]*\*?"


def _is_clause(text: str) -> str:
    if not re.fullmatch(CLAUSE_PATTERN, text):
        raise WrongValueError(
            f"{shortened(text)!r} is no clause",
            "write the id of one, such as PT-9, or PT-* for all",
        )
    if text.endswith(EVERY) and text[-2].isdigit():
        raise WrongValueError(
            f"{shortened(text)!r} names {text[:-1]}0 as well as {text[:-1]}",
            f"list the clauses, or let the {EVERY} stand behind letters or a '-'",
        )
    return text


Clause = Annotated[
    str,
    AfterValidator(_is_clause),
    Field(json_schema_extra={"pattern": f"^{CLAUSE_PATTERN}$"}),
]
Clauses = Annotated[
    Annotated[Clause, Tag("as word")]
    | Annotated[Annotated[list[Clause], Field(min_length=1)], Tag("as list")],
    Discriminator(lambda typed: "as list" if isinstance(typed, list) else "as word"),
]
"""The id of a clause, such as PT-9; the beginning of several, PT-*; or a list of either."""

Held = Literal["samples"]
"""By what a service may be held in place of the contract."""


class RawDeviation(Raw):
    """Clauses of the system's specification that a service does not hold, for one reason."""

    clause: Clauses
    """Its id, such as PT-9; PT-* for all that begin so; or a list of either."""
    reason: Text
    """What it does instead, and why."""
    legs: dict[Name, Annotated[list[str], Field(min_length=1)]] = Field(default_factory=dict)
    """Leg to the protocols over which it is so. Default: over all."""
    versions: Text | None = None
    """The versions of a ready-made server that do so, such as `before 2.8`: another one may hold the
    clause. Default: all of them, so that a clause that is held is an error."""


def deviations_of(
    source: YamlFile,
    at: KeyPath,
    typed: Sequence[RawDeviation],
    spoken: Mapping[str, Collection[str]],
    where: str,
) -> tuple[Deviation, ...]:
    """Return a value for each clause. Raises InputError for one that is there twice, and for a protocol
    that is not in `spoken` of its leg, which is `where`.
    """
    found: list[Deviation] = []
    for number, each in enumerate(typed):
        here = (*at, number)
        for leg, protocols in each.legs.items():
            for position, protocol in enumerate(protocols):
                if protocol not in spoken.get(leg, ()):
                    raise source.error(
                        (*here, "legs", leg, position),
                        f"{protocol} is not in {where}{leg}",
                        "write the protocols over which it is so",
                    )
        clauses = each.clause if isinstance(each.clause, list) else [each.clause]
        for position, clause in enumerate(clauses):
            if clause in clauses[:position]:
                raise source.error(
                    (*here, "clause", position), f"{clause} is there twice", "keep one of the two"
                )
        found += [_deviation(clause, each) for clause in clauses]
    return tuple(found)


def operations_of(
    source: YamlFile, at: KeyPath, typed: Sequence[str] | None, known: Sequence[str]
) -> tuple[str, ...] | None:
    """Return the operations that a service has; none: every one. Raises InputError."""
    for position, operation in enumerate(typed or ()):
        if operation not in known or operation in (typed or ())[:position]:
            raise source.error(
                (*at, position),
                f"{operation} is there twice, or in no scenario of the system",
                suggestion(operation, tuple(known)),
            )
    return None if typed is None else tuple(typed)


def _deviation(clause: str, raw: RawDeviation) -> Deviation:
    return Deviation(
        clause=clause,
        reason=" ".join(raw.reason.split()),
        legs={leg: tuple(Protocol(each) for each in typed) for leg, typed in raw.legs.items()},
        versions=None if raw.versions is None else " ".join(raw.versions.split()),
    )
