"""Asks an ASGI application without a server."""

import asyncio
import json
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from starlette.types import ASGIApp, Message

JSON_FIELD = (b"content-type", b"application/json")


@dataclass(frozen=True)
class Answer:
    """What an application has sent."""

    status: int
    headers: dict[str, str]
    body: bytes

    @property
    def problem(self) -> dict[str, object]:
        assert self.headers["content-type"] == "application/problem+json"
        problem: dict[str, object] = json.loads(self.body)
        assert problem["status"] == self.status
        return problem


async def ask(
    app: ASGIApp,
    method: str,
    target: str,
    body: bytes | Sequence[bytes] = b"",
    headers: Sequence[tuple[bytes, bytes]] = (JSON_FIELD,),
    leaves: Callable[[], object] | None = None,
) -> Answer:
    """Send a request, its body in one part or several; the caller leaves when `leaves` ends."""
    path, _, query = target.partition("?")
    parts = [body] if isinstance(body, bytes) else list(body)
    coming = [
        {"type": "http.request", "body": part, "more_body": index < len(parts) - 1}
        for index, part in enumerate(parts)
    ]
    sent: list[Message] = []

    async def receive() -> Message:
        if coming:
            return coming.pop(0)
        if leaves is None:
            await asyncio.Event().wait()
        return {"type": "http.disconnect"}

    async def send(message: Message) -> None:
        sent.append(message)

    scope = {
        "type": "http",
        "http_version": "1.1",
        "method": method,
        "scheme": "http",
        "path": path,
        "raw_path": path.encode(),
        "query_string": query.encode(),
        "root_path": "",
        "headers": list(headers),
        "server": ("127.0.0.1", 1),
    }
    await app(scope, receive, send)
    fields = {name.decode(): value.decode() for name, value in sent[0]["headers"]}
    content = b"".join(message.get("body", b"") for message in sent[1:])
    return Answer(sent[0]["status"], fields, content)
