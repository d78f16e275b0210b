"""Has room for four new connections, or for 512, and is busy for 30 ms every 50 ms: whether for
four.
"""

import asyncio
import time

from http_server import Echo, serve

EVERY_SECONDS, BUSY_SECONDS = 0.05, 0.03


def beside(_: float) -> None:
    loop = asyncio.get_running_loop()

    def be_busy() -> None:
        loop.call_later(EVERY_SECONDS, be_busy)
        time.sleep(BUSY_SECONDS)

    loop.call_later(EVERY_SECONDS, be_busy)


if __name__ == "__main__":
    serve(Echo, beside, backlog=lambda strength: 4 if strength else 512)
