"""Answers every twentieth connection its strength times as late as the others."""

import asyncio

from http_server import Echo, serve

USUAL_SECONDS = 0.002
EVERY = 20


class ServesUnequally(Echo):
    connections = 0

    def __init__(self, strength: float = 0.0) -> None:
        super().__init__(strength)
        ServesUnequally.connections += 1
        # The first one is that of the lab, which only looks whether anything listens.
        is_slow = strength and ServesUnequally.connections % EVERY == 2
        self.seconds = USUAL_SECONDS * (strength if is_slow else 1)

    def answer(self, body: bytes) -> None:
        asyncio.get_running_loop().call_later(self.seconds, self.send, 200, body)


if __name__ == "__main__":
    serve(ServesUnequally)
