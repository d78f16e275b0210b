"""The client of the service country: attempts, retries and what counts as an answer."""

import asyncio
from collections.abc import Mapping, Sequence
from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass
from urllib.parse import quote

from aiohttp import ClientError, ClientSession, ClientTimeout, DummyCookieJar, TCPConnector
from pydantic_core import to_json
from yarl import URL

from conference.body import parse_json
from conference.breaker import Attempt, Breaker
from conference.config import CountryConfig
from conference.problem import INTERNAL_SERVER_ERROR, Kind, Problem

# Longer than any pause between two requests of a load.
_IDLE_TIMEOUT_SECONDS = 60.0
_MOST_BYTES = 64 << 10
_MOST_BATCH_BYTES = 1 << 20

_OK = 200
_RETRIED = (502, 503, 504)
_NO_STATUS = 0
_JSON_FIELDS = {"Content-Type": "application/json"}
# What aiohttp would add to a request that comes without.
_NOT_ADDED = ("Accept", "Accept-Encoding", "Content-Type", "User-Agent")
_NO_BREAKER = nullcontext(Attempt())


@dataclass(frozen=True)
class _Request:
    """What is sent in every attempt, and how large its answer may be."""

    method: str
    url: URL
    most_bytes: int
    content: bytes | None = None
    headers: Mapping[str, str] | None = None


@dataclass(frozen=True)
class _Answer:
    """How an attempt ended. Without a status the connection was refused, or broke."""

    status: int = _NO_STATUS
    content: bytes = b""
    reason: str = ""
    is_late: bool = False
    is_too_large: bool = False

    @property
    def has_failed(self) -> bool:
        """Whether it counts as failed for the breaker."""
        is_broken = self.status == _NO_STATUS and not self.is_too_large
        return is_broken or self.status >= INTERNAL_SERVER_ERROR

    @property
    def is_retried(self) -> bool:
        if self.is_late or self.is_too_large:
            return False
        return self.status == _NO_STATUS or self.status in _RETRIED


class Country:
    """Looks countries up over connections that it keeps. Needs a running loop."""

    def __init__(self, config: CountryConfig) -> None:
        self._config = config
        self._breaker = Breaker(asyncio.get_running_loop().time) if config.has_breaker else None
        self._batches = URL(f"{config.origin}/countries", encoded=True)
        self._session = ClientSession(
            connector=TCPConnector(
                limit=config.connections, keepalive_timeout=_IDLE_TIMEOUT_SECONDS
            ),
            timeout=ClientTimeout(total=config.timeout_seconds, ceil_threshold=float("inf")),
            cookie_jar=DummyCookieJar(),
            skip_auto_headers=_NOT_ADDED,
            auto_decompress=False,
        )
        # Else a GET whose connection breaks is sent anew, also on one that was not kept. aiohttp
        # has no other way to say so, and its own tests say it like this.
        self._session._retry_connection = False

    async def one(self, name: str) -> str:
        """Return the country of one name. Raises Problem."""
        segment = quote(name, safe="")
        url = URL(f"{self._config.origin}/conferences/{segment}/country", encoded=True)
        answer = await self._ask(_Request("GET", url, _MOST_BYTES))
        country = answer.get("name")
        if not isinstance(country, str):
            raise _other_answer()
        return country

    async def batch(self, names: Sequence[str]) -> list[str]:
        """Return the countries of some names, in their order. Raises Problem."""
        content = to_json({"names": names})
        request = _Request("POST", self._batches, _MOST_BATCH_BYTES, content, _JSON_FIELDS)
        countries = (await self._ask(request)).get("countries")
        if not isinstance(countries, list) or len(countries) != len(names):
            raise _other_answer()
        if not all(isinstance(country, str) for country in countries):
            raise _other_answer()
        return countries

    async def close(self) -> None:
        """Close the connections."""
        await self._session.close()

    async def _ask(self, request: _Request) -> dict[str, object]:
        """Return the object of a good answer."""
        answer = await self._attempt(request)
        for _ in range(self._config.retries):
            if not answer.is_retried:
                break
            await asyncio.sleep(self._config.retry_interval_seconds)
            answer = await self._attempt(request)
        if answer.is_late:
            raise Problem(Kind.COUNTRY_TIMEOUT)
        if answer.status != _OK:
            raise Problem(Kind.COUNTRY_FAILED, answer.reason or f"status {answer.status}")
        try:
            value = parse_json(answer.content)
        except ValueError:
            raise _other_answer() from None
        if not isinstance(value, dict):
            raise _other_answer()
        return value

    async def _attempt(self, request: _Request) -> _Answer:
        with self._guard() as attempt:
            answer = await self._exchange(request)
            attempt.has_failed = answer.has_failed
        return answer

    def _guard(self) -> AbstractContextManager[Attempt]:
        return _NO_BREAKER if self._breaker is None else self._breaker.attempt()

    async def _exchange(self, request: _Request) -> _Answer:
        try:
            async with self._session.request(
                request.method,
                request.url,
                data=request.content,
                headers=request.headers,
                allow_redirects=False,
            ) as response:
                content = bytearray()
                async for part in response.content.iter_any():
                    content += part
                    if len(content) > request.most_bytes:
                        response.close()
                        return _Answer(reason="an answer that is too large", is_too_large=True)
                return _Answer(response.status, bytes(content))
        except TimeoutError:
            return _Answer(is_late=True)
        except (ClientError, OSError, ValueError) as error:
            return _Answer(reason=" ".join(str(error).split()) or type(error).__name__)


def _other_answer() -> Problem:
    return Problem(Kind.COUNTRY_FAILED, "another answer than its own")
