"""Stands still every two seconds: for the strength, in seconds."""

import asyncio
import time

from http_server import Echo, serve

EVERY_SECONDS = 2.0


def beside(strength: float) -> None:
    loop = asyncio.get_running_loop()

    def stand_still() -> None:
        loop.call_later(EVERY_SECONDS, stand_still)
        time.sleep(strength)

    loop.call_later(EVERY_SECONDS, stand_still)


if __name__ == "__main__":
    serve(Echo, beside)
