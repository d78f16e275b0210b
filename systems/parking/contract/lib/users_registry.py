"""The recording upstream in the place of a registry: what `users` tells it."""

from threading import Lock
from typing import Any, Final, NamedTuple

from loadstone.contract.exchange import Exchange, Reply
from loadstone.contract.expect import expect, expect_equal
from loadstone.contract.subject import Subject

from .objects import read_json

APPS: Final = ("eureka", "apps")
_DATA_CENTER: Final = {
    "@class": "com.netflix.appinfo.InstanceInfo$DefaultDataCenterInfo",
    "name": "MyOwn",
}
_LEASE: Final = {"renewalIntervalInSecs": 1, "durationInSecs": 3}
_APP_PARTS, _INSTANCE_PARTS = 3, 4


class Told(NamedTuple):
    """A request to the registry."""

    method: str
    parts: tuple[str, ...]
    """Of its path."""
    seconds: float
    """When it came, on the monotonic clock."""
    exchange: Exchange


class RegistryScript:
    """Answers as a registry does, by what it was told before; it may forget, or fail."""

    def __init__(self) -> None:
        self._known: set[str] = set()
        self._lock = Lock()
        self.fails = False
        """Whether every answer is 500."""

    def __call__(self, exchange: Exchange, reply: Reply) -> None:
        """Answer one request."""
        with self._lock:
            status = 500 if self.fails else self._status(exchange)
        reply.answer(status)

    def forget(self) -> None:
        """Know nobody any more, as behind a restart."""
        with self._lock:
            self._known.clear()

    def knows(self, identifier: str) -> bool:
        """Whether this instance is registered."""
        with self._lock:
            return identifier in self._known

    def _status(self, exchange: Exchange) -> int:
        told = _told(exchange)
        if told.method == "POST" and len(told.parts) == _APP_PARTS:
            self._known.add(_id_of(exchange.body))
            return 204
        identifier = told.parts[-1]
        is_known = identifier in self._known and len(told.parts) == _INSTANCE_PARTS
        if is_known and told.method == "DELETE":
            self._known.discard(identifier)
        return 200 if is_known and told.method in ("PUT", "DELETE") else 404


def told(subject: Subject, method: str) -> list[Told]:
    """The requests of this method so far."""
    found = [_told(each) for each in subject.upstream.exchanges]
    return [each for each in found if each.method == method]


def expect_instance(exchange: Exchange, port: int, *, is_tls: bool) -> None:
    """Expect that it registers the instance on this port, as the SPEC has it."""
    what = "what is registered"
    parts = _told(exchange).parts
    is_path = parts[:2] == APPS and len(parts) == _APP_PARTS and parts[2].upper() == "USERS"
    expect(is_path, f"the path of a registration is {exchange.target}")
    media_type = (exchange.head.value("content-type") or "").partition(";")[0].strip()
    expect_equal(media_type.lower(), "application/json", "Content-Type of a registration")
    body = read_json(exchange.body)
    instance = body.get("instance") if isinstance(body, dict) else None
    if not isinstance(instance, dict):
        raise AssertionError(f"{what} is {exchange.body[:80]!r}")  # noqa: TRY004
    wanted: dict[str, object] = {
        "instanceId": f"users-{port}",
        "hostName": "127.0.0.1",
        "ipAddr": "127.0.0.1",
        "vipAddress": "users",
        "status": "UP",
        "dataCenterInfo": _DATA_CENTER,
        "leaseInfo": _LEASE,
    }
    for name, value in wanted.items():
        seen = instance.get(name)
        if isinstance(value, dict) and isinstance(seen, dict):
            seen = {key: seen.get(key) for key in value}  # others may be there
        expect_equal(seen, value, f"{name} of {what}")
    expect_equal(str(instance.get("app")).upper(), "USERS", f"app of {what}")
    expect(isinstance(instance.get("metadata"), dict), f"{what} has no metadata")
    own, other = ("securePort", "port") if is_tls else ("port", "securePort")
    expect_equal(_port(instance, own), (port, "true"), f"{own} of {what}")
    expect_equal(_port(instance, other)[1], "false", f"@enabled of {other} of {what}")


def expect_path(each: Told, port: int) -> None:
    """Expect the path of this instance."""
    seen = tuple(part.upper() if at == 2 else part for at, part in enumerate(each.parts))
    expect_equal(seen, (*APPS, "USERS", f"users-{port}"), f"the path of a {each.method}")


def _told(exchange: Exchange) -> Told:
    path = exchange.target.partition("?")[0]
    parts = tuple(path.strip("/").split("/"))
    return Told(exchange.method, parts, exchange.arrived_seconds, exchange)


def _id_of(body: bytes) -> str:
    value = read_json(body)
    instance: Any = value.get("instance") if isinstance(value, dict) else None
    return str(instance.get("instanceId")) if isinstance(instance, dict) else ""


def _port(instance: dict[str, Any], name: str) -> tuple[object, object]:
    value = instance.get(name)
    return (value.get("$"), value.get("@enabled")) if isinstance(value, dict) else (None, None)
