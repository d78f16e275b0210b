"""Forgets a share of its connections, each after its 50th answer: the strength."""

from http_server import Echo, serve

LAST = 50


class Forgets(Echo):
    connections = 0

    def __init__(self, strength: float) -> None:
        super().__init__(strength)
        number = Forgets.connections
        Forgets.connections += 1
        self.is_forgotten = int((number + 1) * strength) > int(number * strength)

    def answer(self, body: bytes) -> None:
        if not (self.is_forgotten and self.answered >= LAST):
            self.send(200, body)


if __name__ == "__main__":
    serve(Forgets)
