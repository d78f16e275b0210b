"""The operations on facilities: list, add, get, replace and retire them, and list their slots."""

from typing import Annotated

from fastapi import APIRouter, Depends, Request, Response

from booking.answer import NO_CONTENT, answer, created
from booking.body import read_value
from booking.facility import facility_filter, new_facility, shown_facility
from booking.gate import Gate
from booking.page import answer_page, read_page
from booking.problem import Kind, Problem
from booking.query import Query
from booking.slots import shown_slots
from booking.store import FacilityStore
from booking.tokens import Caller

_ALL = "/facilities"
_OF_CLUB = "/clubs/{id_}/facilities"
_ONE = "/facilities/{id_}"
_SLOTS = "/facilities/{id_}/slots"


def facilities(store: FacilityStore, gate: Gate) -> APIRouter:
    """Return the routes; each name is that of an operation."""
    router = APIRouter()

    @router.get(_ALL, name="list-facilities", dependencies=[Depends(gate.account)])
    async def list_all(request: Request) -> Response:
        query = Query(request.scope["query_string"])
        where, page = facility_filter(query), read_page(query)
        rows = await store.list(where, page)
        return answer_page(page, rows, lambda facility: facility.id, shown_facility)

    @router.post(_OF_CLUB, name="add-facility")
    async def add(
        id_: int, request: Request, caller: Annotated[Caller, Depends(gate.owner)]
    ) -> Response:
        asked = new_facility(await read_value(request))
        facility = await store.insert(id_, caller.id, asked)
        return created(shown_facility(facility), f"{_ALL}/{facility.id}")

    @router.get(_ONE, name="get-facility", dependencies=[Depends(gate.account)])
    async def get(id_: int) -> Response:
        facility = await store.get(id_)
        if facility is None:
            raise Problem(Kind.NOT_FOUND)
        return answer(shown_facility(facility))

    @router.put(_ONE, name="replace-facility")
    async def replace(
        id_: int, request: Request, caller: Annotated[Caller, Depends(gate.owner)]
    ) -> Response:
        asked = new_facility(await read_value(request))
        return answer(shown_facility(await store.replace(id_, caller.id, asked)))

    @router.delete(_ONE, name="retire-facility")
    async def retire(id_: int, caller: Annotated[Caller, Depends(gate.owner)]) -> Response:
        await store.retire(id_, caller.id)
        return Response(status_code=NO_CONTENT)

    @router.get(_SLOTS, name="list-slots", dependencies=[Depends(gate.account)])
    async def list_slots(id_: int, request: Request) -> Response:
        date = Query(request.scope["query_string"]).day("date")
        day = await store.day(id_, date)
        if day is None:
            raise Problem(Kind.NOT_FOUND)
        return answer(shown_slots(day.facility, date, day.taken))

    return router
