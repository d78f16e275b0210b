"""The service as a FastAPI application: its routes, and what becomes of a request that fails."""

from fastapi import APIRouter, FastAPI, Request, Response
from starlette.types import ASGIApp

from users.answer import answer
from users.coin_routes import coin_routes
from users.complaints import Complaints, log
from users.own_fields import OwnFields
from users.passwords import Passwords
from users.paths import KnownPaths
from users.problem import INTERNAL_SERVER_ERROR, Kind, Problem
from users.store import Health, Stores
from users.tokens import Tokens
from users.user_routes import user_routes
from users.vehicle_routes import vehicle_routes


def create_service(
    stores: Stores,
    passwords: Passwords,
    tokens: Tokens,
    complaints: Complaints,
    *,
    internal_key: str,
    instance: str,
) -> ASGIApp:
    """Return the application over the stores, which is shown by the name of an instance."""

    async def failed(_: Request, error: Exception) -> Response:
        assert isinstance(error, Problem)
        if error.status == INTERNAL_SERVER_ERROR:
            log.error(error)
        elif error.status > INTERNAL_SERVER_ERROR:
            complaints.away(error)
        return error.response()

    app = FastAPI(
        openapi_url=None,  # the system has an OpenAPI document of its own
        redirect_slashes=False,
        exception_handlers={Problem: failed, Exception: _unexpected},
    )
    # Those of fixed paths come before those that have an id in their place.
    app.include_router(coin_routes(stores.coins, internal_key))
    app.include_router(user_routes(stores.users, passwords, tokens))
    app.include_router(vehicle_routes(stores.vehicles))
    app.include_router(_health(stores.health))
    return OwnFields(KnownPaths(app), instance)


def _health(database: Health) -> APIRouter:
    router = APIRouter()

    @router.get("/health", name="health")
    async def health() -> Response:
        await database.ask()
        return answer({"status": "up"})

    return router


async def _unexpected(_: Request, error: Exception) -> Response:
    # Its text may be of the request.
    log.error("unexpected: %s", type(error).__name__)
    return Problem(Kind.INTERNAL).response()
