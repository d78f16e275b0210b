"""What an account has to be, and how it is shown."""

import re
from string import ascii_lowercase, ascii_uppercase
from typing import NamedTuple

from booking.instants import shown
from booking.members import Members, any_text, length, one_of
from booking.models import Account
from booking.passwords import MAXIMUM_BYTES
from booking.tokens import PLAYER, ROLES

_EMAIL = re.compile(r"[a-z0-9._%+-]{1,64}@[a-z0-9.-]{3,189}")
_EMAIL_LENGTH = length(6, 254)
# str.lower makes letters of ASCII of some that are none.
_TO_LOWER = str.maketrans(ascii_uppercase, ascii_lowercase)
_MINIMUM_BYTES = 8


class NewAccount(NamedTuple):
    """An account that is asked for."""

    email: str
    name: str
    password: bytes
    role: str


class Credentials(NamedTuple):
    """What somebody logs in with; the address is none where no account can have it."""

    email: str | None
    password: bytes


def new_account(value: object) -> NewAccount:
    """Return the account in the body of sign-up. Raises Problem."""
    members = Members(value)
    email = members.text("email", _fault_of_email)
    name = members.text("name", length(1, 100))
    password = members.text("password", _fault_of_password)
    role = members.text("role", one_of(ROLES), PLAYER)
    members.refuse_faults()
    return NewAccount(email.translate(_TO_LOWER), name, password.encode(), role)


def credentials(value: object) -> Credentials:
    """Return what is in the body of log-in. Raises Problem."""
    members = Members(value)
    email = members.text("email", any_text)
    password = members.text("password", any_text)
    members.refuse_faults()
    can_be = _fault_of_email(email) is None
    return Credentials(email.translate(_TO_LOWER) if can_be else None, password.encode())


def shown_account(account: Account) -> dict[str, object]:
    """Return the members of an account in an answer."""
    return {
        "id": account.id,
        "email": account.email,
        "name": account.name,
        "role": account.role,
        "created_at": shown(account.created_at),
    }


def _fault_of_email(email: str) -> str | None:
    if not _EMAIL.fullmatch(email.translate(_TO_LOWER)):
        return "format"
    return _EMAIL_LENGTH(email)


def _fault_of_password(password: str) -> str | None:
    size = len(password.encode())
    if size < _MINIMUM_BYTES:
        return "too-short"
    return "too-long" if size > MAXIMUM_BYTES else None
