"""Closes a connection after an answer: in a share of the answers, the strength."""

from http_server import Echo, serve


class Closes(Echo):
    def answer(self, body: bytes) -> None:
        each = round(1 / self.strength) if self.strength else None
        self.send(200, body, close=each is not None and self.answered + 1 >= each)


if __name__ == "__main__":
    serve(Closes)
