"""Tokens: JWT (RFC 7519) by HS256 with a fixed list of claims, as SPEC.md has them."""

import re
from collections.abc import Callable
from typing import NamedTuple

import jwt

from booking.config import TokenConfig
from booking.ids import is_id

PLAYER = "player"
OWNER = "owner"
ROLES = (PLAYER, OWNER)

_BOOKING = "booking"
_ALGORITHM = "HS256"
# The library decodes base64url leniently, so that other texts would be the same signature. The last
# character of 32 bytes has two bits that belong to none, and are 0 here.
_BEARER = re.compile(
    r"(?i:bearer) +([A-Za-z0-9_-]+\.[A-Za-z0-9_-]+\.[A-Za-z0-9_-]{42}[AEIMQUYcgkosw048])"
)


class Caller(NamedTuple):
    """The account that a token is of."""

    id: int
    role: str


class Tokens:
    """Issues tokens and looks at them; `now` is the time in seconds since 1970."""

    def __init__(self, config: TokenConfig, now: Callable[[], float]) -> None:
        self._secret = config.secret
        self.ttl_seconds = config.ttl_seconds
        self._now = now

    def issue(self, caller: Caller) -> str:
        """Return a new token of an account."""
        issued = int(self._now())
        claims = {
            "iss": _BOOKING,
            "aud": _BOOKING,
            "sub": str(caller.id),
            "role": caller.role,
            "iat": issued,
            "exp": issued + self.ttl_seconds,
        }
        return jwt.encode(claims, self._secret, _ALGORITHM)

    def caller_in(self, field: str) -> Caller | None:
        """Return who calls with a field `Authorization`, or none where it has no valid token."""
        match = _BEARER.fullmatch(field)
        if match is None:
            return None
        try:
            claims = jwt.decode(
                match[1],
                self._secret,
                algorithms=[_ALGORITHM],
                audience=_BOOKING,
                issuer=_BOOKING,
                options={
                    "strict_aud": True,  # no list of them
                    # Looked at below, by the clock that is given and without coercion ...
                    "verify_exp": False,
                    "verify_sub": False,
                    # ... or not at all.
                    "verify_iat": False,
                    "verify_jti": False,
                    "verify_nbf": False,
                },
            )
        except (jwt.PyJWTError, RecursionError, TypeError, ValueError):
            return None
        return self._caller(claims)

    def _caller(self, claims: dict[str, object]) -> Caller | None:
        subject, role, expires = claims.get("sub"), claims.get("role"), claims.get("exp")
        if not isinstance(subject, str) or not is_id(subject):
            return None
        if not isinstance(role, str) or role not in ROLES:
            return None
        if isinstance(expires, bool) or not isinstance(expires, int | float):
            return None
        return Caller(int(subject), role) if self._now() < expires else None
