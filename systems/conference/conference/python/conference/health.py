"""The operations live and ready."""

from fastapi import APIRouter, Response

from conference.answer import answer
from conference.store import Store

_UP = {"status": "up"}


def health(store: Store) -> APIRouter:
    """Return the routes; each name is that of an operation."""
    router = APIRouter()

    @router.get("/healthz", name="live")
    async def live() -> Response:
        return answer(_UP)

    @router.get("/readyz", name="ready")
    async def ready() -> Response:
        await store.ask()
        return answer(_UP)

    return router
