"""The rows of the database, as SQLAlchemy maps them. The schema itself is none of the service's."""

from datetime import datetime
from typing import Any, ClassVar

from sqlalchemy import (
    BigInteger,
    DateTime,
    ForeignKey,
    Integer,
    LargeBinary,
    SmallInteger,
    Text,
    func,
)
from sqlalchemy.orm import DeclarativeBase, Mapped, mapped_column, relationship


class Base(DeclarativeBase):
    """What all of them have in common: the types of the database for those of Python."""

    type_annotation_map: ClassVar[dict[Any, Any]] = {
        bytes: LargeBinary,
        datetime: DateTime(timezone=True),
        int: BigInteger,
        str: Text,
    }


class Account(Base):
    """A player or an owner."""

    __tablename__ = "account"

    id: Mapped[int] = mapped_column(primary_key=True)
    email: Mapped[str] = mapped_column(unique=True)
    name: Mapped[str]
    password_hash: Mapped[str]
    role: Mapped[str]
    created_at: Mapped[datetime] = mapped_column(server_default=func.now())


class Club(Base):
    """Has facilities."""

    __tablename__ = "club"

    id: Mapped[int] = mapped_column(primary_key=True)
    owner_id: Mapped[int] = mapped_column(ForeignKey("account.id"))
    name: Mapped[str]
    city: Mapped[str]
    description: Mapped[str]
    created_at: Mapped[datetime] = mapped_column(server_default=func.now())


class Facility(Base):
    """Can be reserved from `opens` to `closes`, in minutes of the day, until it is retired."""

    __tablename__ = "facility"

    id: Mapped[int] = mapped_column(primary_key=True)
    club_id: Mapped[int] = mapped_column(ForeignKey("club.id"))
    name: Mapped[str]
    sport: Mapped[str]
    slot_minutes: Mapped[int] = mapped_column(SmallInteger)
    opens: Mapped[int] = mapped_column(SmallInteger)
    closes: Mapped[int] = mapped_column(SmallInteger)
    price_cents: Mapped[int] = mapped_column(Integer)
    retired_at: Mapped[datetime | None]
    created_at: Mapped[datetime] = mapped_column(server_default=func.now())

    # Every statement is said: none is made by the look at an attribute.
    club: Mapped[Club] = relationship(lazy="raise")


class Reservation(Base):
    """A player's time at a facility."""

    __tablename__ = "reservation"

    id: Mapped[int] = mapped_column(primary_key=True)
    facility_id: Mapped[int] = mapped_column(ForeignKey("facility.id"))
    player_id: Mapped[int] = mapped_column(ForeignKey("account.id"))
    starts_at: Mapped[datetime]
    ends_at: Mapped[datetime]
    status: Mapped[str] = mapped_column(server_default="pending")
    price_cents: Mapped[int] = mapped_column(Integer)
    created_at: Mapped[datetime] = mapped_column(server_default=func.now())
    decided_at: Mapped[datetime | None]

    facility: Mapped[Facility] = relationship(lazy="raise")


class Rating(Base):
    """What a player thinks of a reservation."""

    __tablename__ = "rating"

    reservation_id: Mapped[int] = mapped_column(ForeignKey("reservation.id"), primary_key=True)
    facility_id: Mapped[int] = mapped_column(ForeignKey("facility.id"))
    stars: Mapped[int] = mapped_column(SmallInteger)
    comment: Mapped[str]
    created_at: Mapped[datetime] = mapped_column(server_default=func.now())


class Idempotency(Base):
    """A key that an account has used, and the answer that it was given."""

    __tablename__ = "idempotency"

    account_id: Mapped[int] = mapped_column(ForeignKey("account.id"), primary_key=True)
    key: Mapped[str] = mapped_column(primary_key=True)
    fingerprint: Mapped[bytes]
    body: Mapped[str | None]
