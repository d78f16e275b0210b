"""Passwords by bcrypt, on threads of their own: the event loop computes no hash."""

import asyncio
import os
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import TypeVar

import bcrypt

MAXIMUM_BYTES = 72
"""As many as bcrypt looks at."""

T = TypeVar("T")


class Passwords:
    """Hashes and verifies, at most as many at once as there are CPUs; further ones wait."""

    def __init__(self, cost: int) -> None:
        self._cost = cost
        # bcrypt lets other threads run while it computes.
        self._threads = ThreadPoolExecutor(len(os.sched_getaffinity(0)), "hash")

    async def hash(self, password: bytes) -> str:
        """Return a new hash."""
        return await self._on_a_thread(lambda: self._hash(password))

    async def verify(self, password: bytes, hash_: str) -> bool:
        """Return whether a hash is of the password. One of too many bytes is of no hash."""
        if len(password) > MAXIMUM_BYTES:
            await self.pretend(password)
            return False
        return await self._on_a_thread(lambda: bcrypt.checkpw(password, hash_.encode()))

    async def pretend(self, password: bytes) -> None:
        """Take the time of a hash, so that no one learns from it that there is no account."""
        await self.hash(password[:MAXIMUM_BYTES])

    def close(self) -> None:
        """Take no more of them."""
        self._threads.shutdown(wait=False, cancel_futures=True)

    def _hash(self, password: bytes) -> str:
        return bcrypt.hashpw(password, bcrypt.gensalt(self._cost)).decode()

    async def _on_a_thread(self, compute: Callable[[], T]) -> T:
        return await asyncio.get_running_loop().run_in_executor(self._threads, compute)
