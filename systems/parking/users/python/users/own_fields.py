"""The fields of every answer."""

from starlette.types import ASGIApp, Message, Receive, Scope, Send


class OwnFields:
    """An ASGI application that adds them to what another one answers."""

    def __init__(self, app: ASGIApp, instance: str) -> None:
        self._app = app
        self._fields = [
            (b"cache-control", b"no-store"),
            (b"x-instance-id", instance.encode()),
        ]

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        async def send_marked(message: Message) -> None:
            if message["type"] == "http.response.start":
                message["headers"] = [*message["headers"], *self._fields]
            elif scope["method"] == "HEAD":
                message["body"] = b""  # on HTTP/2 the server would send it
            await send(message)

        await self._app(scope, receive, send_marked)
