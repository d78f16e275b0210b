"""The strategies by which the countries of a list are looked up: SPEC.md, *Look-ups*."""

import asyncio
from collections.abc import Sequence
from typing import Protocol

from conference.config import LookupConfig, Strategy


class Countries(Protocol):
    """A client of the service country. Each look-up raises Problem."""

    async def one(self, name: str) -> str:
        """Return the country of one name."""

    async def batch(self, names: Sequence[str]) -> list[str]:
        """Return the countries of some names, in their order."""


async def look_up(names: Sequence[str], country: Countries, config: LookupConfig) -> list[str]:
    """Return the countries in the order of the names. Raises the first Problem."""
    match config.strategy:
        case Strategy.SEQUENTIAL:
            return [await country.one(name) for name in names]
        case Strategy.CONCURRENT:
            return await _concurrent(names, country, config.width)
        case Strategy.BATCHED:
            return await _batched(names, country, config.batch_size)


async def _concurrent(names: Sequence[str], country: Countries, width: int) -> list[str]:
    countries = [""] * len(names)
    indexes = iter(range(len(names)))

    async def work() -> None:
        for index in indexes:
            countries[index] = await country.one(names[index])

    workers = [asyncio.ensure_future(work()) for _ in range(min(width, len(names)))]
    try:
        await asyncio.gather(*workers)
    finally:
        # After a failure, or without a caller, the rest is not wanted any more.
        for worker in workers:
            worker.cancel()
    return countries


async def _batched(names: Sequence[str], country: Countries, size: int) -> list[str]:
    countries: list[str] = []
    for start in range(0, len(names), size):
        countries += await country.batch(names[start : start + size])
    return countries
