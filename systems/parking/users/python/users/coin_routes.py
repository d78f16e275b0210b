"""The operations on coins."""

from typing import Annotated

from fastapi import APIRouter, Depends, Request, Response

from users.answer import answer, answer_content
from users.body import read_value
from users.caller import (
    Caller,
    coin_manager,
    guard,
    key_guard,
    manager,
    own_or_coin_manager,
)
from users.coins import debit, grant, shown_rich, shown_wallet
from users.idempotency import key_in
from users.store import CoinStore

Manager = Annotated[Caller, Depends(guard(coin_manager))]


def coin_routes(store: CoinStore, internal_key: str) -> APIRouter:
    """Return the routes; each name is that of an operation."""
    router = APIRouter()

    @router.get("/users/top-coins", name="top-coins", dependencies=[Depends(guard(manager))])
    async def richest() -> Response:
        return answer([shown_rich(customer) for customer in await store.richest()])

    @router.get(
        "/users/{user}/coins", name="wallet", dependencies=[Depends(guard(own_or_coin_manager))]
    )
    async def wallet(user: int) -> Response:
        return answer(shown_wallet(user, await store.wallet(user)))

    @router.post("/users/coins", name="grant-coins")
    async def give(request: Request, by: Manager) -> Response:
        value = await read_value(request)
        key = key_in(request.headers)
        asked = grant(value)
        content = f'{{"granted":{len(asked.users)}}}'
        given = await store.grant(asked, key, by.id, content)
        headers = {"idempotency-replayed": "true"} if given.is_replayed else None
        return answer_content(given.content.encode(), given.status, headers)

    @router.post(
        "/internal/coins/debits", name="debit", dependencies=[Depends(key_guard(internal_key))]
    )
    async def take(request: Request) -> Response:
        return answer({"coins": await store.debit(debit(await read_value(request)))})

    return router
