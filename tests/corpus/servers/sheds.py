"""Answers 503 for a time, from two seconds after its first request on: the strength, in seconds."""

import time

from http_server import Echo, serve

FROM_SECOND = 2.0


class Sheds(Echo):
    first: float | None = None

    def answer(self, body: bytes) -> None:
        now = time.monotonic()
        Sheds.first = Sheds.first or now
        if FROM_SECOND <= now - Sheds.first < FROM_SECOND + self.strength:
            self.send(503, b"busy")
        else:
            self.send(200, body)


if __name__ == "__main__":
    serve(Sheds)
