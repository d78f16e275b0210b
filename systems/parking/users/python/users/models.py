"""The rows of the database, as the operations see them; words of lists are places."""

from datetime import datetime
from typing import NamedTuple


class Vehicle(NamedTuple):
    """One of a user."""

    plate: str
    type: int
    energy: int


class User(NamedTuple):
    """A row without the hash, which no answer shows, and the vehicles by their plates."""

    id: int
    first_name: str
    last_name: str
    email: str
    nif: int
    coins: int
    role: int
    payment_method: int
    status: int
    vehicles: list[Vehicle]


class Account(NamedTuple):
    """What a log-in is held against."""

    id: int
    first_name: str
    last_name: str
    password_hash: str
    role: int
    status: int


class RichCustomer(NamedTuple):
    """One of the ten."""

    first_name: str
    last_name: str
    email: str
    coins: int


class Event(NamedTuple):
    """One time that coins were given or taken; no manager did it where it is a debit."""

    id: int
    amount: int
    reason: str
    manager_id: int | None
    at: datetime


class Wallet(NamedTuple):
    """What a user has, and how it came."""

    coins: int
    events: list[Event]
