"""Passwords by bcrypt, on threads of their own: the event loop computes no hash."""

import asyncio
import os
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import TypeVar

import bcrypt

COST = 10
"""Of new hashes."""
_MAXIMUM_BYTES = 72
_NOBODY = f"$2b${COST:02d}${'.' * 53}"
"""Of no password, in the letters of bcrypt."""

T = TypeVar("T")


class Passwords:
    """Hashes and verifies, at most as many at once as there are CPUs; further ones wait."""

    def __init__(self, cost: int = COST) -> None:
        self._cost = cost
        # bcrypt lets other threads run while it computes.
        self._threads = ThreadPoolExecutor(len(os.sched_getaffinity(0)), "hash")

    async def hash(self, password: str) -> str:
        """Return a new hash."""
        content = password.encode()
        salt = bcrypt.gensalt(self._cost)
        return await self._on_a_thread(lambda: bcrypt.hashpw(content, salt).decode())

    async def verify(self, password: str, hash_: str | None) -> bool:
        """Return whether a hash is of the password; without one it takes as long to say no.

        bcrypt looks at 72 bytes, and repeats a password with a zero byte between: one that is
        longer, or has such bytes, could be another one to it.
        """
        content = password.encode()
        is_plain = len(content) <= _MAXIMUM_BYTES and b"\0" not in content
        known = (hash_ or _NOBODY).encode()
        looked_at = content if is_plain else b"any password"
        is_equal = await self._on_a_thread(lambda: bcrypt.checkpw(looked_at, known))
        return is_equal and is_plain and hash_ is not None

    def close(self) -> None:
        """Take no more of them."""
        self._threads.shutdown(wait=False, cancel_futures=True)

    async def _on_a_thread(self, compute: Callable[[], T]) -> T:
        return await asyncio.get_running_loop().run_in_executor(self._threads, compute)
