"""The key by which a grant that is asked for again is the same one."""

import re

from starlette.datastructures import Headers

from users.problem import Kind, Problem

_KEY = re.compile("[A-Za-z0-9-]{16,64}")


def key_in(headers: Headers) -> str:
    """Return the one key of a request. Raises Problem."""
    keys = headers.getlist("idempotency-key")
    if len(keys) != 1 or not _KEY.fullmatch(keys[0]):
        raise Problem(Kind.MALFORMED)
    return keys[0]
