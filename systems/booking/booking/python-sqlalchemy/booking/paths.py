"""Which methods a path has: what is 404 and what is 405.

FastAPI finds the handler. This looks at the path as it was sent, before anything else of the request.
"""

import re

from starlette.types import ASGIApp, Receive, Scope, Send

from booking.problem import Kind, Problem

_FIXED = {
    b"/accounts": ("POST",),
    b"/accounts/me": ("GET",),
    b"/auth/login": ("POST",),
    b"/clubs": ("GET", "POST"),
    b"/facilities": ("GET",),
    b"/reservations": ("GET", "POST"),
    b"/healthz": ("GET",),
    b"/readyz": ("GET",),
}
# By the word before the id, and the one behind it, if any.
_WITH_ID = {
    (b"clubs", None): ("GET", "PUT"),
    (b"clubs", b"facilities"): ("POST",),
    (b"facilities", None): ("GET", "PUT", "DELETE"),
    (b"facilities", b"slots"): ("GET",),
    (b"facilities", b"ratings"): ("GET",),
    (b"reservations", None): ("GET",),
    (b"reservations", b"accept"): ("POST",),
    (b"reservations", b"reject"): ("POST",),
    (b"reservations", b"cancel"): ("POST",),
    (b"reservations", b"rating"): ("PUT",),
}
_PATH = re.compile(rb"/([a-z]+)/[1-9][0-9]{0,15}(?:/([a-z]+))?")


def methods_of(path: bytes) -> tuple[str, ...]:
    """Return the methods of a path, none where there is no such path."""
    fixed = _FIXED.get(path)
    if fixed is not None:
        return fixed
    match = _PATH.fullmatch(path)
    return () if match is None else _WITH_ID.get((match[1], match[2]), ())


class KnownPaths:
    """An ASGI application that refuses every other path and method."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        methods = methods_of(scope["raw_path"])
        if not methods:
            await Problem(Kind.NOT_FOUND).response()(scope, receive, send)
        elif scope["method"] not in methods:
            problem = Problem(Kind.METHOD_NOT_ALLOWED, allow=", ".join(methods))
            await problem.response()(scope, receive, send)
        else:
            await self._app(scope, receive, send)
