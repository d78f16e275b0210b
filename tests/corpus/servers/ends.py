"""Ends in mid-load: its strength, in seconds, before the sixth second after its first request."""

import asyncio
import os

from http_server import Echo, serve

LOAD_SECONDS = 6.0


class Ends(Echo):
    is_first = True

    def answer(self, body: bytes) -> None:
        if Ends.is_first and self.strength:
            Ends.is_first = False
            asyncio.get_running_loop().call_later(LOAD_SECONDS - self.strength, os._exit, 0)
        self.send(200, body)


if __name__ == "__main__":
    serve(Ends)
