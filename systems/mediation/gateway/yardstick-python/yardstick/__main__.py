"""Answers every POST /passthrough with its own body, by Granian and bare ASGI.

What an answer costs in Python where no gateway is.
"""

import asyncio
import os
import signal
import socket
import sys
from collections.abc import Awaitable, Callable
from typing import Any

import uvloop
from granian.constants import HTTPModes, Interfaces
from granian.log import LogLevels
from granian.server.embed import Server

HOST = os.environ.get("HOST", "127.0.0.1")
_BACKLOG = 1024
_POLL_SECONDS = 0.002

Scope = dict[str, Any]
Receive = Callable[[], Awaitable[dict[str, Any]]]
Send = Callable[[dict[str, Any]], Awaitable[None]]


async def echo(scope: Scope, receive: Receive, send: Send) -> None:
    """Answer one request."""
    body = b""
    more = True
    while more:
        message = await receive()
        body += message.get("body", b"")
        more = message.get("more_body", False)
    is_known = scope["path"] == "/passthrough" and scope["method"] == "POST"
    headers = [each for each in scope["headers"] if each[0] == b"content-type"]
    status = 200 if is_known else 404
    await send({"type": "http.response.start", "status": status, "headers": headers})
    await send({"type": "http.response.body", "body": body if is_known else b""})


async def run(port: int) -> int:
    """Serve until a signal asks for the end."""
    stopped = asyncio.Event()
    for number in (signal.SIGTERM, signal.SIGINT):
        asyncio.get_running_loop().add_signal_handler(number, stopped.set)
    server = Server(
        echo,
        HOST,
        port,
        interface=Interfaces.ASGINL,
        http=HTTPModes.http1,
        websockets=False,
        backlog=_BACKLOG,
        log_level=LogLevels.critical,
    )
    serving = asyncio.ensure_future(server.serve())
    while True:
        try:
            _, writer = await asyncio.open_connection(HOST, port)
        except ConnectionRefusedError:
            await asyncio.sleep(_POLL_SECONDS)
        else:
            writer.close()
            break
    print(f"listening on {HOST}:{port}", flush=True)
    await stopped.wait()
    server.stop()  # type: ignore[no-untyped-call]
    await serving
    return 0


def free_port() -> int:
    """Return a port of the kernel's choice: Granian cannot say which one it was given."""
    with socket.socket() as reserved:
        reserved.bind((HOST, 0))
        return int(reserved.getsockname()[1])


if __name__ == "__main__":
    sys.exit(uvloop.run(run(int(os.environ["PORT"]) or free_port())))
