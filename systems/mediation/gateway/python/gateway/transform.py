"""The scenario JSON to XML: the whole body is read, converted, and sent as a request of its own."""

from starlette.responses import PlainTextResponse
from starlette.types import Receive, Scope, Send

from gateway.caller import BodyTooLarge, Caller
from gateway.conversion import NotConvertible, convert
from gateway.headers import Headers
from gateway.relay import Relay

MAXIMUM_BODY_BYTES = 1 << 20

BAD_REQUEST = 400
CONTENT_TOO_LARGE = 413


class Transform:
    """POST /transform, as an ASGI application."""

    def __init__(self, relay: Relay) -> None:
        self._relay = relay

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        async with Caller(scope, receive) as caller:
            try:
                document = convert(await caller.whole_body(MAXIMUM_BODY_BYTES))
            except NotConvertible as error:
                await PlainTextResponse(f"{error}\n", BAD_REQUEST)(scope, receive, send)
                return
            except BodyTooLarge:
                message = f"the body has more than {MAXIMUM_BODY_BYTES} bytes\n"
                await PlainTextResponse(message, CONTENT_TOO_LARGE)(scope, receive, send)
                return
            headers: Headers = [
                (b"content-type", b"application/xml"),
                (b"content-length", b"%d" % len(document)),
            ]
            await self._relay(scope, receive, send, query=b"", headers=headers, body=document)
