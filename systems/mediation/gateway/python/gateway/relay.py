"""One exchange with the upstream, and its answer to the caller: what both scenarios share."""

import logging

from starlette.responses import PlainTextResponse
from starlette.types import Receive, Scope, Send

from gateway.headers import Headers, answer_headers, content_length
from gateway.upstream import Answer, Body, Upstream, UpstreamFailed

BAD_GATEWAY = 502

_log = logging.getLogger("gateway")


class Relay:
    """Sends a request to the upstream, and its answer to the caller as it comes."""

    def __init__(self, upstream: Upstream) -> None:
        self._upstream = upstream

    async def __call__(
        self,
        scope: Scope,
        receive: Receive,
        send: Send,
        *,
        query: bytes,
        headers: Headers,
        body: Body,
    ) -> None:
        begun = False
        try:
            async with self._upstream.exchange(query, headers, body) as answer:
                begun = True
                await _send_answer(answer, send)
        except UpstreamFailed as error:
            _log.error("upstream failed: %s", " ".join(str(error).split()))
            # An answer that has begun is left without its end, and so the server breaks it off.
            if not begun:
                failed = PlainTextResponse("the upstream failed\n", BAD_GATEWAY)
                await failed(scope, receive, send)


async def _send_answer(answer: Answer, send: Send) -> None:
    headers = answer_headers(answer.headers)
    length = content_length(headers)
    await send({"type": "http.response.start", "status": answer.status, "headers": headers})
    part = answer.read_now()
    sent = 0
    more = True
    # The server holds the head back until the first part, which therefore may be empty.
    while more:
        sent += len(part)
        more = not answer.at_end and sent != length
        await send({"type": "http.response.body", "body": part, "more_body": more})
        if more:
            part = await answer.read()
