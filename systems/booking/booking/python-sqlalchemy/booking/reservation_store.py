"""The reservations in the database."""

import json
from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

from sqlalchemy import func, select, update
from sqlalchemy.dialects.postgresql import insert
from sqlalchemy.ext.asyncio import AsyncSession

from booking.database import Database
from booking.facility_store import IS_LIVE
from booking.idempotency import Key
from booking.ids import LARGEST
from booking.models import Club, Facility, Idempotency, Reservation
from booking.page import Page
from booking.problem import Kind, Problem
from booking.reservation import CANCELLED, PENDING, NewReservation, ReservationFilter, place
from booking.store import Reserved, may_see
from booking.tokens import PLAYER, Caller

# What is written has not been read as a whole before, so that nothing has to be brought up to date.
_NOT_IN_SESSION: dict[str, Any] = {"synchronize_session": False}


class Parties(NamedTuple):
    """Whose a reservation is, where and in what state."""

    player_id: int
    owner_id: int
    facility_id: int
    status: str


class DatabaseReservations:
    """Of rivals the constraints and the conditions of the statements let one through."""

    def __init__(self, database: Database) -> None:
        self._database = database

    async def insert(
        self,
        player_id: int,
        reservation: NewReservation,
        key: Key | None,
        content_of: Callable[[Reservation], bytes],
    ) -> Reserved:
        async def work(session: AsyncSession) -> Reserved:
            if key is not None:
                replayed = await _replayed(session, player_id, key)
                if replayed is not None:
                    return replayed
            row = await _insert(session, player_id, reservation)
            content = content_of(row)
            if key is not None:
                await _store_body(session, player_id, key, content.decode())
            return Reserved(row.id, content, is_replayed=False)

        return await self._database.transaction(work)

    async def get(self, id_: int, caller: Caller) -> Reservation | None:
        statement = (
            select(Reservation, Club.owner_id)
            .join(Reservation.facility)
            .join(Facility.club)
            .where(Reservation.id == id_)
        )

        async def work(session: AsyncSession) -> Reservation | None:
            row = (await session.execute(statement)).one_or_none()
            if row is None:
                return None
            reservation, owner_id = row
            return reservation if may_see(caller, reservation.player_id, owner_id) else None

        return await self._database.autocommit(work)

    async def list(
        self, caller: Caller, where: ReservationFilter, page: Page
    ) -> Sequence[Reservation]:
        before = LARGEST if page.after is None else page.after
        statement = select(Reservation).where(Reservation.id < before)
        if caller.role == PLAYER:
            statement = statement.where(Reservation.player_id == caller.id)
        else:
            joined = statement.join(Reservation.facility).join(Facility.club)
            statement = joined.where(Club.owner_id == caller.id)
        if where.facility_id is not None:
            statement = statement.where(Reservation.facility_id == where.facility_id)
        if where.status is not None:
            statement = statement.where(Reservation.status == where.status)
        statement = statement.order_by(Reservation.id.desc()).limit(page.rows)

        async def work(session: AsyncSession) -> Sequence[Reservation]:
            return (await session.scalars(statement)).all()

        return await self._database.autocommit(work)

    async def decide(self, id_: int, owner_id: int, status: str) -> Reservation:
        statement = (
            update(Reservation)
            .where(Reservation.id == id_, Reservation.status == PENDING)
            .values(status=status, decided_at=func.now())
            .returning(Reservation)
            .execution_options(**_NOT_IN_SESSION)
        )

        async def work(session: AsyncSession) -> Reservation:
            parties = await parties_of(session, id_)
            if parties.owner_id != owner_id:
                raise Problem(Kind.NOT_FOUND)
            return _changed(await session.scalar(statement))

        return await self._database.transaction(work)

    async def cancel(self, id_: int, player_id: int) -> Reservation:
        statement = (
            update(Reservation)
            .where(Reservation.id == id_, IS_LIVE)
            .values(status=CANCELLED)
            .returning(Reservation)
            .execution_options(**_NOT_IN_SESSION)
        )

        async def work(session: AsyncSession) -> Reservation:
            parties = await parties_of(session, id_)
            if parties.player_id != player_id:
                raise Problem(Kind.NOT_FOUND)
            return _changed(await session.scalar(statement))

        return await self._database.transaction(work)


async def parties_of(session: AsyncSession, id_: int) -> Parties:
    """Return the parties of a reservation. Raises Problem where there is none."""
    statement = (
        select(Reservation.player_id, Club.owner_id, Reservation.facility_id, Reservation.status)
        .join(Reservation.facility)
        .join(Facility.club)
        .where(Reservation.id == id_)
    )
    row = (await session.execute(statement)).one_or_none()
    if row is None:
        raise Problem(Kind.NOT_FOUND)
    return Parties(*row)


async def _replayed(session: AsyncSession, account_id: int, key: Key) -> Reserved | None:
    """Take a key, or return the answer that was given to it before. Raises Problem."""
    taken = await session.scalar(
        insert(Idempotency)
        .values(account_id=account_id, key=key.text, fingerprint=key.fingerprint)
        .on_conflict_do_nothing()
        .returning(Idempotency.key)
    )
    if taken is not None:
        return None
    used = await session.get(Idempotency, (account_id, key.text))
    if used is None or used.fingerprint != key.fingerprint or used.body is None:
        raise Problem(Kind.IDEMPOTENCY_MISMATCH)
    return Reserved(json.loads(used.body)["id"], used.body.encode(), is_replayed=True)


async def _insert(
    session: AsyncSession, player_id: int, reservation: NewReservation
) -> Reservation:
    facility = await session.get(Facility, reservation.facility_id)
    if facility is None:
        raise Problem(Kind.NOT_FOUND)
    ends_at, price_cents = place(reservation, facility)
    # A plain insert would wait for its rivals behind its own row, and they for it.
    row: Reservation | None = await session.scalar(
        insert(Reservation)
        .values(
            facility_id=facility.id,
            player_id=player_id,
            starts_at=reservation.starts_at,
            ends_at=ends_at,
            price_cents=price_cents,
        )
        .on_conflict_do_nothing()
        .returning(Reservation)
    )
    if row is None:
        raise Problem(Kind.SLOT_TAKEN)
    return row


async def _store_body(session: AsyncSession, account_id: int, key: Key, body: str) -> None:
    await session.execute(
        update(Idempotency)
        .where(Idempotency.account_id == account_id, Idempotency.key == key.text)
        .values(body=body)
        .execution_options(**_NOT_IN_SESSION)
    )


def _changed(row: Reservation | None) -> Reservation:
    """Return what a statement made of a reservation. Raises Problem where it was another state."""
    if row is None:
        raise Problem(Kind.WRONG_STATE)
    return row
