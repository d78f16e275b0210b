"""What the recording upstream can answer. Each is a function of the request and its line, and says what
to answer; the line says it in its protocol.

An answer that ends the connection does so itself; whatever returns with the line open leaves it
for the next request.
"""

from collections.abc import Callable, Iterable
from threading import Barrier, BrokenBarrierError, Event

from loadstone.contract.exchange import Exchange, Line

Answerer = Callable[[Exchange, Line], None]


def echo(exchange: Exchange, line: Line) -> None:
    """200 with the request's body and content type, as the echo backend does."""
    content_types = [("Content-Type", value) for value in exchange.head.values("content-type")]
    line.answer(200, content_types, exchange.body)


def fixed(status: int, headers: Iterable[tuple[str, str]] = (), body: bytes = b"") -> Answerer:
    """A given answer, framed by its length."""
    fields = tuple(headers)

    def answer(_exchange: Exchange, line: Line) -> None:
        line.answer(status, fields, body)

    return answer


def gated(pieces: Iterable[bytes], gate: Event, gate_seconds: float) -> Answerer:
    """A 200 without a length whose first piece is sent at once, the others when the gate opens.

    With the gate still shut after `gate_seconds` the connection is closed in mid-answer.
    """
    first, *rest = pieces

    def answer(_exchange: Exchange, line: Line) -> None:
        line.begin(200)
        line.piece(first)
        if not gate.wait(gate_seconds):
            line.close()
            return
        for piece in rest:
            line.piece(piece)
        line.end()

    return answer


def close_unanswered(_exchange: Exchange, line: Line) -> None:
    """Read the request, then close in order."""
    line.close()


def break_unanswered(_exchange: Exchange, line: Line) -> None:
    """Read the request, then reset the connection."""
    line.break_off()


def reset_unanswered(_exchange: Exchange, line: Line) -> None:
    """Read the request, then reset its stream alone."""
    line.reset()


def half(body: bytes, *, chunked: bool) -> Answerer:
    """A 200 that ends in the middle of its body: a length not reached, or no end without one."""

    def answer(_exchange: Exchange, line: Line) -> None:
        _send_half(line, body, chunked=chunked)
        line.close()

    return answer


def half_reset(body: bytes) -> Answerer:
    """A 200 whose stream is reset in the middle of its body."""

    def answer(_exchange: Exchange, line: Line) -> None:
        _send_half(line, body, chunked=True)
        line.reset()

    return answer


def last(exchange: Exchange, line: Line) -> None:
    """Echo, and take no further requests on the connection: on HTTP/2 by GOAWAY."""
    line.say_goodbye()
    echo(exchange, line)


def never(exchange: Exchange, line: Line) -> None:
    """No answer: wait until the other side gives the request up, and note it."""
    line.wait_for_close()
    exchange.closed.set()


def stalled(piece: bytes) -> Answerer:
    """A 200 that stops after its first piece, then the same as `never`."""

    def answer(exchange: Exchange, line: Line) -> None:
        line.begin(200)
        line.piece(piece)
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


def _send_half(line: Line, body: bytes, *, chunked: bool) -> None:
    line.begin(200, length=None if chunked else 2 * len(body))
    line.piece(body)
