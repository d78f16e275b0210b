"""The body of a request: its bytes within the limit, and the JSON value in them."""

import asyncio
import json
import re
from typing import NoReturn

from starlette.requests import ClientDisconnect, Request

from users.problem import Kind, Problem

_MAXIMUM_BYTES = 65_536
# Read of a body that is too large, so that its sender comes to look for the answer ...
_MAXIMUM_DROPPED_BYTES = 64 << 10
# ... which is not kept from one who sends no more before it has come.
_DROP_SECONDS = 1.0

_JSON_TYPE = re.compile(r"application/json[ \t]*(;.*)?", re.IGNORECASE)
# Longer than every number of 64 bits: int would take its time over many digits, and refuses thousands.
_MAXIMUM_DIGITS = 20


async def read_value(request: Request) -> object:
    """Return the value of the JSON in the body. Raises Problem."""
    content = await _read(request)
    types = request.headers.getlist("content-type")
    if len(types) != 1 or not _JSON_TYPE.fullmatch(types[0].strip()):
        raise Problem(Kind.UNSUPPORTED_MEDIA_TYPE)
    try:
        return parse_json(content)
    except ValueError as error:
        raise Problem(Kind.MALFORMED) from error


def parse_json(content: bytes) -> object:
    """Return the one value in UTF-8. Raises ValueError."""
    try:
        return json.loads(content.decode(), parse_constant=_refuse, parse_int=_whole_number)
    except RecursionError as error:
        raise ValueError("nested too deeply") from error


def _refuse(constant: str) -> NoReturn:
    raise ValueError(f"{constant} is not JSON")


def _whole_number(text: str) -> float:
    """Return a number beyond 64 bits as one that is no integer, which no member may be."""
    return int(text) if len(text) <= _MAXIMUM_DIGITS else float(text)


async def _read(request: Request) -> bytes:
    length = request.headers.get("content-length", "")
    is_known = length.isdecimal() and int(length) > _MAXIMUM_BYTES
    parts: list[bytes] = []
    size = 0
    try:
        async with asyncio.timeout(_DROP_SECONDS if is_known else None) as limit:
            async for part in request.stream():
                size += len(part)
                if size <= _MAXIMUM_BYTES:
                    parts.append(part)
                elif size > _MAXIMUM_BYTES + _MAXIMUM_DROPPED_BYTES:
                    break
                elif limit.when() is None:
                    limit.reschedule(asyncio.get_running_loop().time() + _DROP_SECONDS)
    except TimeoutError:
        raise Problem(Kind.TOO_LARGE) from None
    except ClientDisconnect as error:
        raise Problem(Kind.MALFORMED) from error
    if is_known or size > _MAXIMUM_BYTES:
        raise Problem(Kind.TOO_LARGE)
    return b"".join(parts)
