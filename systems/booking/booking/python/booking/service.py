"""The service as a FastAPI application: its routes, and what becomes of a request that fails."""

import logging

from fastapi import FastAPI, Request, Response
from starlette.types import ASGIApp

from booking.accounts import accounts
from booking.clubs import clubs
from booking.facilities import facilities
from booking.gate import Gate
from booking.health import health
from booking.passwords import Passwords
from booking.paths import KnownPaths
from booking.problem import INTERNAL_SERVER_ERROR, Kind, Problem
from booking.ratings import ratings
from booking.reservations import reservations
from booking.store import Stores
from booking.tokens import Tokens

_log = logging.getLogger("booking")


def create_service(stores: Stores, passwords: Passwords, tokens: Tokens) -> ASGIApp:
    """Return the application over the stores."""
    app = FastAPI(
        openapi_url=None,  # the system has an OpenAPI document of its own
        redirect_slashes=False,
        exception_handlers={Problem: _failed, Exception: _unexpected},
    )
    gate = Gate(tokens)
    app.include_router(accounts(stores.accounts, passwords, tokens, gate))
    app.include_router(clubs(stores.clubs, gate))
    app.include_router(facilities(stores.facilities, gate))
    app.include_router(reservations(stores.reservations, gate))
    app.include_router(ratings(stores.ratings, gate))
    app.include_router(health(stores.health))
    return KnownPaths(app)


async def _failed(_: Request, error: Exception) -> Response:
    assert isinstance(error, Problem)
    if error.status == INTERNAL_SERVER_ERROR:
        _log.error(error)
    elif error.status > INTERNAL_SERVER_ERROR:
        _log.warning(error)
    return error.response()


async def _unexpected(_: Request, error: Exception) -> Response:
    _log.error("unexpected: %s", " ".join(repr(error).split()))
    return Problem(Kind.INTERNAL).response()
