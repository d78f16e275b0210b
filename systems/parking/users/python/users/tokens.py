"""Issues tokens: JWT (RFC 7519) by HS256, as SPEC.md has them. The gateway verifies them."""

from collections.abc import Callable
from datetime import UTC, datetime
from typing import NamedTuple

import jwt

from users.config import TokenConfig

_ISSUER = "park-users"
_ALGORITHM = "HS256"


class Token(NamedTuple):
    """A token, and when it expires."""

    text: str
    expires: datetime


class Tokens:
    """Issues them; `now` is the time in seconds since 1970."""

    def __init__(self, config: TokenConfig, now: Callable[[], float]) -> None:
        self._config = config
        self._now = now

    def issue(self, user: int, role: str) -> Token:
        """Return a new token of a user."""
        issued = int(self._now())
        expires = issued + self._config.lifetime_seconds
        claims = {
            "iss": _ISSUER,
            "sub": str(user),
            "role": role,
            "iat": issued,
            "exp": expires,
        }
        text = jwt.encode(claims, self._config.secret, _ALGORITHM)
        return Token(text, datetime.fromtimestamp(expires, UTC))
