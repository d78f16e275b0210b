"""A registry of a check's own, which can be away, slow and wrong, and forgets when it is told to."""

import json
from threading import Lock
from types import TracebackType
from typing import Any, Self

from loadstone.contract.exchange import Exchange, Reply
from loadstone.contract.scripts import Script
from loadstone.contract.upstream import RecordingUpstream

from .registry_requests import APPS, Instance

_JSON = ("Content-Type", "application/json")


class SmallRegistry:
    """Listens while it is entered, in HTTP/1.1 in cleartext; before that its port refuses."""

    def __init__(self) -> None:
        self.recorder = RecordingUpstream()
        """What it is asked. To `forget` there would make it an echo."""
        self._lock = Lock()
        self._known: dict[tuple[str, str], dict[str, Any]] = {}

    def __enter__(self) -> Self:
        """Begin to listen."""
        self.recorder.answer_with(self._answer)
        self.recorder.__enter__()
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        """End every connection. Raises what was wrong in its own answers."""
        self.recorder.__exit__(kind, error, trace)
        if self.recorder.script_errors:
            raise self.recorder.script_errors[0]

    @property
    def url(self) -> str:
        """Its base URL."""
        return self.recorder.url

    def show(self, *instances: Instance) -> None:
        """List these from now on, and no others."""
        with self._lock:
            self._known = {(each.app.upper(), each.id): each.members for each in instances}

    def known(self, app: str) -> dict[str, dict[str, Any]]:
        """The instances of an application by their ids."""
        with self._lock:
            return {each: found for (name, each), found in self._known.items() if name == app}

    def be_wrong(self, script: Script) -> None:
        """Answer by a script from now on."""
        self.recorder.answer_with(script)

    def be_right(self) -> None:
        """Answer again as a registry does."""
        self.recorder.answer_with(self._answer)

    def _answer(self, exchange: Exchange, reply: Reply) -> None:
        path = exchange.target.partition("?")[0].rstrip("/")
        named = path.removeprefix(APPS).split("/")[1:] if path.startswith(APPS) else None
        match exchange.method, named:
            case "GET", []:
                reply.answer(200, [_JSON], self._list())
            case "POST", [app]:
                reply.answer(204 if self._take(app.upper(), exchange.body) else 400)
            case "PUT", [app, identifier]:
                reply.answer(200 if identifier in self.known(app.upper()) else 404)
            case "DELETE", [app, identifier]:
                reply.answer(200 if self._drop(app.upper(), identifier) else 404)
            case _:
                reply.answer(404)

    def _list(self) -> bytes:
        with self._lock:
            names = sorted({app for app, _ in self._known})
        entries = [{"name": each, "instance": list(self.known(each).values())} for each in names]
        return json.dumps({"applications": {"application": entries}}).encode()

    def _take(self, app: str, body: bytes) -> bool:
        try:
            found = json.loads(body)["instance"]
            identifier = str(found["instanceId"])
        except (ValueError, KeyError, TypeError):
            return False
        with self._lock:
            self._known[app, identifier] = found
        return True

    def _drop(self, app: str, identifier: str) -> bool:
        with self._lock:
            return self._known.pop((app, identifier), None) is not None
