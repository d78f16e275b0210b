"""Tokens as checks make them, so that every part of one can be wrong, and as they are read."""

import hmac
import json
import time
from base64 import urlsafe_b64decode, urlsafe_b64encode
from collections.abc import Collection
from typing import Any, Final, NamedTuple

from loadstone.contract.expect import expect, expect_equal

from .objects import read_json

SECRET: Final = "loadstone-park-secret-for-tests-only"
"""As `system.yaml` hands it over."""
ISSUER: Final = "park-users"
HEADER: Final = {"alg": "HS256", "typ": "JWT"}
VECTOR: Final = (
    "eyJhbGciOiJIUzI1NiIsInR5cCI6IkpXVCJ9"
    ".eyJpc3MiOiJwYXJrLXVzZXJzIiwic3ViIjoiMSIsInJvbGUiOiJTVVBFUlZJU09SIiwiaWF0IjoxNzAwMDAwMDAwLCJl"
    "eHAiOjQxMDI0NDQ4MDB9.Xa9f7dbHrzE7YEPmdjIR4ZcCN5kAQKpw0Kc73QwHwqA"
)
"""Of the SPEC: user 1, a SUPERVISOR, until 2100."""

_VALID_SECONDS = 30 * 86_400
"""Checks make their tokens once, and hold them in every run of a study: that may take days."""
_PARTS = 3
_ALPHABET = frozenset("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_")


class Read(NamedTuple):
    """A token whose signature is right."""

    header: Any
    claims: Any


def base64url(data: bytes) -> str:
    """RFC 4648 without padding."""
    return urlsafe_b64encode(data).rstrip(b"=").decode()


def claims(
    user: int, role: str, *, without: Collection[str] = (), **others: object
) -> dict[str, object]:
    """The claims of a good token, but those left out, with others in the place of its own."""
    now = int(time.time())
    whole = {
        **{"iss": ISSUER, "sub": str(user), "role": role, "iat": now, "exp": now + _VALID_SECONDS},
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


def token(user: int, role: str) -> str:
    """A good token, whether or not there is such a user."""
    return signed(claims(user, role))


def bearer(text: str) -> tuple[str, str]:
    """The field by which a token is sent."""
    return "Authorization", f"Bearer {text}"


def read_token(text: object, key: str = SECRET) -> Read:
    """What a token says. Raises AssertionError where its form or its signature is wrong."""
    parts = text.split(".") if isinstance(text, str) else []
    if len(parts) != _PARTS:
        raise AssertionError(f"the token {text!r} has not three parts")
    header, payload, signature = parts
    wanted = base64url(hmac.digest(key.encode(), f"{header}.{payload}".encode(), "sha256"))
    expect_equal(signature, wanted, "the signature of a token")
    return Read(_decoded(header), _decoded(payload))


def _decoded(text: str) -> Any:
    is_base64url = set(text) <= _ALPHABET and len(text) % 4 != 1
    expect(is_base64url, f"a part of a token is {text!r}, no base64url without padding")
    return read_json(urlsafe_b64decode(text + "=" * (-len(text) % 4)))
