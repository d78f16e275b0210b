"""What a user has to be, and how one is shown."""

import re
from typing import NamedTuple

from users.members import Members, any_text, characters, visible
from users.models import User, Vehicle
from users.vehicle import read_kind, shown_vehicle
from users.words import PAYMENT_METHODS, ROLES, STATUSES

_PLATE = re.compile("L[A-Z]-[0-9]{5}")
_EMAIL = re.compile("[^@]+@[^@]+")
_EMAIL_CHARACTERS = visible(3, 40)
_PASSWORD_CHARACTERS = visible(11, 19)
_KINDS_OF_LETTERS = (re.compile("[a-z]"), re.compile("[A-Z]"), re.compile("[^A-Za-z0-9]"))


class NewUser(NamedTuple):
    """A user who is asked for."""

    first_name: str
    last_name: str
    email: str
    password: str
    nif: int
    vehicle: Vehicle
    payment_method: int


class Credentials(NamedTuple):
    """What somebody logs in with; the address is none where no user can have it."""

    email: str | None
    password: str


def new_user(value: object) -> NewUser:
    """Return the user in the body of create-user. Raises Problem."""
    members = Members(value)
    first_name = members.text("firstName", characters(1, 60))
    last_name = members.text("lastName", characters(1, 60))
    email = members.text("email", fault_of_email)
    password = members.text("password", fault_of_password)
    nif = members.number("nif", 100_000_000, 999_999_999)
    plate = members.text("licensePlateNumber", _fault_of_plate)
    vehicle = Vehicle(plate, *read_kind(members))
    payment_method = members.place("paymentMethod", PAYMENT_METHODS)
    members.refuse_faults()
    return NewUser(first_name, last_name, email, password, nif, vehicle, payment_method)


def credentials(value: object) -> Credentials:
    """Return what is in the body of login. Raises Problem."""
    members = Members(value)
    email = members.text("email", any_text)
    password = members.text("password", any_text)
    members.refuse_faults()
    return Credentials(None if fault_of_email(email) else email, password)


def full_name(first_name: str, last_name: str) -> str:
    """Return the name in one text."""
    return f"{first_name} {last_name}"


def shown_user(user: User) -> dict[str, object]:
    """Return the members of a user in an answer."""
    return {
        "id": user.id,
        "firstName": user.first_name,
        "lastName": user.last_name,
        "email": user.email,
        "nif": user.nif,
        "parkingHistory": [],
        "totalParkies": user.coins,
        "vehicles": [shown_vehicle(vehicle) for vehicle in user.vehicles],
        "role": ROLES[user.role],
        "paymentMethod": PAYMENT_METHODS[user.payment_method],
        "userStatus": STATUSES[user.status],
    }


def fault_of_email(email: str) -> str | None:
    """Return what is wrong with an e-mail address."""
    return _EMAIL_CHARACTERS(email) or (None if _EMAIL.fullmatch(email) else "format")


def fault_of_password(password: str) -> str | None:
    """Return what is wrong with a password that somebody chooses."""
    is_strong = all(kind.search(password) for kind in _KINDS_OF_LETTERS)
    return _PASSWORD_CHARACTERS(password) or (None if is_strong else "weak")


def _fault_of_plate(plate: str) -> str | None:
    return None if _PLATE.fullmatch(plate) else "format"
