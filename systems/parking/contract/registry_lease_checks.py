"""R3, R5 and R9: how long a lease lasts, and what is known behind a restart."""

import time
from contextlib import suppress
from functools import partial
from secrets import token_hex

from loadstone.contract import declare
from loadstone.contract.expect import expect, expect_equal
from loadstone.contract.faults import ServiceFault
from loadstone.contract.subject import Subject

from .lib.clock import expect_speed, undisturbed, wait_until
from .lib.objects import expect_status
from .lib.registry_requests import (
    APP,
    GONE_SECONDS,
    LEASE_SECONDS,
    Instance,
    Registry,
    among_all,
    application,
    applications,
    deregister,
    ids,
    instance,
    registered,
    renew,
)
from .lib.registry_small import SmallRegistry

check = partial(declare.check, service="registry", seconds=120.0)
with_stand = partial(check, needs_stand=True, seconds=240.0)

RENEWED_SECONDS = 12.0
"""Longer than any lease of 3 s lasts that nobody renews."""
SHORT_POLL_SECONDS = 0.1
TICK_SECONDS = 0.1
"""Between a registration and its answer."""
MANY = 50
BACK_SECONDS = 2.0
END_SECONDS = 6.0
START_SECONDS = 60.0


@check(
    "R3", "a lease that is silent is gone within 9 s, and not within 3; one with heartbeats stays"
)
def leases(subject: Subject) -> None:
    undisturbed(partial(_expect_leases, subject))


@check("R3", "what was renewed last lasts as long from then on")
def renewed_leases(subject: Subject) -> None:
    undisturbed(partial(_expect_lease_from_the_last_renewal, subject))


@check("R9", "50 instances are listed, and all that are silent go within 9 s")
def many(subject: Subject) -> None:
    undisturbed(partial(_expect_many, subject))


@with_stand("R5", "behind a restart, by SIGTERM or a kill, a heartbeat is 404: nothing is kept")
def forgets(subject: Subject) -> None:
    what = instance(8090, app=_app())
    for kills in (False, True):
        with subject.stand.restarted() as other:
            registry = Registry(other.address)
            registered(registry, what)
            expect_status(renew(registry, what), 200, "a heartbeat")
            if kills:
                other.process.kill()
            else:
                other.process.terminate()
                other.process.wait(END_SECONDS)
        with subject.stand.restarted() as other:
            registry = Registry(other.address)
            expect_status(renew(registry, what), 404, "a heartbeat behind a restart")
            expect_equal(applications(registry), {}, "what is known behind a restart")
            registered(registry, what)
            expect_equal(ids(application(registry, what.app)), {what.id}, "who is listed then")


@declare.check(
    "R5",
    "an instance of users whose heartbeat is 404 is back within 2 s",
    service="users",
    needs_stand=True,
    seconds=240.0,
)
def comes_back(subject: Subject) -> None:
    with SmallRegistry() as registry:
        variables = {"REGISTRY": "eureka", "REGISTRY_URL": registry.url}
        with subject.stand.restarted(variables, unready=True) as other:
            wanted = f"users-{other.address[1]}"
            _wait_for_users(registry, wanted, START_SECONDS)
            undisturbed(partial(_expect_back, registry, wanted))
            # Also behind a registry that was away meanwhile, as one that is restarted is.
            undisturbed(partial(_expect_back_behind_a_restart, other, registry, wanted))


def _app() -> str:
    return f"CHECK-{token_hex(4).upper()}"


def _is_there(registry: Registry, what: Instance) -> bool:
    return what.id in ids(application(registry, what.app))


def _expect_leases(subject: Subject) -> None:
    registry = Registry(subject.address)
    silent, renewed = instance(8090, app=_app()), instance(8091, app=_app())
    registered(registry, renewed)
    registered(registry, silent)
    began = time.monotonic()
    try:
        gone_after: float | None = None
        while (spent := time.monotonic() - began) < RENEWED_SECONDS:
            is_there = _is_there(registry, silent)
            if not is_there and gone_after is None:
                gone_after = spent
                shown = f"a silent lease is gone behind {spent:.1f} s"
                expect(spent >= LEASE_SECONDS - TICK_SECONDS, shown)
            expect(not is_there or gone_after is None, "a lease that was gone is there again")
            if spent > GONE_SECONDS:
                expect_speed(not is_there, f"a silent lease is there behind {spent:.1f} s")
            asked = time.monotonic()
            status = renew(registry, renewed).status
            expect_speed(status == 200, f"a heartbeat each moment is {status} behind {spent:.1f} s")
            expect(_is_there(registry, renewed), "a lease with heartbeats is gone")
            time.sleep(max(0.0, asked + 2 * SHORT_POLL_SECONDS - time.monotonic()))
        expect(gone_after is not None, f"a silent lease is there behind {RENEWED_SECONDS:g} s")
        expect_status(renew(registry, silent), 404, "a heartbeat of a lease that is gone")
    finally:
        for each in (silent, renewed):
            with suppress(OSError, ServiceFault):
                deregister(registry, each)


def _expect_lease_from_the_last_renewal(subject: Subject) -> None:
    registry, what = Registry(subject.address), instance(8090, app=_app())
    registered(registry, what)
    try:
        for _ in range(5):
            time.sleep(1.0)
            expect_status(renew(registry, what), 200, "a heartbeat a second")
        renewed = time.monotonic()
        while _is_there(registry, what):
            spent = time.monotonic() - renewed
            expect_speed(spent <= GONE_SECONDS, f"it is there {spent:.1f} s behind its heartbeat")
            time.sleep(SHORT_POLL_SECONDS)
        spent = time.monotonic() - renewed
        shown = f"it is gone {spent:.1f} s behind its heartbeat"
        expect(spent >= LEASE_SECONDS - TICK_SECONDS, shown)
    finally:
        with suppress(OSError, ServiceFault):
            deregister(registry, what)


def _expect_many(subject: Subject) -> None:
    registry, app = Registry(subject.address), _app()
    there = [instance(9000 + number, app=app) for number in range(MANY)]
    kept, silent = there[0], {each.id for each in there[1:]}
    try:
        for each in there:
            registered(registry, each)
        registered_at = time.monotonic()
        wanted = {each.id for each in there}
        for each in there:
            expect_status(renew(registry, each), 200, "a heartbeat of one of 50")
        spent = time.monotonic() - registered_at
        expect_speed(spent < LEASE_SECONDS / 2, f"50 heartbeats took {spent:.1f} s")
        expect_equal(ids(application(registry, app)), wanted, "who is listed of 50")
        expect_equal(ids(among_all(registry, app)), wanted, "who is listed of 50 among all")
        began = time.monotonic()
        while time.monotonic() - began <= GONE_SECONDS:
            expect_status(renew(registry, kept), 200, "a heartbeat of the one that is not silent")
            time.sleep(2 * SHORT_POLL_SECONDS)
        left = ids(application(registry, app))
        expect_speed(not left & silent, f"{len(left & silent)} silent ones are there behind 9 s")
        expect(kept.id in left, "the one with heartbeats is gone")
    finally:
        for each in there:
            with suppress(OSError, ServiceFault):
                deregister(registry, each)


def _wait_for_users(registry: SmallRegistry, wanted: str, seconds: float) -> None:
    wait_until(lambda: wanted in registry.known(APP), seconds, f"the registration of {wanted}")


def _expect_back(registry: SmallRegistry, wanted: str) -> None:
    registry.show()
    began = time.monotonic()
    _wait_for_users(registry, wanted, BACK_SECONDS)
    spent = time.monotonic() - began
    expect_speed(spent <= BACK_SECONDS, f"it is back after {spent:.1f} s")
    expect_equal(set(registry.known(APP)), {wanted}, "who is registered")


def _expect_back_behind_a_restart(subject: Subject, registry: SmallRegistry, wanted: str) -> None:
    with registry.recorder.away(subject.deadline):
        registry.show()
        time.sleep(LEASE_SECONDS)
    _wait_for_users(registry, wanted, BACK_SECONDS)
