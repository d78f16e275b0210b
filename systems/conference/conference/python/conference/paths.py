"""Which methods a path has: what is 404 and what is 405.

FastAPI finds the handler. This looks at the path as it was sent, before anything else of the request.
"""

import re

from starlette.types import ASGIApp, Receive, Scope, Send

from conference.problem import Kind, Problem

_FIXED = {
    b"/conferences": ("GET", "POST"),
    b"/conferenceswithcountry": ("GET",),
    b"/healthz": ("GET",),
    b"/readyz": ("GET",),
}
_ONE = re.compile(rb"/conferences/[A-Za-z0-9][A-Za-z0-9._~-]{0,63}")
_ONE_METHODS = ("GET", "PUT", "DELETE")


def methods_of(path: bytes) -> tuple[str, ...]:
    """Return the methods of a path, none where there is no such path."""
    fixed = _FIXED.get(path)
    if fixed is not None:
        return fixed
    return _ONE_METHODS if _ONE.fullmatch(path) else ()


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
