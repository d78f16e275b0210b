"""Eureka's REST protocol as its callers speak it, and what a registry lists."""

import json
from typing import Any, Final, NamedTuple
from urllib.parse import urlsplit

from loadstone.contract.client import Answer
from loadstone.contract.connect import connect
from loadstone.contract.deadline import Deadline
from loadstone.contract.expect import expect, expect_equal
from loadstone.study.values.model import Protocol

from .objects import JSON, expect_status, read_json

APPS: Final = "/eureka/apps"
APP: Final = "USERS"
LEASE_SECONDS: Final = 3
GONE_SECONDS: Final = 9.0
"""By when a lease of 3 s is gone that nobody renews."""

_ACCEPT = ("Accept", "application/json")
_ANSWER_SECONDS = 10.0


class Instance(NamedTuple):
    """One that can be registered."""

    app: str
    id: str
    members: dict[str, Any]
    """All that is sent of it."""

    @property
    def path(self) -> str:
        """By which it is renewed and deregistered."""
        return f"{APPS}/{self.app}/{self.id}"


class Registry(NamedTuple):
    """Where a registry is."""

    address: tuple[str, int]

    def ask(self, method: str, target: str, body: bytes | None = None) -> Answer:
        """Ask on a connection of its own; a body is sent as JSON, whatever it is."""
        fields = [_ACCEPT] if body is None else [_ACCEPT, JSON]
        with connect(self.address, Deadline(_ANSWER_SECONDS), Protocol.H1C) as connection:
            call = connection.send_request(target, fields, body or b"", method=method)
            return call.receive_answer()


def registry_at(url: str) -> Registry:
    """The registry of a base URL."""
    parts = urlsplit(url)
    return Registry((parts.hostname or "", parts.port or 0))


def instance(
    number: int,
    /,
    *,
    app: str = APP,
    identifier: str | None = None,
    secure: bool = False,
    **members: Any,
) -> Instance:
    """An instance on the port of this number, with other members in the place of its own."""
    name = identifier or f"{app.lower()}-{number}"
    # The port that is not enabled is another one: it is not to be taken.
    whole = {
        **{"instanceId": name, "hostName": "127.0.0.1", "app": app, "ipAddr": "127.0.0.1"},
        **{"vipAddress": app.lower(), "status": "UP"},
        **{"port": _port(1 if secure else number, is_enabled=not secure)},
        **{"securePort": _port(number if secure else 1, is_enabled=secure)},
        "dataCenterInfo": {
            "@class": "com.netflix.appinfo.InstanceInfo$DefaultDataCenterInfo",
            "name": "MyOwn",
        },
        "leaseInfo": {"renewalIntervalInSecs": 1, "durationInSecs": LEASE_SECONDS},
        "metadata": {},
        **members,
    }
    return Instance(app, name, whole)


def register(registry: Registry, what: Instance, *, path: str | None = None) -> Answer:
    """Ask to register an instance; by another path than its application's where one is given."""
    body = json.dumps({"instance": what.members}).encode()
    return registry.ask("POST", path or f"{APPS}/{what.app}", body)


def registered(registry: Registry, what: Instance) -> None:
    """Register an instance. Raises AssertionError unless that is 204."""
    expect_status(register(registry, what), 204, f"registering {what.id}")


def renew(registry: Registry, what: Instance) -> Answer:
    """Send a heartbeat."""
    return registry.ask("PUT", what.path)


def deregister(registry: Registry, what: Instance) -> Answer:
    """Ask to take an instance out."""
    return registry.ask("DELETE", what.path)


def override(registry: Registry, what: Instance, status: str = "OUT_OF_SERVICE") -> Answer:
    """Ask for a status in the place of an instance's own."""
    return registry.ask("PUT", f"{what.path}/status?value={status}")


def end_override(registry: Registry, what: Instance, status: str = "UP") -> Answer:
    """Ask for the end of that."""
    return registry.ask("DELETE", f"{what.path}/status?value={status}")


def applications(registry: Registry, target: str = APPS) -> dict[str, list[dict[str, Any]]]:
    """All applications by their names, with their instances."""
    answer = registry.ask("GET", target)
    what = f"GET {target}"
    whole = _json_of(answer, what)
    entries = _entries(_member(whole, "applications", what), "application", what)
    found: dict[str, list[dict[str, Any]]] = {}
    for each in entries:
        name = _member(each, "name", what)
        expect(isinstance(name, str) and name not in found, f"a name of {what} is {name!r}")
        found[name] = _instances(each, name, what)
    return found


def application(registry: Registry, app: str = APP) -> list[dict[str, Any]]:
    """The instances of an application; none where it is not known."""
    target = f"{APPS}/{app}"
    answer = registry.ask("GET", target)
    if answer.status == 404:
        return []
    whole = _member(_json_of(answer, f"GET {target}"), "application", f"GET {target}")
    expect_equal(_member(whole, "name", target), app.upper(), f"the name of GET {target}")
    return _instances(whole, app.upper(), f"GET {target}")


def among_all(registry: Registry, app: str = APP) -> list[dict[str, Any]]:
    """The instances of an application as the list of all has them; none where it does not."""
    return applications(registry).get(app.upper(), [])


def ids(instances: list[dict[str, Any]]) -> set[str]:
    """The ids of what is listed. Raises AssertionError where one is there twice."""
    names = [str(each.get("instanceId")) for each in instances]
    expect_equal(len(set(names)), len(names), f"the number of ids among {sorted(names)[:5]}")
    return set(names)


def _port(number: int, *, is_enabled: bool) -> dict[str, object]:
    return {"$": number, "@enabled": "true" if is_enabled else "false"}


def _json_of(answer: Answer, what: str) -> Any:
    expect_status(answer, 200, what)
    media_type = (answer.value("content-type") or "").partition(";")[0].strip()
    expect_equal(media_type, "application/json", f"the media type of {what}")
    return read_json(answer.body)


def _instances(entry: Any, app: str, what: str) -> list[dict[str, Any]]:
    found = _entries(entry, "instance", f"{app} in {what}")
    expect(bool(found), f"{app} is in {what} without an instance")
    for each in found:
        is_of_it = isinstance(each, dict) and each.get("app") == app
        expect(is_of_it, f"an instance of {app} in {what} is {str(each)[:120]}")
    return found


def _entries(value: Any, name: str, what: str) -> list[Any]:
    entries = _member(value, name, what)
    if not isinstance(entries, list):
        raise AssertionError(f"{name} of {what} is {str(entries)[:120]}, not an array")  # noqa: TRY004
    return entries


def _member(value: Any, name: str, what: str) -> Any:
    if not isinstance(value, dict) or name not in value:
        raise AssertionError(f"{what} has no {name}: {str(value)[:120]}")
    return value[name]
