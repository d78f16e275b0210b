"""The operations on reservations: list, reserve, get, accept, reject and cancel."""

from datetime import UTC, datetime
from typing import Annotated

from fastapi import APIRouter, Depends, Request, Response
from pydantic_core import to_json

from booking.answer import CREATED, answer, answer_content
from booking.body import drop_body, read_value
from booking.gate import Gate
from booking.idempotency import key_of, read_key
from booking.models import Reservation
from booking.page import answer_page, read_page
from booking.problem import Kind, Problem
from booking.query import Query
from booking.reservation import (
    ACCEPTED,
    REJECTED,
    new_reservation,
    path_of,
    reservation_filter,
    shown_reservation,
)
from booking.store import ReservationStore
from booking.tokens import Caller

_ALL = "/reservations"
_ONE = "/reservations/{id_}"


def reservations(store: ReservationStore, gate: Gate) -> APIRouter:
    """Return the routes; each name is that of an operation."""
    router = APIRouter()

    @router.get(_ALL, name="list-reservations")
    async def list_all(
        request: Request, caller: Annotated[Caller, Depends(gate.account)]
    ) -> Response:
        query = Query(request.scope["query_string"])
        where, page = reservation_filter(query), read_page(query)
        rows = await store.list(caller, where, page)
        return answer_page(page, rows, lambda reservation: reservation.id, shown_reservation)

    @router.post(_ALL, name="reserve")
    async def reserve(
        request: Request, caller: Annotated[Caller, Depends(gate.player)]
    ) -> Response:
        value = await read_value(request)
        text = read_key(request.headers.get("idempotency-key"))
        asked = new_reservation(value, datetime.now(UTC))
        key = None if text is None else key_of(text, asked)
        reserved = await store.insert(caller.id, asked, key, _content_of)
        headers = {"location": path_of(reserved.id)}
        if reserved.is_replayed:
            headers["idempotency-replayed"] = "true"
        return answer_content(reserved.content, CREATED, headers)

    @router.get(_ONE, name="get-reservation")
    async def get(id_: int, caller: Annotated[Caller, Depends(gate.account)]) -> Response:
        reservation = await store.get(id_, caller)
        if reservation is None:
            raise Problem(Kind.NOT_FOUND)
        return answer(shown_reservation(reservation))

    @router.post(_ONE + "/accept", name="accept")
    async def accept(
        id_: int, request: Request, caller: Annotated[Caller, Depends(gate.owner)]
    ) -> Response:
        await drop_body(request)
        return answer(shown_reservation(await store.decide(id_, caller.id, ACCEPTED)))

    @router.post(_ONE + "/reject", name="reject")
    async def reject(
        id_: int, request: Request, caller: Annotated[Caller, Depends(gate.owner)]
    ) -> Response:
        await drop_body(request)
        return answer(shown_reservation(await store.decide(id_, caller.id, REJECTED)))

    @router.post(_ONE + "/cancel", name="cancel")
    async def cancel(
        id_: int, request: Request, caller: Annotated[Caller, Depends(gate.player)]
    ) -> Response:
        await drop_body(request)
        return answer(shown_reservation(await store.cancel(id_, caller.id)))

    return router


def _content_of(reservation: Reservation) -> bytes:
    return to_json(shown_reservation(reservation))
