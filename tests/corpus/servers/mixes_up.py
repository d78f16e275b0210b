"""Answers a share of the requests with another body, its strength, where more than one is in flight.

Asked alone it is right, so that only answers under load can show it.
"""

import asyncio

from http_server import Echo, serve


class MixesUp(Echo):
    in_flight = 0
    total = 0

    def answer(self, body: bytes) -> None:
        MixesUp.in_flight += 1
        asyncio.get_running_loop().call_later(0.002, self.finish, body)

    def finish(self, body: bytes) -> None:
        MixesUp.total += 1
        is_wrong = int(MixesUp.total * self.strength) > int((MixesUp.total - 1) * self.strength)
        self.send(
            200, body.replace(b"0123", b"3210") if is_wrong and MixesUp.in_flight > 1 else body
        )
        MixesUp.in_flight -= 1


if __name__ == "__main__":
    serve(MixesUp)
