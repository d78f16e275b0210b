"""The operations live and ready."""

from fastapi import APIRouter, Response

from booking.answer import answer
from booking.store import Health

_UP = {"status": "ok"}


def health(database: Health) -> APIRouter:
    """Return the routes; each name is that of an operation."""
    router = APIRouter()

    @router.get("/healthz", name="live")
    async def live() -> Response:
        return answer(_UP)

    @router.get("/readyz", name="ready")
    async def ready() -> Response:
        await database.ask()
        return answer(_UP)

    return router
