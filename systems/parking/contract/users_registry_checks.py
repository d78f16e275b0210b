"""U50 and U51: how `users` is listed in a registry, and what it does without one."""

import time
from contextlib import ExitStack
from functools import partial
from itertools import pairwise

from loadstone.contract import declare
from loadstone.contract.expect import expect, expect_equal
from loadstone.contract.scripts import never
from loadstone.contract.subject import Subject

from .lib.at_once import timed
from .lib.clock import expect_speed, wait_until
from .lib.objects import expect_status
from .lib.registry_requests import application, ids, registry_at
from .lib.users_operations import expect_well
from .lib.users_registry import RegistryScript, Told, expect_instance, expect_path, told
from .lib.users_service import HEALTH, SERVICE, STARTS_SECONDS, get, list_users

check = partial(declare.check, service=SERVICE, needs_stand=True, seconds=STARTS_SECONDS)
recorded = partial(check, needs_upstream=True)

LISTED_SECONDS = 3.5
"""2 s, and more for a machine that is busy."""
GONE_SECONDS = 1.5
"""1 s, and half of one more."""
STAYS_SECONDS = 12.0
"""Longer than a lease lasts that nobody renews."""
LATE_SECONDS = 2.5
"""Between two heartbeats, which are a second apart, on a busy machine."""
SILENT_SECONDS = 4.0
SERVED_SECONDS = 2.0
END_SECONDS = 6.0


@check("U50", "with eureka it is listed soon, stays while it lives, and is gone behind SIGTERM")
def listed(subject: Subject) -> None:
    registry = registry_at(subject.stand.url_of("registry"))
    with subject.stand.restarted({"REGISTRY": "eureka"}) as other:
        port = other.address[1]
        name = f"users-{port}"
        wait_until(
            lambda: name in ids(application(registry)), LISTED_SECONDS, f"that {name} is listed"
        )
        (instance,) = (each for each in application(registry) if each["instanceId"] == name)
        own, wrong = ("securePort", "port") if other.client.is_tls else ("port", "securePort")
        seen = instance["hostName"], instance["status"], instance[own]["$"]
        expect_equal(seen, ("127.0.0.1", "UP", port), "host, status and port that are listed")
        enabled = str(instance[own]["@enabled"]), str(instance[wrong]["@enabled"])
        expect_equal(enabled, ("true", "false"), f"whether {own} and {wrong} are enabled")
        end = time.monotonic() + STAYS_SECONDS
        while time.monotonic() < end:
            expect(name in ids(application(registry)), f"{name} is not listed although it lives")
            time.sleep(0.2)
        other.process.terminate()
        wait_until(
            lambda: name not in ids(application(registry)), GONE_SECONDS, f"that {name} is gone"
        )
        expect_equal(other.process.wait(END_SECONDS), 0, "the exit code")


@recorded("U50", "it registers as the SPEC says, sends heartbeats, and deregisters")
def registers(subject: Subject) -> None:
    registry = RegistryScript()
    subject.upstream.answer_with(registry)
    variables = {"REGISTRY": "eureka", "REGISTRY_URL": subject.upstream.url}
    with subject.stand.restarted(variables) as other:
        port = other.address[1]
        name = f"users-{port}"
        wait_until(lambda: registry.knows(name), LISTED_SECONDS, f"that {name} is registered")
        posts = told(subject, "POST")
        expect_equal(len(posts), 1, "the registrations of one start")
        expect_instance(posts[0].exchange, port, is_tls=other.client.is_tls)
        before = len(told(subject, "PUT"))
        time.sleep(SILENT_SECONDS)
        _expect_heartbeats(told(subject, "PUT")[before:], port)
        expect_equal(len(told(subject, "POST")), 1, "the registrations, with a registry that knows")
        # A registry that knows nobody says so, and is told again.
        registry.forget()
        spent = wait_until(lambda: registry.knows(name), LISTED_SECONDS, "another registration")
        posts = told(subject, "POST")
        expect_equal(len(posts), 2, f"the registrations, {spent:.1f} s behind a 404")
        expect_instance(posts[1].exchange, port, is_tls=other.client.is_tls)
        other.process.terminate()
        wait_until(lambda: not registry.knows(name), GONE_SECONDS, f"that {name} is gone")
        expect_equal(other.process.wait(END_SECONDS), 0, "the exit code")
    ends = told(subject, "DELETE")
    expect_equal(len(ends), 1, "the requests that deregister it")
    expect_path(ends[0], port)
    behind = [each for each in told(subject, "POST") if each.seconds > ends[0].seconds]
    expect_equal(len(behind), 0, "the registrations behind the end")


@recorded("U51", "while the registry is away, or fails, it serves, and is listed soon behind that")
def without_registry(subject: Subject) -> None:
    registry = RegistryScript()
    subject.upstream.answer_with(registry)
    variables = {"REGISTRY": "eureka", "REGISTRY_URL": subject.upstream.url}
    with subject.stand.restarted(variables) as other:
        name = f"users-{other.address[1]}"
        wait_until(lambda: registry.knows(name), LISTED_SECONDS, "a registration")
        with subject.upstream.killed():
            _expect_served(other, "while the registry is away")
            time.sleep(SILENT_SECONDS)
            _expect_served(other, "while the registry has been away for long")
            registry.forget()
        wait_until(lambda: registry.knows(name), LISTED_SECONDS, "a registration on its return")
        registry.fails = True
        time.sleep(SILENT_SECONDS)
        _expect_served(other, "while the registry fails")
        registry.forget()
        registry.fails = False
        wait_until(lambda: registry.knows(name), LISTED_SECONDS, "a registration behind failures")


@recorded("U51", "started while the registry is away, and with one that never answers, it serves")
def started_without(subject: Subject) -> None:
    registry = RegistryScript()
    subject.upstream.answer_with(registry)
    variables = {"REGISTRY": "eureka", "REGISTRY_URL": subject.upstream.url}
    with ExitStack() as away:
        away.enter_context(subject.upstream.killed())
        with subject.stand.restarted(variables) as other:
            _expect_served(other, "while no registry was ever there")
            expect_well(other, "while no registry was ever there")
            away.close()
            name = f"users-{other.address[1]}"
            wait_until(lambda: registry.knows(name), LISTED_SECONDS, "a registration")
            subject.upstream.answer_with(never)
            before = len(subject.upstream.exchanges)
            time.sleep(SILENT_SECONDS)
            _expect_served(other, "while the registry does not answer")
            asked = len(subject.upstream.exchanges) - before
            expect(asked > 1, f"a registry that does not answer is asked {asked} times")
            other.process.terminate()
            expect_equal(other.process.wait(END_SECONDS), 0, "the exit code")


def _expect_heartbeats(beats: list[Told], port: int) -> None:
    is_right = 2 <= len(beats) <= SILENT_SECONDS + 2
    expect(is_right, f"there were {len(beats)} heartbeats in {SILENT_SECONDS} s")
    for each in beats:
        expect_path(each, port)
    apart = [later.seconds - earlier.seconds for earlier, later in pairwise(beats)]
    expect_speed(max(apart) <= LATE_SECONDS, f"heartbeats are {max(apart):.1f} s apart")


def _expect_served(subject: Subject, when: str) -> None:
    answer, seconds = timed(partial(list_users, subject))
    expect_status(answer, 200, f"a list {when}")
    expect_speed(seconds <= SERVED_SECONDS, f"a list took {seconds:.1f} s {when}")
    expect_status(get(subject, HEALTH), 200, f"/health {when}")
