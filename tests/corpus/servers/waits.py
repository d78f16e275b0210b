"""Answers every request after a time: the strength, in milliseconds."""

import asyncio

from http_server import Echo, serve


class Waits(Echo):
    def answer(self, body: bytes) -> None:
        loop = asyncio.get_running_loop()
        loop.call_later(self.strength / 1000, self.send, 200, body)


if __name__ == "__main__":
    serve(Waits)
