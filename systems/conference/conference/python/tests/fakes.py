"""A store in memory, and a service country that knows every name."""

import asyncio
from collections.abc import Sequence

from conference.conference import Conference
from conference.problem import Kind, Problem
from conference.store import Rows


class FakeStore:
    def __init__(self, rows: dict[str, str] | None = None) -> None:
        self.rows = dict(rows or {})
        self.failure: Exception | None = None

    async def list_all(self) -> Rows:
        self._fail()
        return sorted(self.rows.items())

    async def list_after(self, after: str, most: int) -> Rows:
        return [row for row in await self.list_all() if row[0] > after][:most]

    async def insert(self, conference: Conference) -> None:
        self._fail()
        if conference.id in self.rows:
            raise Problem(Kind.DUPLICATE_ID)
        self.rows[conference.id] = conference.name

    async def get(self, id_: str) -> Conference | None:
        self._fail()
        return Conference(id_, self.rows[id_]) if id_ in self.rows else None

    async def replace(self, conference: Conference) -> bool:
        if conference.id not in self.rows:
            return False
        self.rows[conference.id] = conference.name
        return True

    async def remove(self, id_: str) -> bool:
        return self.rows.pop(id_, None) is not None

    async def ask(self) -> None:
        self._fail()

    def _fail(self) -> None:
        if self.failure is not None:
            raise self.failure


class FakeCountry:
    """Answers a name by itself in capitals; `asked` is what it was asked for."""

    def __init__(self, failing: str | None = None, *, is_silent: bool = False) -> None:
        self.asked: list[str] = []
        self.peak = 0
        self._in_flight = 0
        self._failing = failing
        self._is_silent = is_silent

    async def one(self, name: str) -> str:
        self.asked.append(name)
        self._in_flight += 1
        self.peak = max(self.peak, self._in_flight)
        try:
            await asyncio.sleep(0)
            if self._is_silent:
                await asyncio.Event().wait()
        finally:
            self._in_flight -= 1
        if name == self._failing:
            raise Problem(Kind.COUNTRY_FAILED, name)
        return name.upper()

    async def batch(self, names: Sequence[str]) -> list[str]:
        self.asked.append("".join(names))
        return [name.upper() for name in names]
