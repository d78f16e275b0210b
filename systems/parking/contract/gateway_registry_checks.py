"""G18, G21, G24 and G41: how the gateway finds instances, and what it does while there is none."""

import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from functools import partial
from typing import Any

from loadstone.contract import declare
from loadstone.contract.expect import expect, expect_equal
from loadstone.contract.scripts import Script, close_unanswered, fixed, never
from loadstone.contract.subject import Subject
from loadstone.contract.upstream import RecordingUpstream

from .lib.at_once import timed
from .lib.clock import expect_speed, undisturbed
from .lib.gateway_answers import expect_refused
from .lib.gateway_instances import (
    WELL_SECONDS,
    Registered,
    arrived,
    forget,
    instance_at,
    recorders,
    static,
    warm,
)
from .lib.gateway_load import failures, offered
from .lib.gateway_service import (
    HEALTH,
    REGISTRY,
    STARTS_SECONDS,
    ask,
    expect_none_arrived,
    get,
    settle,
    status_of,
    wait_for_status,
)
from .lib.objects import JSON, expect_status, value_of
from .lib.registry_requests import (
    APPS,
    Instance,
    Registry,
    end_override,
    instance,
    override,
    registry_at,
)
from .lib.registry_small import SmallRegistry

check = partial(declare.check, needs_upstream=True, needs_stand=True, seconds=STARTS_SECONDS)

FOLLOW_SECONDS = 3.0
TOLD_SECONDS = 1.0
AWAY_SECONDS = 30.0
AWAY_RATE = 5.0
WATCHED_SECONDS = 5.0
LEAST_ASKED, MOST_ASKED = 2, 6
"""In 5 s, once a second and the time of the answer; a busy machine may take longer."""
BACK_SECONDS = 4.0
"""2 s for which an instance is left out, and two more."""
NO_LISTS = (b"nothing", b"", b"{", b"[]", b"null", b'{"applications":', b"<applications/>")


@check("G18", "a new instance has traffic 3 s after it registered, one that left has none")
def follows_the_registry(subject: Subject) -> None:
    undisturbed(partial(_expect_followed, subject))


@check("G18", "only instances of USERS that are UP have traffic, at the port that is enabled")
def ignores_others(subject: Subject) -> None:
    with recorders(subject, 5) as instances, SmallRegistry() as registry:
        right, other_app, starting, down, closed = instances
        secure = subject.upstream_protocol.is_tls
        disabled = {"$": _port(closed), "@enabled": "false"}
        registry.show(
            _told(right, secure, metadata={"zone": "a"}, countryId=1, overriddenStatus="UNKNOWN"),
            _told(other_app, secure, app="PARKS"),
            _told(starting, secure, status="STARTING"),
            _told(down, secure, status="DOWN"),
            _told(closed, secure, "USERS", **{"securePort" if secure else "port": disabled}),
        )
        with _finding(subject, registry) as other:
            warm(other, "with one instance of its service")
            forget(instances)
            for _ in range(20):
                expect_status(get(other), 200, "a GET")
            expect_equal(arrived(instances), [20, 0, 0, 0, 0], "the requests at the instances")


@check("G18", "with static the registry is not asked, with eureka STATIC_INSTANCES is not used")
def one_or_the_other(subject: Subject) -> None:
    with recorders(subject, 1) as instances, SmallRegistry() as registry:
        with subject.stand.restarted({"REGISTRY_URL": registry.url}, unready=True) as other:
            warm(other, "with static instances")
            time.sleep(2.0)
            expect_equal(len(registry.recorder.exchanges), 0, "requests at the registry")
        subject.upstream.forget()
        registry.show(*map(instance_at, instances))
        with _finding(subject, registry) as other:
            warm(other, "with an instance at the registry")
            registry.show()
            wait_for_status(other, 503, FOLLOW_SECONDS + 1.0, "with an empty list")
        expect_none_arrived(subject, "a gateway that finds by the registry")


@check("G21", "without an instance it is 503 in time, and well 3 s after one is there")
def without_an_instance(subject: Subject) -> None:
    undisturbed(partial(_expect_none_and_then_one, subject))


@check("G21", "while the only instance refuses it is told in time, and well 3 s after its return")
def only_one_refuses(subject: Subject) -> None:
    try:
        with subject.upstream.away(subject.deadline):
            for _ in range(5):
                answer, seconds = timed(partial(get, subject))
                code = "upstream" if answer.status == 502 else "unavailable"
                expect_refused(subject, answer, code, "of an instance that refuses")
                expect(seconds <= 2 * TOLD_SECONDS, f"it took {seconds:.1f} s to tell")
                value_of(get(subject, HEALTH, token=None), 200, "/health meanwhile")
        _, seconds = timed(partial(settle, subject))
        expect(seconds <= BACK_SECONDS, f"an instance that is back is asked after {seconds:.1f} s")
    finally:
        settle(subject)


@check("G24", "the registry is away for 30 s, and routing goes on")
def registry_away(subject: Subject) -> None:
    with recorders(subject, 2) as instances, SmallRegistry() as registry:
        registry.show(*map(instance_at, instances))
        with _finding(subject, registry) as other:
            warm(other, "with two instances at the registry")
            forget(instances)
            with (
                registry.recorder.away(subject.deadline),
                offered(AWAY_RATE, lambda _: get(other)) as found,
            ):
                time.sleep(AWAY_SECONDS)
                value_of(get(other, HEALTH, token=None), 200, "/health while the registry is away")
            failed = failures(found, 200)
            expect(
                not failed, f"{len(failed)} of {len(found)} fail meanwhile, such as {failed[:2]}"
            )
            expect(min(arrived(instances)) > 0, f"the instances received {arrived(instances)}")
            undisturbed(partial(_expect_next_list, other, registry, instances))


@check("G24", "the registry is away at the start: /health is 503 until it comes")
def registry_away_at_the_start(subject: Subject) -> None:
    undisturbed(partial(_expect_up_once_it_comes, subject))


@check("G24", "while no right list comes the last one stays, and each request is limited to 1 s")
def registry_wrong(subject: Subject) -> None:
    wrong: dict[str, Script] = {
        "that never answers": never,
        "that answers 500": fixed(500, [JSON], b'{"applications":{"application":[]}}'),
        "that answers 404": fixed(404),
        "that ends connections": close_unanswered,
        **{f"that answers {each!r}": fixed(200, [JSON], each) for each in NO_LISTS},
    }
    with recorders(subject, 2) as instances, SmallRegistry() as registry:
        registry.show(*map(instance_at, instances))
        with _finding(subject, registry) as other:
            warm(other, "with two instances at the registry")
            for what, script in wrong.items():
                registry.be_wrong(script)
                time.sleep(FOLLOW_SECONDS if script is never else 1.5)
                forget(instances)
                for _ in range(6):
                    expect_status(get(other), 200, f"a GET beside a registry {what}")
                expect(min(arrived(instances)) > 0, f"an instance is lost by a registry {what}")
                value_of(get(other, HEALTH, token=None), 200, f"/health by a registry {what}")
            registry.be_right()
            undisturbed(partial(_expect_next_list, other, registry, instances))
            registry.be_wrong(never)
            undisturbed(partial(_expect_asked_again, registry))
            registry.be_right()
            undisturbed(partial(_expect_next_list, other, registry, instances))


@check("G24", "the registry is asked once a second for JSON, and for nothing else")
def asks_the_registry(subject: Subject) -> None:
    with recorders(subject, 1) as instances, SmallRegistry() as registry:
        registry.show(*map(instance_at, instances))
        with _finding(subject, registry) as other:
            warm(other, "with an instance at the registry")
            undisturbed(partial(_expect_asked_again, registry))
        for exchange in registry.recorder.exchanges:
            expect_equal(exchange.method, "GET", "what the registry is asked")
            target = exchange.target
            expect(target in (APPS, f"{APPS}/"), f"the registry is asked for {target}")
            accepted = ", ".join(exchange.head.values("accept"))
            expect("application/json" in accepted, f"Accept at the registry is {accepted!r}")


@check("G41", "started while its instance is away it lives, and serves once that comes")
def started_without_an_instance(subject: Subject) -> None:
    upstream = subject.upstream
    late = RecordingUpstream(upstream.protocol, upstream.material)
    told = static(late.authority, scheme=upstream.protocol.scheme)
    with subject.stand.restarted(told, unready=True) as other:
        for _ in range(4):
            for method in ("GET", "POST"):
                answer = ask(other, method, "/users")
                code = "upstream" if answer.status == 502 else "unavailable"
                expect_refused(other, answer, code, f"of {method} without an instance")
            value_of(get(other, HEALTH, token=None), 200, "/health without an instance")
            time.sleep(0.7)
        expect(other.process.is_running(), "it ended without an instance")
        with late:
            wait_for_status(other, 200, WELL_SECONDS, "once its instance is there")


@check("G41", "started with an empty registry it lives, and serves once an instance is there")
def started_with_an_empty_registry(subject: Subject) -> None:
    with (
        recorders(subject, 1) as instances,
        SmallRegistry() as registry,
        _finding(subject, registry) as other,
    ):
        wait_for_status(other, 200, WELL_SECONDS, "with an empty list", HEALTH)
        expect_refused(other, get(other), "unavailable", "with an empty list")
        expect(other.process.is_running(), "it ended without an instance")
        registry.show(*map(instance_at, instances))
        wait_for_status(other, 200, WELL_SECONDS, "once an instance is at the registry")


@contextmanager
def _finding(subject: Subject, registry: SmallRegistry | None = None) -> Iterator[Subject]:
    """A gateway that finds instances by this registry, or by the real one; it need not serve yet."""
    variables = {"REGISTRY": "eureka"}
    if registry is not None:
        variables["REGISTRY_URL"] = registry.url
    with subject.stand.restarted(variables, unready=True) as other:
        yield other


def _port(recorder: RecordingUpstream) -> int:
    return int(recorder.authority.rpartition(":")[2])


def _told(
    recorder: RecordingUpstream, secure: bool, app: str = "USERS", **members: Any
) -> Instance:
    return instance(_port(recorder), app=app, secure=secure, **members)


def _real_registry(subject: Subject) -> Registry:
    return registry_at(subject.stand.url_of(REGISTRY))


def _expect_followed(subject: Subject) -> None:
    registry = _real_registry(subject)
    with (
        recorders(subject, 3) as instances,
        Registered(registry, instances[0]),
        Registered(registry, instances[1]) as second,
        _finding(subject) as other,
    ):
        warm(other, "with two instances at the registry")
        _expect_traffic(other, instances, "11-", "with two instances")
        with Registered(registry, instances[2]) as third:
            _expect_traffic(other, instances, "111", "behind a third one registered")
            answer = override(registry, third.instance)
            expect_status(answer, 200, "an override at the registry")
            _expect_traffic(other, instances, "110", "behind it is OUT_OF_SERVICE")
            answer = end_override(registry, third.instance)
            expect_status(answer, 200, "the end of an override at the registry")
            _expect_traffic(other, instances, "111", "behind it is UP again")
            second.leave()
            _expect_traffic(other, instances, "101", "behind one left")
        _expect_traffic(other, instances, "100", "behind another one left")
    expect_none_arrived(subject, "a gateway that finds by the registry")


def _expect_traffic(
    subject: Subject, instances: Sequence[RecordingUpstream], wanted: str, when: str
) -> None:
    """Expect, after the time in which the gateway follows, which of them have traffic: 1, 0, or -."""
    time.sleep(FOLLOW_SECONDS)
    forget(instances)
    for _ in range(10 * len(instances)):
        expect_status(get(subject), 200, f"a GET {when}")
    counts = arrived(instances)
    for count, mark in zip(counts, wanted, strict=True):
        is_right = mark == "-" or (count > 0) == (mark == "1")
        expect_speed(is_right, f"3 s {when}, the instances receive {counts}")


def _expect_none_and_then_one(subject: Subject) -> None:
    registry = _real_registry(subject)
    with recorders(subject, 1) as (one,), _finding(subject) as other:
        wait_for_status(other, 200, WELL_SECONDS, "once it has a list", HEALTH)
        _expect_unavailable(other, "before there is an instance")
        for _ in range(2):
            with Registered(registry, one):
                wait_for_status(other, 200, FOLLOW_SECONDS, "behind an instance is there")
            time.sleep(FOLLOW_SECONDS)
            _expect_unavailable(other, "behind the instance is gone")


def _expect_unavailable(subject: Subject, when: str) -> None:
    for method in ("GET", "POST"):
        answer, seconds = timed(partial(ask, subject, method, "/users"))
        expect_speed(answer.status != 200, f"it is served {when}")
        expect_refused(subject, answer, "unavailable", when)
        expect_speed(seconds <= TOLD_SECONDS, f"it took {seconds:.1f} s to tell {when}")
    value_of(get(subject, HEALTH, token=None), 200, f"/health {when}")


def _expect_next_list(
    subject: Subject, registry: SmallRegistry, instances: Sequence[RecordingUpstream]
) -> None:
    """Expect that the next list of a registry that is back is followed, and the one behind it."""
    first, second = instances
    registry.show(instance_at(first))
    _expect_traffic(subject, instances, "10", "behind a list without the second one")
    registry.show(instance_at(first), instance_at(second))
    _expect_traffic(subject, instances, "11", "behind a list of both")


def _expect_up_once_it_comes(subject: Subject) -> None:
    registry = SmallRegistry()
    with recorders(subject, 1) as instances, _finding(subject, registry) as other:
        for _ in range(3):
            answer = get(other, HEALTH, token=None)
            expect_refused(other, answer, "unavailable", "of /health without a list")
            expect_refused(other, get(other), "unavailable", "of a GET without a list")
            answer = get(other, token=None)
            expect_refused(other, answer, "token-missing", "of a GET without a token")
            time.sleep(0.7)
        registry.show(*map(instance_at, instances))
        with registry:
            wait_for_status(other, 200, FOLLOW_SECONDS, "once the registry comes", HEALTH)
            wait_for_status(other, 200, FOLLOW_SECONDS, "once the registry comes")
            with registry.recorder.away(subject.deadline):
                time.sleep(2.0)
                expect_equal(status_of(other, HEALTH), 200, "/health while it is away again")


def _expect_asked_again(registry: SmallRegistry) -> None:
    before = len(registry.recorder.exchanges)
    time.sleep(WATCHED_SECONDS)
    asked = len(registry.recorder.exchanges) - before
    shown = f"the registry was asked {asked} times in {WATCHED_SECONDS:g} s"
    expect(asked <= MOST_ASKED, shown)
    expect_speed(asked >= LEAST_ASKED, shown)
