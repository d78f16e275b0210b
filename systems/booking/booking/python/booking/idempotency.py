"""The key by which a reservation that is asked for again is the same one: SPEC.md, *Database rules*."""

import re
from hashlib import sha256
from typing import NamedTuple

from booking.instants import shown
from booking.problem import Kind, Problem
from booking.reservation import NewReservation

_KEY = re.compile(r"[!-~]{1,64}")


class Key(NamedTuple):
    """A key of an account, and what of the request makes it the same one."""

    text: str
    fingerprint: bytes


def read_key(field: str | None) -> str | None:
    """Return the key in a field `Idempotency-Key`, if there is one. Raises Problem."""
    if field is not None and not _KEY.fullmatch(field):
        raise Problem(Kind.MALFORMED)
    return field


def key_of(text: str, reservation: NewReservation) -> Key:
    """Return the key of a request."""
    instant = shown(reservation.starts_at)
    content = f"{reservation.facility_id}|{instant}|{reservation.slots}"
    return Key(text, sha256(content.encode()).digest())
