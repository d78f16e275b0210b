"""The operations on ratings: rate, and list-ratings."""

from typing import Annotated

from fastapi import APIRouter, Depends, Request, Response

from booking.answer import CREATED, OK, answer
from booking.body import read_value
from booking.gate import Gate
from booking.page import answer_page, read_page
from booking.problem import Kind, Problem
from booking.query import Query
from booking.rating import new_rating, shown_rating
from booking.store import RatingStore
from booking.tokens import Caller


def ratings(store: RatingStore, gate: Gate) -> APIRouter:
    """Return the routes; each name is that of an operation."""
    router = APIRouter()

    @router.put("/reservations/{id_}/rating", name="rate")
    async def rate(
        id_: int, request: Request, caller: Annotated[Caller, Depends(gate.player)]
    ) -> Response:
        asked = new_rating(await read_value(request))
        rating, is_new = await store.put(id_, caller.id, asked)
        return answer(shown_rating(rating), CREATED if is_new else OK)

    @router.get(
        "/facilities/{id_}/ratings", name="list-ratings", dependencies=[Depends(gate.account)]
    )
    async def list_all(id_: int, request: Request) -> Response:
        page = read_page(Query(request.scope["query_string"]))
        found = await store.list(id_, page)
        if found is None:
            raise Problem(Kind.NOT_FOUND)
        more = {"count": found.number, "average": found.average}
        return answer_page(
            page, found.rows, lambda rating: rating.reservation_id, shown_rating, more
        )

    return router
