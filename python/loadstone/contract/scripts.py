"""Scripts by which the recording upstream answers. Each is a function of the recorded request and of
the reply to it, and says what to send; the reply sends it in the protocol of its connection.

A script that wants the connection ended ends it itself; else it is left for the next request.
"""

from collections.abc import Callable, Iterable
from threading import Barrier, BrokenBarrierError, Event

from loadstone.contract.exchange import Exchange, Reply

Script = Callable[[Exchange, Reply], None]


def echo(exchange: Exchange, reply: Reply) -> None:
    """200 with the request's body and content type, as the echo backend does."""
    content_types = [("Content-Type", value) for value in exchange.head.values("content-type")]
    reply.answer(200, content_types, exchange.body)


def fixed(status: int, headers: Iterable[tuple[str, str]] = (), body: bytes = b"") -> Script:
    """A given answer, framed by its length."""
    fields = tuple(headers)

    def answer(_exchange: Exchange, reply: Reply) -> None:
        reply.answer(status, fields, body)

    return answer


def gated(pieces: Iterable[bytes], gate: Event, gate_seconds: float) -> Script:
    """A 200 without a length whose first piece is sent at once, the others when the gate opens.

    With the gate still shut after `gate_seconds` the connection is closed in mid-answer.
    """
    first, *rest = pieces

    def answer(_exchange: Exchange, reply: Reply) -> None:
        reply.begin(200)
        reply.piece(first)
        if not gate.wait(gate_seconds):
            reply.close()
            return
        for piece in rest:
            reply.piece(piece)
        reply.end()

    return answer


def close_unanswered(_exchange: Exchange, reply: Reply) -> None:
    """Read the request, then close in order."""
    reply.close()


def break_unanswered(_exchange: Exchange, reply: Reply) -> None:
    """Read the request, then reset the connection."""
    reply.break_off()


def reset_unanswered(_exchange: Exchange, reply: Reply) -> None:
    """Read the request, then reset its stream alone."""
    reply.reset()


def refuse_unanswered(_exchange: Exchange, reply: Reply) -> None:
    """Read the request, then say that nothing was done of it: only on HTTP/2."""
    reply.refuse()


def half(body: bytes, *, chunked: bool) -> Script:
    """A 200 that ends in the middle of its body: a length not reached, or no end without one."""

    def answer(_exchange: Exchange, reply: Reply) -> None:
        _send_half(reply, body, chunked=chunked)
        reply.close()

    return answer


def half_reset(body: bytes) -> Script:
    """A 200 whose stream is reset in the middle of its body."""

    def answer(_exchange: Exchange, reply: Reply) -> None:
        _send_half(reply, body, chunked=True)
        reply.reset()

    return answer


def last(exchange: Exchange, reply: Reply) -> None:
    """Echo, and take no further requests on the connection: on HTTP/2 by GOAWAY."""
    reply.say_goodbye()
    echo(exchange, reply)


def never(exchange: Exchange, reply: Reply) -> None:
    """No answer: wait until the other side gives the request up, and note it."""
    reply.wait_for_close()
    exchange.closed.set()


def stalled(piece: bytes) -> Script:
    """A 200 that stops after its first piece, then the same as `never`."""

    def answer(exchange: Exchange, reply: Reply) -> None:
        reply.begin(200)
        reply.piece(piece)
        never(exchange, reply)

    return answer


def together(count: int, seconds: float) -> Script:
    """Echo, but not before `count` requests are here at the same time.

    Where they do not come within `seconds`, every connection is closed unanswered.
    """
    everyone = Barrier(count)

    def answer(exchange: Exchange, reply: Reply) -> None:
        try:
            everyone.wait(seconds)
        except BrokenBarrierError:
            reply.close()
        else:
            echo(exchange, reply)

    return answer


def _send_half(reply: Reply, body: bytes, *, chunked: bool) -> None:
    reply.begin(200, length=None if chunked else 2 * len(body))
    reply.piece(body)
