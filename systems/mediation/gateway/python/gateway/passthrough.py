"""The scenario pass-through: request and answer travel on as they come."""

from starlette.types import Receive, Scope, Send

from gateway.caller import Caller
from gateway.headers import request_headers
from gateway.relay import Relay


class Passthrough:
    """POST /passthrough, as an ASGI application: Starlette's requests do not stream both ways."""

    def __init__(self, relay: Relay) -> None:
        self._relay = relay

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        async with Caller(scope, receive) as caller:
            await self._relay(
                scope,
                receive,
                send,
                query=scope["query_string"],
                headers=request_headers(caller.headers),
                body=await caller.body(),
            )
