"""Hypercorn for the conformance tests: HTTP/1.1 and HTTP/2 on each of its two free ports.

Its only argument is the folder with server.pem and server.key; its only line of output is a JSON
object from protocol to port.
"""

import asyncio
import json
import socket
import sys
from pathlib import Path
from typing import Any

from bodies import body_of
from hypercorn.asyncio import serve
from hypercorn.config import Config


async def application(scope: Any, receive: Any, send: Any) -> None:
    """What the conformance tests ask for, by ASGI."""
    if scope["type"] != "http":
        return
    _, kind, *number = scope["path"].split("/")
    status, headers, body = 200, [], b""
    if kind == "status":
        status = int(number[0])
    else:
        body = await received(receive) if kind == "echo" else body_of(int(number[0]))
        if kind != "chunked":
            headers = [(b"content-length", str(len(body)).encode())]
    await send({"type": "http.response.start", "status": status, "headers": headers})
    if scope["method"] == "HEAD":
        body = b""
    await send({"type": "http.response.body", "body": body})


async def received(receive: Any) -> bytes:
    """The whole body of the request."""
    parts = []
    while True:
        event = await receive()
        parts.append(event.get("body", b""))
        if not event.get("more_body"):
            return b"".join(parts)


def main() -> None:
    folder = Path(sys.argv[1])
    cleartext, secure = (socket.create_server(("127.0.0.1", 0), backlog=100) for _ in range(2))
    config = Config()
    config.insecure_bind = [f"fd://{cleartext.fileno()}"]
    config.bind = [f"fd://{secure.fileno()}"]
    config.certfile, config.keyfile = str(folder / "server.pem"), str(folder / "server.key")
    ports = {
        "h1c": cleartext.getsockname()[1],
        "h1": secure.getsockname()[1],
        "h2c": cleartext.getsockname()[1],
        "h2": secure.getsockname()[1],
    }
    sys.stdout.write(json.dumps(ports) + "\n")
    sys.stdout.flush()
    asyncio.run(serve(application, config))


main()
