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
        asyncio.get_running_loop().call_later(0.002, self.finish, body, MixesUp.in_flight > 1)

    def finish(self, body: bytes, came_to_others: bool) -> None:
        # Users in step would always have the same one asked or answered alone.
        if came_to_others or MixesUp.in_flight > 1:
            MixesUp.total += 1
            if int(MixesUp.total * self.strength) > int((MixesUp.total - 1) * self.strength):
                body = body.replace(b"0123", b"3210")
        self.send(200, body)
        MixesUp.in_flight -= 1


if __name__ == "__main__":
    serve(MixesUp)
