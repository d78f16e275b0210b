"""Cuts the answers of a share of the requests off and closes: the strength."""

from http_server import Echo, serve


class Cuts(Echo):
    total = 0

    def answer(self, body: bytes) -> None:
        Cuts.total += 1
        if int(Cuts.total * self.strength) > int((Cuts.total - 1) * self.strength):
            promised = f"HTTP/1.1 200 -\r\nContent-Length: {len(body)}\r\n\r\n".encode()
            self.transport.write(promised + body[: len(body) // 2])
            self.transport.close()
        else:
            self.send(200, body)


if __name__ == "__main__":
    serve(Cuts)
