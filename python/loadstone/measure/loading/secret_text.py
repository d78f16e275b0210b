"""Texts that a plan holds and nobody may read in what is kept of it."""

import copy
from collections.abc import Mapping
from typing import Any

from loadstone.text.secrets import MASK, is_secret_header


class Secret(str):
    """A text of the environment, as it stands in a request: a text as any other to the engine."""

    __slots__ = ()


def masked(plan: Mapping[str, Any]) -> dict[str, Any]:
    """Return the plan as it is kept: secrets in request headers and of the environment are named, their
    values are not."""
    kept: dict[str, Any] = _without_secrets(copy.deepcopy(dict(plan)))
    for group in kept["groups"]:
        for operation in group["operations"]:
            operation["headers"] = [
                [name, _masked_pieces(pieces) if is_secret_header(name) else pieces]
                for name, pieces in operation["headers"]
            ]
    return kept


def _masked_pieces(pieces: list[Any]) -> list[Any]:
    """Literals are masked; what is filled in is named alone."""
    return [MASK if isinstance(piece, str) else piece for piece in pieces]


def _without_secrets(value: Any) -> Any:
    match value:
        case Secret():
            return MASK
        case dict():
            return {key: _without_secrets(member) for key, member in value.items()}
        case list():
            return [_without_secrets(member) for member in value]
        case _:
            return value
