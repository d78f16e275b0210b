"""The service as a FastAPI application: its routes, and what becomes of a request that fails."""

import logging

from fastapi import FastAPI, Request, Response
from starlette.types import ASGIApp

from conference.conferences import conferences
from conference.config import LookupConfig
from conference.health import health
from conference.paths import KnownPaths
from conference.problem import INTERNAL_SERVER_ERROR, Kind, Problem
from conference.store import Store
from conference.strategy import Countries
from conference.with_country import with_country

_log = logging.getLogger("conference")


def create_service(store: Store, country: Countries, lookups: LookupConfig) -> ASGIApp:
    """Return the application over a store and a client of the service country."""
    app = FastAPI(
        openapi_url=None,  # the system has an OpenAPI document of its own
        redirect_slashes=False,
        exception_handlers={Problem: _failed, Exception: _unexpected},
    )
    app.include_router(conferences(store))
    app.include_router(with_country(store, country, lookups))
    app.include_router(health(store))
    return KnownPaths(app)


async def _failed(request: Request, error: Exception) -> Response:
    assert isinstance(error, Problem)
    if error.status == INTERNAL_SERVER_ERROR:
        _log.error(error)
    elif error.status > INTERNAL_SERVER_ERROR:
        _log.warning(error)
    return error.response(_operation(request))


async def _unexpected(request: Request, error: Exception) -> Response:
    _log.error("unexpected: %s", " ".join(repr(error).split()))
    return Problem(Kind.INTERNAL).response(_operation(request))


def _operation(request: Request) -> str:
    name: str = request.scope["route"].name
    return name
