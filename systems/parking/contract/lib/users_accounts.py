"""Users that checks create for themselves, by what no other user has."""

from functools import partial
from itertools import count
from random import randrange
from secrets import token_hex
from typing import Any, Final

from loadstone.contract.client import Answer
from loadstone.contract.subject import Subject

from .at_once import patiently
from .objects import object_of
from .shapes import USER
from .users_service import LOGIN, USERS, Caller, customer, post

PASSWORD: Final = "Loadstone#Park-1"
"""Of every user of the seed, and of those made here."""
SEED_EMAILS: Final = {
    1: "supervisor@park.example",
    2: "parkmanager@park.example",
    3: "customermanager@park.example",
    4: "bram@park.example",
    5: "sefa@park.example",
    6: "ilo@park.example",
}

_NIFS = 500_000_000
"""From 100000000 on, and so below those of the seed."""
_PLATES_OF_A_LETTER = 100_000
_LETTERS = "BCDEFGHIJKLMNOPQRSTUVWXYZ"
"""The seed has A."""
_numbers = count(randrange(_NIFS))


def new_email() -> str:
    """An address that no user has."""
    return f"check-{token_hex(8)}@park.example"


def new_nif() -> int:
    """A tax number that no user has."""
    return 100_000_000 + next(_numbers) % _NIFS


def new_plate() -> str:
    """A plate that no vehicle has."""
    letter, number = divmod(next(_numbers), _PLATES_OF_A_LETTER)
    return f"L{_LETTERS[letter % len(_LETTERS)]}-{number:05}"


def account(**changes: object) -> dict[str, object]:
    """A body of `create-user` with an address, a tax number and a plate that are free."""
    return {
        "firstName": "Some",
        "lastName": "Body",
        "email": new_email(),
        "password": PASSWORD,
        "nif": new_nif(),
        "licensePlateNumber": new_plate(),
        "vehicleType": "AUTOMOBILE",
        "vehicleEnergySource": "FUEL",
        "paymentMethod": "PAYPAL",
        **changes,
    }


def create(subject: Subject, **changes: object) -> Answer:
    """Ask for a user."""
    return post(subject, USERS, None, account(**changes))


def created(subject: Subject, **changes: object) -> dict[str, Any]:
    """A user who has just been created. Raises AssertionError."""
    answer = patiently(partial(create, subject, **changes))
    return object_of(answer, 201, USER, "creating a user")


def new_customer(subject: Subject, **changes: object) -> Caller:
    """A customer who has just been created."""
    return customer(created(subject, **changes)["id"])


def log_in(subject: Subject, email: object, password: object = PASSWORD) -> Answer:
    """Ask for a token."""
    return post(subject, LOGIN, None, {"email": email, "password": password})
