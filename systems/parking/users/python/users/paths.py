"""Which methods a path has: what is 404 and what is 405.

FastAPI finds the handler. This looks at the path as it was sent, before anything else of the request.
"""

import re

from starlette.types import ASGIApp, Receive, Scope, Send

from users.problem import Kind, Problem

_FIXED = {
    b"/users": ("GET", "POST"),
    b"/users/login": ("POST",),
    b"/users/top-coins": ("GET",),
    b"/users/coins": ("POST",),
    b"/internal/coins/debits": ("POST",),
    b"/health": ("GET",),
}
# By the word behind the id, if there is one, and whether there is a plate behind that.
_OF_USER = {
    (None, False): ("GET",),
    (b"status", False): ("PUT",),
    (b"vehicles", False): ("GET",),
    (b"vehicles", True): ("PUT",),
    (b"payment-method", False): ("GET", "PUT"),
    (b"coins", False): ("GET",),
}
_PATH = re.compile(rb"/users/[1-9][0-9]{0,15}(?:/([a-z-]+)(?:/(L[A-Z]-[0-9]{5}))?)?")


def methods_of(path: bytes) -> tuple[str, ...]:
    """Return the methods of a path, none where there is no such path."""
    fixed = _FIXED.get(path)
    if fixed is not None:
        return fixed
    match = _PATH.fullmatch(path)
    return () if match is None else _OF_USER.get((match[1], match[2] is not None), ())


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
