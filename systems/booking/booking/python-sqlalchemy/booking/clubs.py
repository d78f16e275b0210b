"""The operations on clubs: list, create, get and replace."""

from typing import Annotated

from fastapi import APIRouter, Depends, Request, Response

from booking.answer import answer, created
from booking.body import read_value
from booking.club import club_filter, new_club, shown_club
from booking.gate import Gate
from booking.page import answer_page, read_page
from booking.problem import Kind, Problem
from booking.query import Query
from booking.store import ClubStore
from booking.tokens import Caller

_ALL = "/clubs"
_ONE = "/clubs/{id_}"


def clubs(store: ClubStore, gate: Gate) -> APIRouter:
    """Return the routes; each name is that of an operation."""
    router = APIRouter()

    @router.get(_ALL, name="list-clubs")
    async def list_all(
        request: Request, caller: Annotated[Caller, Depends(gate.account)]
    ) -> Response:
        query = Query(request.scope["query_string"])
        where, page = club_filter(query, caller.id), read_page(query)
        rows = await store.list(where, page)
        return answer_page(page, rows, lambda club: club.id, shown_club)

    @router.post(_ALL, name="create-club")
    async def create(request: Request, caller: Annotated[Caller, Depends(gate.owner)]) -> Response:
        club = await store.insert(caller.id, new_club(await read_value(request)))
        return created(shown_club(club), f"{_ALL}/{club.id}")

    @router.get(_ONE, name="get-club", dependencies=[Depends(gate.account)])
    async def get(id_: int) -> Response:
        club = await store.get(id_)
        if club is None:
            raise Problem(Kind.NOT_FOUND)
        return answer(shown_club(club))

    @router.put(_ONE, name="replace-club")
    async def replace(
        id_: int, request: Request, caller: Annotated[Caller, Depends(gate.owner)]
    ) -> Response:
        asked = new_club(await read_value(request))
        return answer(shown_club(await store.replace(id_, caller.id, asked)))

    return router
