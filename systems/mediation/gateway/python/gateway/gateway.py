"""The gateway's routes."""

import logging

from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import PlainTextResponse, Response
from starlette.routing import Route

from gateway.passthrough import Passthrough
from gateway.relay import Relay
from gateway.transform import Transform
from gateway.upstream import Upstream

INTERNAL_SERVER_ERROR = 500

_log = logging.getLogger("gateway")


def create_gateway(upstream: Upstream) -> Starlette:
    """Return the application; Starlette refuses all else by 404 and 405."""
    relay = Relay(upstream)
    app = Starlette(
        routes=[
            Route("/passthrough", Passthrough(relay), methods=["POST"]),
            Route("/transform", Transform(relay), methods=["POST"]),
        ],
        exception_handlers={HTTPException: _refused, Exception: _unexpected},
    )
    app.router.redirect_slashes = False
    return app


async def _refused(request: Request, error: Exception) -> Response:
    assert isinstance(error, HTTPException)
    # On HTTP/2 the server would send a body after HEAD as well.
    message = "" if request.method == "HEAD" else f"{error.detail}\n"
    return PlainTextResponse(message, error.status_code, error.headers)


async def _unexpected(_request: Request, error: Exception) -> PlainTextResponse:
    _log.error("unexpected", exc_info=error)
    return PlainTextResponse("the gateway failed\n", INTERNAL_SERVER_ERROR)
