"""The body of a request: its bytes within the limit, and the JSON value in them."""

import asyncio
import json
import re
from typing import NoReturn

from starlette.requests import ClientDisconnect, Request

from conference.problem import Kind, Problem

_MAXIMUM_BYTES = 16_384
# Read of a body that is too large, so that its sender comes to look for the answer ...
_MAXIMUM_DROPPED_BYTES = 64 << 10
# ... which is not kept from one who sends no more before it has come.
_DROP_SECONDS = 1.0

_JSON_TYPE = re.compile(r"application/json[ \t]*(;.*)?", re.IGNORECASE)


async def read_value(request: Request) -> object:
    """Return the value of the JSON in the body. Raises Problem."""
    content = await _read(request)
    if not _JSON_TYPE.fullmatch(request.headers.get("content-type", "")):
        raise Problem(Kind.UNSUPPORTED_MEDIA_TYPE)
    try:
        return parse_json(content)
    except ValueError as error:
        raise Problem(Kind.MALFORMED) from error


def parse_json(content: bytes) -> object:
    """Return the one value in UTF-8. Raises ValueError.

    Numbers become float: no member that is looked at may be one, and int refuses many digits.
    """
    try:
        return json.loads(content.decode(), parse_constant=_refuse, parse_int=float)
    except RecursionError as error:
        raise ValueError("nested too deeply") from error


def _refuse(constant: str) -> NoReturn:
    raise ValueError(f"{constant} is not JSON")


async def _read(request: Request) -> bytes:
    length = request.headers.get("content-length", "")
    is_known = length.isdecimal() and int(length) > _MAXIMUM_BYTES
    parts: list[bytes] = []
    size = 0
    try:
        async with asyncio.timeout(_DROP_SECONDS if is_known else None):
            async for part in request.stream():
                size += len(part)
                if size <= _MAXIMUM_BYTES:
                    parts.append(part)
                elif size > _MAXIMUM_BYTES + _MAXIMUM_DROPPED_BYTES:
                    break
    except TimeoutError:
        raise Problem(Kind.TOO_LARGE) from None
    except ClientDisconnect as error:
        raise Problem(Kind.MALFORMED) from error
    if is_known or size > _MAXIMUM_BYTES:
        raise Problem(Kind.TOO_LARGE)
    return b"".join(parts)
