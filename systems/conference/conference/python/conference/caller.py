"""The end of a caller, which comes by the channel of its request."""

import asyncio
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager

from starlette.types import Receive


class CallerGone(Exception):
    """The caller went away."""


@asynccontextmanager
async def while_here(receive: Receive) -> AsyncGenerator[None]:
    """End what is done in this context as soon as the caller is gone. Raises CallerGone."""
    task = asyncio.current_task()
    assert task is not None
    gone = False

    async def watch() -> None:
        nonlocal gone
        while (await receive())["type"] != "http.disconnect":
            pass
        gone = True
        task.cancel()

    watching = asyncio.ensure_future(watch())
    try:
        yield
    except asyncio.CancelledError:
        if not gone:
            raise
        task.uncancel()
        raise CallerGone from None
    finally:
        watching.cancel()
