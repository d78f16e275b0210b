"""Tokens for the gateway: good ones that last, and what is none of them."""

import hmac
from collections.abc import Collection
from typing import Final

from .tokens import ISSUER, SECRET, base64url, signed

SUPERVISOR: Final = "SUPERVISOR"
ROLES: Final = (SUPERVISOR, "CUSTOMER", "CUSTOMER_MANAGER", "PARK_MANAGER", "DEVICE")
FAR_OFF: Final = 4_102_444_800
"""The first second of 2100."""

_ISSUED = 1_700_000_000


def claims(*, without: Collection[str] = (), **others: object) -> dict[str, object]:
    """The claims of a good token of user 1, a SUPERVISOR, but those left out, and with others in the
    place of its own.
    """
    whole = {
        **{"iss": ISSUER, "sub": "1", "role": SUPERVISOR, "iat": _ISSUED, "exp": FAR_OFF},
        **others,
    }
    return {name: value for name, value in whole.items() if name not in without}


def signed_text(text: str) -> str:
    """Header and payload as they are, with their right signature."""
    return f"{text}.{base64url(hmac.digest(SECRET.encode(), text.encode(), 'sha256'))}"


def token_of(user: object, role: str = SUPERVISOR) -> str:
    """A good token of a user."""
    return signed(claims(sub=str(user), role=role))


def with_other_letter(text: str, at: int) -> str:
    """A text with another letter at one place."""
    other = "A" if text[at] != "A" else "B"
    return text[:at] + other + text[at + 1 :]
