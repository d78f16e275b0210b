"""R1, R2, R4, R6 to R8 and R10: what a registry is asked, and what it lists.

The checks of the registry have applications of their own, so none sees another's leases run out.
"""

import json
import time
from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial
from secrets import token_hex
from typing import Any

from loadstone.contract import declare
from loadstone.contract.expect import expect, expect_equal
from loadstone.contract.subject import Subject

from .lib.objects import expect_status
from .lib.registry_requests import (
    APPS,
    LEASE_SECONDS,
    Instance,
    Registry,
    among_all,
    application,
    applications,
    deregister,
    end_override,
    ids,
    instance,
    override,
    register,
    registered,
    renew,
)

check = partial(declare.check, service="registry", seconds=60.0)

PORT = 8090
NO_BODIES = (
    *(
        b"nothing",
        b"{",
        b'{"instance":',
        b'{"instance"',
        b"\xff\xfe",
        b'{"instance":{"instanceId":',
    ),
    *(b"<instance/>", b"[" * 5_000, b'"', b'{"instance":{}}}}'),
)
SHOWN = ("instanceId", "hostName", "app", "ipAddr", "vipAddress", "status", "port", "securePort")
OVERRIDDEN_SECONDS = 4.0
"""More than a lease lasts, and the time for which it is looked for."""


@check("R1", "register is 204, a heartbeat 200, of an unknown id 404, and deregister 200")
def life(subject: Subject) -> None:
    registry, what = Registry(subject.address), _new()
    expect_status(renew(registry, what), 404, "a heartbeat before it is registered")
    expect_status(register(registry, what), 204, "registering")
    expect_equal(ids(application(registry, what.app)), {what.id}, "who is listed")
    for _ in range(3):
        expect_status(renew(registry, what), 200, "a heartbeat")
    query = f"{what.path}?status=UP&x=1"
    expect_status(registry.ask("PUT", query), 200, "a heartbeat with a query")
    expect_status(deregister(registry, what), 200, "deregistering")
    expect_status(renew(registry, what), 404, "a heartbeat once it is deregistered")
    expect_equal(application(registry, what.app), [], "who is listed then")
    expect_status(register(registry, what), 204, "registering once more")
    expect_status(renew(registry, what), 200, "a heartbeat then")
    expect_status(deregister(registry, what), 200, "deregistering then")


@check("R1", "an answer to a registration has no body, and says no more than its status")
def no_body(subject: Subject) -> None:
    registry = Registry(subject.address)
    with _there(registry) as what:
        answer = register(registry, what)
        expect_equal((answer.status, answer.body), (204, b""), "status and body of registering")
        expect_status(renew(registry, what), 200, "a heartbeat behind it")


@check("R2", "names of applications are without case, and shown in capitals")
def cases(subject: Subject) -> None:
    registry = Registry(subject.address)
    name = f"Check-{token_hex(4)}"
    what = instance(PORT, app=name, identifier=f"{name}-1")
    shown = name.upper()
    answer = register(registry, what, path=f"{APPS}/{name.lower()}")
    try:
        expect_status(answer, 204, "registering by small letters")
        for app in (name, name.lower(), shown):
            expect_equal(ids(application(registry, app)), {what.id}, f"who is listed of {app}")
            heartbeat = registry.ask("PUT", f"{APPS}/{app}/{what.id}")
            expect_status(heartbeat, 200, f"a heartbeat of {app}")
            path = f"{APPS}/{app}/{what.id}/status"
            expect_status(registry.ask("PUT", f"{path}?value=DOWN"), 200, f"an override of {app}")
            expect_status(registry.ask("DELETE", f"{path}?value=UP"), 200, f"its end of {app}")
        found = applications(registry)
        same = [each for each in found if each.upper() == shown]
        expect_equal(same, [shown], "the names of the application in the list of all")
        expect_equal(found[shown][0].get("app"), shown, "app of its instance")
    finally:
        answer = registry.ask("DELETE", f"{APPS}/{name.lower()}/{what.id}")
    expect_status(answer, 200, "deregistering by small letters")


@check("R4", "an override is shown, survives heartbeats, and ends with its DELETE")
def overrides(subject: Subject) -> None:
    registry = Registry(subject.address)
    with _there(registry) as what:
        for status in ("OUT_OF_SERVICE", "DOWN"):
            expect_status(override(registry, what, status), 200, f"the override {status}")
            end = time.monotonic() + OVERRIDDEN_SECONDS
            while time.monotonic() < end:
                _expect_status_of(registry, what, status, "while it is overridden")
                expect_status(renew(registry, what), 200, "a heartbeat while it is overridden")
                time.sleep(0.5)
            says_up = registry.ask("PUT", f"{what.path}?status=UP")
            expect_status(says_up, 200, "a heartbeat that says UP")
            _expect_status_of(registry, what, status, "behind a heartbeat that says UP")
            expect_status(end_override(registry, what), 200, f"the end of the override {status}")
            _expect_status_of(registry, what, "UP", "behind the end of an override")
            expect_status(renew(registry, what), 200, "a heartbeat behind it")
            _expect_status_of(registry, what, "UP", "behind a heartbeat behind it")


@check("R6", "status, override, heartbeat and DELETE of what is not known are 404")
def not_known(subject: Subject) -> None:
    registry = Registry(subject.address)
    with _there(registry) as there:
        other = Instance(there.app, f"{there.id}-other", there.members)
        for what in (other, _new()):
            for said, answer in {
                "a heartbeat": renew(registry, what),
                "an override": override(registry, what),
                "the end of an override": end_override(registry, what),
                "deregistering": deregister(registry, what),
            }.items():
                expect_status(answer, 404, f"{said} of what is not known")
        expect_equal(ids(application(registry, there.app)), {there.id}, "who is listed behind them")
        _expect_status_of(registry, there, "UP", "behind them")


@check("R6", "an application without instances is 404, and no list has it")
def without_instances(subject: Subject) -> None:
    registry = Registry(subject.address)
    unknown = _new()
    for app in (unknown.app, unknown.app.lower()):
        answer = registry.ask("GET", f"{APPS}/{app}")
        expect_status(answer, 404, "an application that never was")
    with _there(registry) as what:
        expect(what.app in applications(registry), "an application is not in the list of all")
    answer = registry.ask("GET", f"{APPS}/{what.app}")
    expect_status(answer, 404, "an application whose instance has left")
    names = set(applications(registry))
    expect(not names & {what.app, unknown.app}, "an application without instances is in the list")


@check("R7", "lists are JSON, an array also where there is one entry, with a slash or without")
def lists(subject: Subject) -> None:
    registry = Registry(subject.address)
    with _there(registry) as what:
        for target in (APPS, f"{APPS}/"):
            found = applications(registry, target)
            expect_equal(ids(found.get(what.app, [])), {what.id}, f"who is listed by {target}")
        expect_equal(len(application(registry, what.app)), 1, "the instances of its application")
        second = instance(PORT + 1, app=what.app)
        registered(registry, second)
        try:
            both = {what.id, second.id}
            expect_equal(ids(application(registry, what.app)), both, "who is listed of two")
            expect_equal(ids(among_all(registry, what.app)), both, "who is listed of two among all")
        finally:
            deregister(registry, second)
        expect_equal(ids(application(registry, what.app)), {what.id}, "who is listed at the end")


@check("R7", "members that were registered come back")
def members(subject: Subject) -> None:
    registry = Registry(subject.address)
    for secure in (False, True):
        metadata = {"zone": token_hex(4), "some.key": "a value"}
        what = _new(secure=secure, metadata=metadata, homePageUrl="http://127.0.0.1:1/")
        with _there(registry, what):
            listed = {
                "its application": _only(application(registry, what.app)),
                "all": _only(among_all(registry, what.app)),
            }
            for where, found in listed.items():
                for name in SHOWN:
                    _expect_member(found, name, what.members[name], where)
                shown = found.get("metadata")
                kept = isinstance(shown, dict) and metadata.items() <= shown.items()
                expect(kept, f"metadata in the list of {where} is {str(shown)[:80]}")
                lease = found.get("leaseInfo")
                seconds = lease.get("durationInSecs") if isinstance(lease, dict) else None
                expect_equal(seconds, LEASE_SECONDS, f"durationInSecs in the list of {where}")


@check("R8", "to register again replaces: there is one instance of an id")
def replaces(subject: Subject) -> None:
    registry = Registry(subject.address)
    with _there(registry) as what:
        for port in (PORT + 10, PORT + 11):
            again = instance(port, app=what.app, identifier=what.id, metadata={"port": str(port)})
            registered(registry, again)
            found = _only(application(registry, what.app))
            _expect_member(found, "port", again.members["port"], "its application")
            expect_equal(ids(among_all(registry, what.app)), {what.id}, "who is listed among all")
        expect_status(deregister(registry, what), 200, "deregistering it once")
        expect_equal(application(registry, what.app), [], "who is listed then")
        registered(registry, what)


@check("R8", "two applications may have instances of the same id")
def same_id_elsewhere(subject: Subject) -> None:
    registry = Registry(subject.address)
    with _there(registry) as what:
        other = _new(identifier=what.id)
        with _there(registry, other):
            for each in (what, other):
                expect_equal(ids(application(registry, each.app)), {what.id}, "who is listed")
        expect_equal(ids(application(registry, what.app)), {what.id}, "who is left")
        expect_equal(application(registry, other.app), [], "who is left of the other")


@check("R10", "a body that is no JSON registers nothing, and the next request is served")
def no_json(subject: Subject) -> None:
    registry, what = Registry(subject.address), _new()
    cut = json.dumps({"instance": what.members}).encode()[:-3]
    for body in (*NO_BODIES, cut):
        answer = registry.ask("POST", f"{APPS}/{what.app}", body)
        expect(answer.status >= 400, f"the status of {body[:20]!r} is {answer.status}")
        expect_equal(application(registry, what.app), [], f"who is listed behind {body[:20]!r}")
    with _there(registry, what):
        expect_equal(ids(application(registry, what.app)), {what.id}, "who is listed at last")


@check("R10", "a registration without a body registers nothing, and the next request is served")
def without_a_body(subject: Subject) -> None:
    registry, what = Registry(subject.address), _new()
    for body in (None, b""):
        answer = registry.ask("POST", f"{APPS}/{what.app}", body)
        expect(answer.status >= 400, f"the status without a body is {answer.status}")
        expect_equal(application(registry, what.app), [], "who is listed behind it")
    with _there(registry, what):
        expect_equal(ids(application(registry, what.app)), {what.id}, "who is listed at last")


def _new(**members: Any) -> Instance:
    """An instance of an application that nobody has."""
    return instance(PORT, app=f"CHECK-{token_hex(4).upper()}", **members)


@contextmanager
def _there(registry: Registry, what: Instance | None = None) -> Iterator[Instance]:
    """One that is registered for the length of the block; it may leave earlier."""
    whom = what or _new()
    registered(registry, whom)
    try:
        yield whom
    finally:
        deregister(registry, whom)


def _only(found: list[dict[str, Any]]) -> dict[str, Any]:
    expect_equal(len(found), 1, "the number of instances that are listed")
    return found[0]


def _expect_status_of(registry: Registry, what: Instance, status: str, when: str) -> None:
    for found in (application(registry, what.app), among_all(registry, what.app)):
        seen = {str(each.get("instanceId")): each.get("status") for each in found}
        expect_equal(seen.get(what.id), status, f"the status {when}")


def _expect_member(found: dict[str, Any], name: str, wanted: object, where: str) -> None:
    """Expect a member as it was sent; a port is a number and a word, and may have more."""
    shown = found.get(name)
    if isinstance(wanted, dict) and isinstance(shown, dict):
        shown = {key: shown.get(key) for key in wanted}
    expect_equal(shown, wanted, f"{name} in the list of {where}")
