"""Tokens as checks make them, so that every part of one can be wrong."""

import hmac
import json
import time
from base64 import urlsafe_b64encode
from collections.abc import Collection
from typing import Final, NamedTuple

SECRET: Final = "booking-tokens-are-signed-with-this-secret"
"""As `system.yaml` hands it over."""
HEADER: Final = {"alg": "HS256", "typ": "JWT"}
PLAYER: Final = "player"
OWNER: Final = "owner"

_VALID_SECONDS = 30 * 86_400
"""Checks make their tokens once, and hold them in every run of a study: that may take days."""


class Caller(NamedTuple):
    """Who asks, by which token."""

    id: int
    role: str
    token: str


def base64url(data: bytes) -> str:
    """RFC 4648 without padding."""
    return urlsafe_b64encode(data).rstrip(b"=").decode()


def claims(
    account: int, role: str, *, without: Collection[str] = (), **others: object
) -> dict[str, object]:
    """The claims of a good token, but those left out, with others in the place of its own."""
    now = int(time.time())
    whole = {
        **{"iss": "booking", "aud": "booking", "sub": str(account), "role": role},
        **{"iat": now, "exp": now + _VALID_SECONDS},
        **others,
    }
    return {name: value for name, value in whole.items() if name not in without}


def signed(
    payload: object, header: object = HEADER, *, key: str = SECRET, digest: str = "sha256"
) -> str:
    """A token of any payload and header, by any key and hash."""
    text = f"{part(header)}.{part(payload)}"
    return f"{text}.{base64url(hmac.digest(key.encode(), text.encode(), digest))}"


def part(value: object) -> str:
    """A part of a token: JSON in base64url."""
    return base64url(json.dumps(value, separators=(",", ":")).encode())


def caller(account: int, role: str) -> Caller:
    """An account with a good token, whether or not it is there."""
    return Caller(account, role, signed(claims(account, role)))
