"""The operations on users, and how they pay. No connection is held while a password is hashed."""

from fastapi import APIRouter, Depends, Request, Response

from users.answer import answer, created
from users.body import read_value
from users.caller import guard, manager, own, own_or_manager, supervisor
from users.instants import shown
from users.members import Members
from users.passwords import Passwords
from users.problem import Kind, Problem
from users.store import UserStore
from users.tokens import Tokens
from users.user import credentials, full_name, new_user, shown_user
from users.words import DEFINED_METHODS, ENABLED, PAYMENT_METHODS, ROLES, STATUSES


def user_routes(store: UserStore, passwords: Passwords, tokens: Tokens) -> APIRouter:
    """Return the routes; each name is that of an operation."""
    router = APIRouter()

    @router.post("/users", name="create-user")
    async def create(request: Request) -> Response:
        asked = new_user(await read_value(request))
        user = await store.insert(asked, await passwords.hash(asked.password))
        return created(shown_user(user), f"/users/{user.id}")

    @router.post("/users/login", name="login")
    async def login(request: Request) -> Response:
        email, password = credentials(await read_value(request))
        account = None if email is None else await store.account(email)
        hash_ = None if account is None else account.password_hash
        if not await passwords.verify(password, hash_) or account is None:
            raise Problem(Kind.CREDENTIALS)
        if STATUSES[account.status] != ENABLED:
            raise Problem(Kind.ACCOUNT_BLOCKED)
        token = tokens.issue(account.id, ROLES[account.role])
        name = full_name(account.first_name, account.last_name)
        return answer({"token": token.text, "name": name, "expiresAt": shown(token.expires)})

    @router.get("/users", name="list-users", dependencies=[Depends(guard(manager))])
    async def list_all() -> Response:
        return answer([shown_user(user) for user in await store.list()])

    @router.get("/users/{user}", name="get-user", dependencies=[Depends(guard(own_or_manager))])
    async def get(user: int) -> Response:
        return answer(shown_user(await store.get(user)))

    @router.put(
        "/users/{user}/status", name="set-status", dependencies=[Depends(guard(supervisor))]
    )
    async def set_status(user: int, request: Request) -> Response:
        status = _place(await read_value(request), "userStatus", STATUSES)
        return answer(shown_user(await store.set_status(user, status)))

    path = "/users/{user}/payment-method"

    @router.get(path, name="payment-method", dependencies=[Depends(guard(own))])
    async def payment_method(user: int) -> Response:
        return _shown_method(await store.payment_method(user))

    @router.put(path, name="set-payment-method", dependencies=[Depends(guard(own))])
    async def set_payment_method(user: int, request: Request) -> Response:
        method = _place(await read_value(request), "paymentMethod", DEFINED_METHODS)
        await store.set_payment_method(user, method)
        return _shown_method(method)

    return router


def _place(value: object, name: str, words: tuple[str, ...]) -> int:
    """Return the place of the one word in a body. Raises Problem."""
    members = Members(value)
    place = members.place(name, words)
    members.refuse_faults()
    return place


def _shown_method(method: int) -> Response:
    return answer({"paymentMethod": PAYMENT_METHODS[method]})
