"""Accounts that checks sign up for themselves."""

from functools import partial
from secrets import token_hex
from typing import Final

from loadstone.contract.client import Answer
from loadstone.contract.subject import Subject

from .at_once import patiently
from .service import ACCOUNTS, LOG_IN, post
from .shapes import ACCOUNT, object_of
from .tokens import OWNER, PLAYER, Caller, caller

PASSWORD: Final = "court-side-2040"
"""Of every account of the seed, and of those made here."""


def new_email() -> str:
    """An address that no account has."""
    return f"check-{token_hex(8)}@booking.example"


def account(**changes: object) -> dict[str, object]:
    """A body of `sign-up` of an address that no account has."""
    return {
        **{"email": new_email(), "name": "Somebody", "password": PASSWORD, "role": PLAYER},
        **changes,
    }


def sign_up(subject: Subject, **changes: object) -> Answer:
    """Ask for an account."""
    return post(subject, ACCOUNTS, None, account(**changes))


def log_in(subject: Subject, email: object, password: object = PASSWORD) -> Answer:
    """Ask for a token."""
    return post(subject, LOG_IN, None, {"email": email, "password": password})


def new_player(subject: Subject) -> Caller:
    """A player who has just signed up."""
    return _new(subject, PLAYER)


def new_owner(subject: Subject) -> Caller:
    """An owner who has just signed up."""
    return _new(subject, OWNER)


def _new(subject: Subject, role: str) -> Caller:
    answer = patiently(partial(sign_up, subject, role=role))
    found = object_of(answer, 201, ACCOUNT, f"signing up as {role}")
    return caller(found["id"], role)
