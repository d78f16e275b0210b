"""K1 to K7: many callers at the same rows."""

from collections import Counter
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from itertools import pairwise
from secrets import token_hex
from typing import Any

from loadstone.contract import declare
from loadstone.contract.client import Answer
from loadstone.contract.expect import expect, expect_equal
from loadstone.contract.stand import HandFailed
from loadstone.contract.subject import Subject

from .lib.accounts import account, log_in, sign_up
from .lib.at_once import at_once, patiently, timed
from .lib.clock import expect_speed, undisturbed
from .lib.database import wait_for_statements
from .lib.instants import at, later
from .lib.operations import expect_well, settle, warm
from .lib.pages import all_pages
from .lib.problems import expect_problem
from .lib.scenes import Scene, decide, new_scene, reserve
from .lib.seed import player
from .lib.service import (
    ACCOUNTS,
    CLUBS,
    DATABASE,
    MANY_SECONDS,
    RESERVATIONS,
    STARTS_SECONDS,
    expect_status,
    get,
    post,
)
from .lib.shapes import RESERVATION, object_of, value_of
from .lib.tokens import PLAYER, Caller, caller

check = partial(declare.check, operation="reserve", seconds=MANY_SECONDS)
with_stand = partial(check, needs_stand=True, seconds=STARTS_SECONDS)

MANY = 50
TIMES = 3
K1_SECONDS = 5.0
DECISIONS = 20
HALF_HOURS_A_DAY = 48
ATTEMPTS = 10
"""At a deadlock that the service's side meets: which side does is a matter of milliseconds."""


@check("K1", "of 50 reservations of one slot at once exactly one is 201")
def one_of_many(subject: Subject) -> None:
    scene = new_scene(subject)
    warm(subject)
    # The first of their kind may be slow, and what waits for them be told so.
    at_once(_rivals(scene, scene.slot()))
    for _ in range(TIMES):
        undisturbed(partial(_expect_one_of_many, scene))


@check("K2", "50 reservations of 50 slots at once are all 201")
def all_of_many(subject: Subject) -> None:
    scene = new_scene(subject)
    warm(subject)
    for number in range(1 + TIMES):
        calls: list[Callable[[], Answer]] = [
            partial(scene.reserve, scene.slot(), player=each) for each in _players()
        ]
        if number == 0:  # the first of its kind may be slow, and what waits for it be told so
            calls = [partial(patiently, call) for call in calls]
        for answer in at_once(calls):
            expect_status(answer, 201, "one of 50 reservations of 50 slots")
    there = _there(scene)
    slots = {each["starts_at"] for each in there}
    expect_equal((len(slots), len(there)), ((1 + TIMES) * MANY,) * 2, "slots and reservations")


@check("K3", "of 50 who accept one reservation at once exactly one is 200")
def one_acceptance(subject: Subject) -> None:
    scene = new_scene(subject)
    warm(subject)
    for number in range(1 + TIMES):
        made = scene.reserved()
        calls = [partial(decide, subject, scene.owner, made["id"], "accept")] * MANY
        answers = at_once(calls)
        if number == 0:  # the first of its kind may be slow, and what waits for it be told so
            continue
        _expect_one(answers, 200, "wrong-state")
        winner = next(answer for answer in answers if answer.status == 200)
        found = object_of(winner, 200, RESERVATION, "the acceptance", status="accepted")
        expect_equal(scene.now(made["id"]), found, "the reservation behind it")


@check("K4", "of accept and reject at once one is 200 and one 409, and that one holds")
def acceptance_or_rejection(subject: Subject) -> None:
    scene = new_scene(subject)
    warm(subject, 2)
    for _ in range(DECISIONS):
        made = scene.reserved()
        decisions = ("accept", "reject")
        calls = [partial(decide, subject, scene.owner, made["id"], each) for each in decisions]
        answers = at_once(calls)
        statuses = sorted(answer.status for answer in answers)
        expect_equal(statuses, [200, 409], "the statuses of accept and reject")
        for answer, state in zip(answers, ("accepted", "rejected"), strict=True):
            if answer.status == 200:
                found = object_of(answer, 200, RESERVATION, "the decision", status=state)
                expect_equal(scene.now(made["id"]), found, "the reservation behind it")
            else:
                expect_problem(answer, "wrong-state", f"of what was not {state}")


@check("K4", "a cancellation beside a decision leaves a state that the answers tell", seconds=60.0)
def cancellation_beside(subject: Subject) -> None:
    scene = new_scene(subject)
    for _ in range(DECISIONS):
        made = scene.reserved()["id"]
        calls = [
            partial(decide, subject, scene.owner, made, "reject"),
            partial(decide, subject, scene.player, made, "cancel"),
        ]
        rejected, cancelled = (answer.status for answer in at_once(calls))
        expect_equal(sorted((rejected, cancelled)), [200, 409], "reject and cancel")
        state = "rejected" if rejected == 200 else "cancelled"
        expect_equal(scene.now(made)["status"], state, "the state behind them")


@check("K5", "of 50 who sign up by one address at once exactly one is 201", seconds=60.0)
def one_address(subject: Subject) -> None:
    warm(subject)
    for _ in range(TIMES):
        body = account()
        variants = (str(body["email"]), str(body["email"]).upper())
        calls = [
            partial(
                patiently,
                partial(
                    post,
                    subject,
                    ACCOUNTS,
                    None,
                    {**body, "email": variants[number % 2], "password": f"password-{number}"},
                ),
            )
            for number in range(MANY)
        ]
        answers = at_once(calls)
        _expect_one(answers, 201, "email-taken")
        winner = next(number for number, answer in enumerate(answers) if answer.status == 201)
        answer = log_in(subject, body["email"], f"password-{winner}")
        expect_status(answer, 200, "logging in by the password of the one")


@check("K6", "of overlapping reservations at once no two live, and none is refused in vain")
def chains(subject: Subject) -> None:
    warm(subject)
    for number in range(TIMES):
        scene = new_scene(subject, slot_minutes=30, opens=0, closes=1440)
        starts = _starts(f"2044-03-{number + 1:02}", f"2044-04-{number + 1:02}")
        calls = [
            partial(scene.reserve, starts_at, 2, player=each)
            for starts_at, each in zip(starts, _players(), strict=True)
        ]
        answers = at_once(calls)
        there = _there(scene)
        spans = sorted((each["starts_at"], each["ends_at"]) for each in there)
        for (_, ends_at), (starts_at, _) in pairwise(spans):
            expect(ends_at <= starts_at, f"one ends at {ends_at}, another begins at {starts_at}")
        for starts_at, answer in zip(starts, answers, strict=True):
            if answer.status == 201:
                made = object_of(answer, 201, RESERVATION, "a reservation")
                expect(made in there, f"that of {starts_at} had its 201 and is not there")
            elif answer.status == 503:
                # A deadlock that was met twice; its row is not there, or one that is in its way.
                expect_problem(answer, "unavailable", "of a reservation beside others")
            else:
                expect_problem(answer, "slot-taken", "of a reservation beside others")
                ends_at = later(starts_at, 60)
                rivals = [begin for begin, end in spans if begin < ends_at and starts_at < end]
                expect(bool(rivals), f"that of {starts_at} was refused without a rival")


@with_stand("K6", "a transaction that met a deadlock is made once more")
def once_more(subject: Subject) -> None:
    scene = new_scene(subject)
    for _ in range(ATTEMPTS):
        answer = _in_a_deadlock(scene)
        if answer is not None:
            object_of(answer, 201, RESERVATION, "a reservation that met a deadlock")
            return
    raise AssertionError(f"in {ATTEMPTS} attempts the reservation was never in a deadlock")


@with_stand("K7", "200 at once on a pool of two are served or told so, and then all is well")
def few_connections(subject: Subject) -> None:
    # With a short wait many are told so, and a pool must forget who no longer waits.
    for variables in ({}, {"POOL_WAIT_MS": "10"}):
        with subject.stand.restarted({"POOL_SIZE": "2", **variables}) as other:
            _expect_served_or_told(other)


def _expect_served_or_told(other: Subject) -> None:
    scene = new_scene(other)
    taken = scene.reserved()["starts_at"]
    calls: list[Callable[[], Answer]] = []
    for number in range(200):
        kinds: tuple[Callable[[], Answer], ...] = (
            partial(get, other, CLUBS, scene.owner),
            partial(scene.reserve, scene.slot() if number % 8 == 1 else taken),
            partial(sign_up, other),
            partial(log_in, other, "owner-1@booking.example"),
        )
        calls.append(kinds[number % 4])
    for answer in at_once(calls):
        if answer.status == 503:
            expect_problem(answer, "unavailable", "beside 199 others")
        elif answer.status == 409:
            expect_problem(answer, "slot-taken", "beside 199 others")
        else:
            expect(answer.status in (200, 201), f"a status is {answer.status}")
    settle(other)  # a connection that was too slow among so many is opened anew
    for _ in range(10):
        value_of(get(other, CLUBS, scene.owner), 200, "a list behind them")
        scene.reserved()
    expect_well(other, "behind 200 at once", count=2)


def _rivals(scene: Scene, starts_at: str) -> list[Callable[[], Answer]]:
    return [partial(scene.reserve, starts_at, player=each) for each in _players()]


def _expect_one_of_many(scene: Scene) -> None:
    starts_at = scene.slot()
    answers, seconds = timed(partial(at_once, _rivals(scene, starts_at)))
    _expect_one(answers, 201, "slot-taken")
    there = [each for each in _there(scene) if each["starts_at"] == starts_at]
    winner = next(answer for answer in answers if answer.status == 201)
    made = object_of(winner, 201, RESERVATION, "the one that was reserved")
    expect_equal(there, [made], "the reservations that are there")
    expect_speed(seconds <= K1_SECONDS, f"{MANY} reservations of one slot took {seconds:.1f} s")


def _players() -> list[Caller]:
    """Fifty of the seed's."""
    return [caller(player(number), PLAYER) for number in range(1, MANY + 1)]


def _there(scene: Scene) -> list[dict[str, Any]]:
    """The reservations of the scene's club that live."""
    found = all_pages(scene.subject, RESERVATIONS, scene.owner, RESERVATION)
    return [each for each in found if each["status"] in ("pending", "accepted")]


def _expect_one(answers: list[Answer], status: int, otherwise: str) -> None:
    """Expect this status once, and this problem of all others."""
    statuses = Counter(answer.status for answer in answers)
    expect_equal(dict(statuses), {status: 1, 409: len(answers) - 1}, "the statuses")
    for answer in answers:
        if answer.status != status:
            expect_problem(answer, otherwise, "of one that came later")


def _starts(*days: str) -> list[str]:
    """Fifty half hours on end; the last of a day is none of them, since an hour would leave the day."""
    every = [
        later(at(0, day=day), 30 * number) for day in days for number in range(HALF_HOURS_A_DAY - 1)
    ]
    return every[:MANY]


def _in_a_deadlock(scene: Scene) -> Answer | None:
    """What a reservation is answered whose transaction another one has blocked in a circle.

    The other one is in the slot, and then wants the key that the reservation has just taken. Who of the
    two is ended, the database decides: none is returned where it was the other one.
    """
    subject, key, starts_at = scene.subject, token_hex(8), scene.slot()
    hand = subject.stand.dependency(DATABASE)
    before = hand.work().deadlocks
    with ThreadPoolExecutor(1) as pool:
        hand.execute("BEGIN")
        try:
            hand.execute(
                "INSERT INTO reservation (facility_id, player_id, starts_at, ends_at, price_cents)"
                " VALUES (%s, %s, %s, %s, 0)",
                (scene.facility, scene.player.id, starts_at, later(starts_at, 60)),
            )
            asked = pool.submit(reserve, subject, scene.player, scene.facility, starts_at, 1, key)
            wait_for_statements(subject, 1, within="reservation")
            hand.execute(
                "INSERT INTO idempotency (account_id, key, fingerprint) VALUES (%s, %s, '')",
                (scene.player.id, key),
            )
            is_met = True
        except HandFailed:
            is_met = False
        finally:
            hand.execute("ROLLBACK")
        answer = asked.result()
    is_met = is_met and hand.work().deadlocks > before
    return answer if is_met else None
