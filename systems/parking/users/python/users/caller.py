"""Who asks: a user, as the gateway says, or another service."""

from collections.abc import Awaitable, Callable
from hmac import compare_digest
from typing import NamedTuple

from fastapi import Request
from starlette.datastructures import Headers

from users.ids import is_id
from users.problem import Kind, Problem
from users.words import CUSTOMER, CUSTOMER_MANAGER, KNOWN_ROLES, SUPERVISOR


class Caller(NamedTuple):
    """A user, of any role."""

    id: int
    role: str


Rule = Callable[[Caller, int], bool]
"""Tells whether a caller may ask, of the user of the path, which is 0 where there is none."""

Guard = Callable[[Request], Awaitable[Caller]]
"""A dependency of routes, which raises Problem."""


def caller_in(headers: Headers) -> Caller:
    """Return whom the fields name. One that is missing is told of before one that is odd."""
    ids, roles = headers.getlist("x-user-id"), headers.getlist("x-user-role")
    if not ids or not roles:
        raise Problem(Kind.TOKEN_MISSING)
    if len(ids) > 1 or len(roles) > 1 or not is_id(ids[0]) or roles[0] not in KNOWN_ROLES:
        raise Problem(Kind.TOKEN_INVALID)
    return Caller(int(ids[0]), roles[0])


def guard(rule: Rule) -> Guard:
    """Return what lets those pass that a rule is for."""

    async def admit(request: Request) -> Caller:
        caller = caller_in(request.headers)
        if not rule(caller, int(request.path_params.get("user", 0))):
            raise Problem(Kind.FORBIDDEN)
        return caller

    return admit


def key_guard(key: str) -> Callable[[Request], Awaitable[None]]:
    """Return what lets those pass that send the key of services."""
    known = key.encode()

    async def admit(request: Request) -> None:
        sent = request.headers.getlist("x-internal-key")
        if len(sent) != 1 or not compare_digest(sent[0].encode(), known):
            raise Problem(Kind.FORBIDDEN)

    return admit


def own(caller: Caller, user: int) -> bool:
    """Tell whether it is the user of the path, of any role."""
    return caller.id == user


def own_customer(caller: Caller, user: int) -> bool:
    """Tell whether it is, and a customer."""
    return caller.id == user and caller.role == CUSTOMER


def supervisor(caller: Caller, _: int) -> bool:
    """Tell whether it is a supervisor."""
    return caller.role == SUPERVISOR


def coin_manager(caller: Caller, _: int) -> bool:
    """Tell whether it is a manager of customers."""
    return caller.role == CUSTOMER_MANAGER


def manager(caller: Caller, _: int) -> bool:
    """Tell whether it is somebody who sees all users."""
    return caller.role in (SUPERVISOR, CUSTOMER_MANAGER)


def own_or_manager(caller: Caller, user: int) -> bool:
    """Tell whether it is either."""
    return own(caller, user) or manager(caller, user)


def own_or_coin_manager(caller: Caller, user: int) -> bool:
    """Tell whether it is either."""
    return own(caller, user) or coin_manager(caller, user)
