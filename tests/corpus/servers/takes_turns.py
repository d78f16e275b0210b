"""Answers one request at a time, as under a lock that is held while something else is awaited: the
strength, in milliseconds.
"""

import asyncio

from http_server import Echo, serve


class TakesTurns(Echo):
    lock = asyncio.Lock()

    def answer(self, body: bytes) -> None:
        # A task that nobody keeps may be collected.
        self.task = asyncio.get_running_loop().create_task(self.wait_for_its_turn(body))

    async def wait_for_its_turn(self, body: bytes) -> None:
        async with self.lock:
            await asyncio.sleep(self.strength / 1000)
        self.send(200, body)


if __name__ == "__main__":
    serve(TakesTurns)
