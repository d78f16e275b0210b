"""What the recording upstream can answer. Each is a function of the request and its line.

An answer that ends the connection does so itself; whatever returns with the line open leaves it
for the next request.
"""

from collections.abc import Callable, Iterable
from threading import Barrier, BrokenBarrierError, Event

from loadstone.contract.exchange import Exchange, Line
from loadstone.contract.wire import write_chunk, write_head

Answerer = Callable[[Exchange, Line], None]


def echo(exchange: Exchange, line: Line) -> None:
    """200 with the request's body and content type, as the echo backend does."""
    content_types = [("Content-Type", value) for value in exchange.head.values("content-type")]
    length = ("Content-Length", str(len(exchange.body)))
    line.send(write_head("HTTP/1.1 200 OK", [*content_types, length]) + exchange.body)


def fixed(status: int, headers: Iterable[tuple[str, str]] = (), body: bytes = b"") -> Answerer:
    """A given answer, framed by its length."""
    fields = [*headers, ("Content-Length", str(len(body)))]
    message = write_head(f"HTTP/1.1 {status} Scripted", fields) + body

    def answer(_exchange: Exchange, line: Line) -> None:
        line.send(message)

    return answer


def gated(pieces: Iterable[bytes], gate: Event, gate_seconds: float) -> Answerer:
    """A chunked 200 whose first piece is sent at once, the others when the gate opens.

    With the gate still shut after `gate_seconds` the connection is closed in mid-answer.
    """
    first, *rest = pieces

    def answer(_exchange: Exchange, line: Line) -> None:
        line.send(write_head("HTTP/1.1 200 OK", [("Transfer-Encoding", "chunked")]))
        line.send(write_chunk(first))
        if not gate.wait(gate_seconds):
            line.close()
            return
        for piece in rest:
            line.send(write_chunk(piece))
        line.send(b"0\r\n\r\n")

    return answer


def close_unanswered(_exchange: Exchange, line: Line) -> None:
    """Read the request, then close in order."""
    line.close()


def break_unanswered(_exchange: Exchange, line: Line) -> None:
    """Read the request, then reset the connection."""
    line.break_off()


def half(body: bytes, *, chunked: bool) -> Answerer:
    """A 200 that ends in the middle of its body: a length not reached, or no last chunk."""

    def answer(_exchange: Exchange, line: Line) -> None:
        if chunked:
            head = write_head("HTTP/1.1 200 OK", [("Transfer-Encoding", "chunked")])
            line.send(head + write_chunk(body))
        else:
            length = ("Content-Length", str(2 * len(body)))
            line.send(write_head("HTTP/1.1 200 OK", [length]) + body)
        line.close()

    return answer


def never(exchange: Exchange, line: Line) -> None:
    """No answer: wait until the other side ends the connection, and note it."""
    while line.receive():
        pass
    exchange.closed.set()
    line.close()


def stalled(piece: bytes) -> Answerer:
    """A chunked 200 that stops after its first piece, then the same as `never`."""

    def answer(exchange: Exchange, line: Line) -> None:
        head = write_head("HTTP/1.1 200 OK", [("Transfer-Encoding", "chunked")])
        line.send(head + write_chunk(piece))
        never(exchange, line)

    return answer


def together(count: int, seconds: float) -> Answerer:
    """Echo, but not before `count` requests are here at the same time.

    Where they do not come within `seconds`, every connection is closed unanswered.
    """
    everyone = Barrier(count)

    def answer(exchange: Exchange, line: Line) -> None:
        try:
            everyone.wait(seconds)
        except BrokenBarrierError:
            line.close()
        else:
            echo(exchange, line)

    return answer
