"""Lets in who has a token, and the role that an operation asks for."""

from fastapi import Request

from booking.problem import Kind, Problem
from booking.tokens import OWNER, PLAYER, Caller, Tokens


class Gate:
    """Each method is a dependency of routes, and raises Problem."""

    def __init__(self, tokens: Tokens) -> None:
        self._tokens = tokens

    async def account(self, request: Request) -> Caller:
        """Return the caller, of any role."""
        caller = self._tokens.caller_in(request.headers.get("authorization", ""))
        if caller is None:
            raise Problem(Kind.UNAUTHENTICATED)
        return caller

    async def player(self, request: Request) -> Caller:
        """Return the caller, who is a player."""
        return await self._with_role(request, PLAYER)

    async def owner(self, request: Request) -> Caller:
        """Return the caller, who is an owner."""
        return await self._with_role(request, OWNER)

    async def _with_role(self, request: Request, role: str) -> Caller:
        caller = await self.account(request)
        if caller.role != role:
            raise Problem(Kind.FORBIDDEN)
        return caller
