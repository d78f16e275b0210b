"""Rows that a check puts beside the service into its database, where a request would cost a hash."""

from typing import Final, NamedTuple

from loadstone.contract.subject import Subject

from .database import hand_of
from .users_accounts import new_email, new_nif, new_plate
from .users_service import Caller, customer

SEED_HASH: Final = "$2b$10$LoadstoneParkSeedSalt.vo/GxERivFmh9jg20q0DBbcJd2jCq1q"
"""Of the password of the seed, as `seed/database/levels/s.sql` has it."""


class Row(NamedTuple):
    """A customer who was put there."""

    id: int
    email: str
    nif: int

    @property
    def caller(self) -> Caller:
        """The customer who asks for himself or herself."""
        return customer(self.id)


def put_customers(subject: Subject, number: int, *, coins: int = 0) -> list[Row]:
    """So many new customers by id, without a vehicle."""
    emails, nifs = [new_email() for _ in range(number)], [new_nif() for _ in range(number)]
    rows = hand_of(subject).execute(
        "INSERT INTO app_user (first_name, last_name, email, password_hash, nif, role,"
        " payment_method, status, coins)"
        " SELECT 'Put', 'There', email, %s, nif, 1, 2, 0, %s::integer"
        " FROM unnest(%s::text[], %s::integer[]) AS fresh (email, nif) RETURNING id, email, nif",
        (SEED_HASH, coins, emails, nifs),
    )
    return sorted(Row(*each) for each in rows)


def put_customer(subject: Subject, *, coins: int = 0, vehicles: int = 0) -> Caller:
    """A new customer with so many coins and vehicles."""
    (row,) = put_customers(subject, 1, coins=coins)
    for _ in range(vehicles):
        put_vehicle_row(subject, row.id, new_plate())
    return row.caller


def put_vehicle_row(subject: Subject, user: int, plate: str) -> None:
    """A vehicle of a user."""
    hand_of(subject).execute(
        "INSERT INTO vehicle (plate, user_id, type, energy) VALUES (%s, %s, 0, 0)", (plate, user)
    )


def put_events(subject: Subject, user: int, number: int) -> None:
    """So many grants of one coin, each with its number as the reason, and the coins."""
    hand = hand_of(subject)
    hand.execute(
        "INSERT INTO coin_event (user_id, amount, reason, manager_id, at)"
        " SELECT %s, 1, number::text AS reason, 3, now() FROM generate_series(1, %s) AS number"
        " ORDER BY number",
        (user, number),
    )
    hand.execute("UPDATE app_user SET coins = coins + %s WHERE id = %s", (number, user))


def set_coins(subject: Subject, user: int, coins: int) -> None:
    """Let a user have so many coins, whatever the events say."""
    hand_of(subject).execute("UPDATE app_user SET coins = %s WHERE id = %s", (coins, user))


def coins_of(subject: Subject, user: int) -> int:
    """The coins that the row of a user has."""
    ((coins,),) = hand_of(subject).execute("SELECT coins FROM app_user WHERE id = %s", (user,))
    return int(coins)


def number_of(subject: Subject, table: str) -> int:
    """How many rows a table has."""
    ((number,),) = hand_of(subject).execute(f"SELECT count(*) FROM {table}")
    return int(number)
