"""The operations sign-up, log-in and me."""

from typing import Annotated

from fastapi import APIRouter, Depends, Request, Response

from booking.account import credentials, new_account, shown_account
from booking.answer import CREATED, answer
from booking.body import read_value
from booking.gate import Gate
from booking.passwords import Passwords
from booking.problem import Kind, Problem
from booking.store import AccountStore
from booking.tokens import Caller, Tokens


def accounts(store: AccountStore, passwords: Passwords, tokens: Tokens, gate: Gate) -> APIRouter:
    """Return the routes; each name is that of an operation."""
    router = APIRouter()

    @router.post("/accounts", name="sign-up")
    async def sign_up(request: Request) -> Response:
        asked = new_account(await read_value(request))
        account = await store.insert(asked, await passwords.hash(asked.password))
        if account is None:
            raise Problem(Kind.EMAIL_TAKEN)
        return answer(shown_account(account), CREATED)

    @router.post("/auth/login", name="log-in")
    async def log_in(request: Request) -> Response:
        email, password = credentials(await read_value(request))
        secret = None if email is None else await store.secret(email)
        if secret is None:
            await passwords.pretend(password)
            raise Problem(Kind.BAD_CREDENTIALS)
        if not await passwords.verify(password, secret.password_hash):
            raise Problem(Kind.BAD_CREDENTIALS)
        return answer(
            {
                "token": tokens.issue(secret.caller),
                "token_type": "Bearer",
                "expires_in": tokens.ttl_seconds,
            }
        )

    @router.get("/accounts/me", name="me")
    async def me(caller: Annotated[Caller, Depends(gate.account)]) -> Response:
        account = await store.get(caller.id)
        if account is None:
            raise Problem(Kind.UNAUTHENTICATED)
        return answer(shown_account(account))

    return router
