"""F5, F7, F8 and P4: how the process starts and ends."""

import time
from contextlib import ExitStack
from functools import partial

from loadstone.contract import declare
from loadstone.contract.expect import expect, expect_equal
from loadstone.contract.subject import Subject

from .lib.accounts import account, log_in, sign_up
from .lib.at_once import timed
from .lib.clock import expect_speed, undisturbed
from .lib.database import locked, sessions, wait_for_statements
from .lib.operations import (
    CALLERS,
    RETURN_SECONDS,
    expect_well,
    settle,
    wait_until_well,
    warm,
)
from .lib.pages import all_pages
from .lib.problems import expect_problem
from .lib.scenes import new_scene
from .lib.service import (
    ACCOUNTS,
    CLUBS,
    DATABASE,
    JSON,
    LIVE,
    ME,
    READY,
    RESERVATIONS,
    STARTS_SECONDS,
    bearer,
    compact,
    expect_status,
    get,
    post,
    read_json,
)
from .lib.shapes import ACCOUNT, CLUB, RESERVATION, object_of, page_of
from .lib.tokens import OWNER, caller

check = partial(declare.check, needs_stand=True, seconds=STARTS_SECONDS)

READER = caller(1, OWNER)
END_SECONDS = 5.0
GRACE_SECONDS = END_SECONDS + 1.0
"""Of what may use all of its time, and then has to end."""
IN_FLIGHT = 6
LOCK_SECONDS = 1.0
"""For which the database lets a statement wait for a table."""
HASHING = {"PASSWORD_COST": "13"}
PART_OF_A_HASH = 0.25
"""Of the time of a sign-up: by then its password has been read, and by twice that is still hashed."""
WRONG_VARIABLE_CODE = 2
SECRETS = ("DATABASE_URL", "JWT_SECRET")
"""Of these no value is shown."""
WRONG_VARIABLES = {
    "POOL_SIZE": "0",
    "POOL_WAIT_MS": "1s",
    "JWT_SECRET": "a-secret-that-is-too-short",
    "JWT_TTL": "86401",
    "PASSWORD_COST": "15",
    "DATABASE_URL": "mysql://booking:a-secret@127.0.0.1:1/database",
    "CLIENT_PROTOCOL": "h2",
    "LOG_LEVEL": "",
}


@check("F5", "a reservation that had its 201 is there after a kill, and old tokens are known")
def survives(subject: Subject) -> None:
    scene = new_scene(subject)
    body = account()
    for _ in range(2):
        with subject.stand.restarted() as other:
            made = post(other, ACCOUNTS, None, account())
            starts_at = scene.slot()
            answer = post(
                other,
                RESERVATIONS,
                scene.player,
                {"facility_id": scene.facility, "starts_at": starts_at},
            )
            other.process.kill()
        expect_status(made, 201, "signing up")
        found = object_of(answer, 201, RESERVATION, "a reservation", starts_at=starts_at)
        expect_equal(scene.now(found["id"]), found, "the reservation behind it")
    with subject.stand.restarted() as other:
        expect_status(post(other, ACCOUNTS, None, body), 201, "signing up")
        value = read_json(log_in(other, body["email"], body["password"]).body)
        other.process.kill()
    expect(isinstance(value, dict) and "token" in value, f"logging in is {value!r}")
    with subject.stand.restarted() as other:
        token = bearer(str(value["token"]))
        for asked in (other, subject):
            answer = get(asked, ME, None, token)
            object_of(answer, 200, ACCOUNT, "me by a token of before", email=body["email"])
        there = all_pages(other, RESERVATIONS, scene.owner, RESERVATION)
        expect_equal(len(there), 2, "the reservations that are there")


@check("F7", "started without the database it lives, and is ready once that comes")
def without_database(subject: Subject) -> None:
    undisturbed(partial(_expect_ready_once_it_comes, subject))


@check("F8", "on SIGTERM requests in flight are answered, and it ends in order")
def ends_in_order(subject: Subject) -> None:
    undisturbed(partial(_expect_end_in_order, subject))


@check("F8", "on SIGTERM a password that is hashed is answered, too, and its row is there")
def ends_behind_hashes(subject: Subject) -> None:
    body = account()
    with subject.stand.restarted(HASHING) as other, ExitStack() as opened:
        part_seconds = PART_OF_A_HASH * _sign_up_seconds(other)
        connection = opened.enter_context(other.connect())
        connection.send_request(ACCOUNTS, [JSON], compact(body))
        time.sleep(part_seconds)
        other.process.terminate()
        expect_status(connection.receive_answer(), 201, "a sign-up that was in flight")
        expect_equal(other.process.wait(END_SECONDS), 0, "the exit code")
    expect_status(log_in(subject, body["email"], body["password"]), 200, "logging in behind it")


@check("F8", "on SIGTERM it ends in order, too, while passwords of callers that left are hashed")
def ends_behind_callers_that_left(subject: Subject) -> None:
    with subject.stand.restarted(HASHING) as other:
        part_seconds = PART_OF_A_HASH * _sign_up_seconds(other)
        with other.connect() as closed, other.connect() as broken:
            for connection in (closed, broken):
                connection.send_request(ACCOUNTS, [JSON], compact(account()))
            time.sleep(part_seconds)
            broken.break_off()
        time.sleep(part_seconds)
        other.process.terminate()
        expect_equal(other.process.wait(GRACE_SECONDS), 0, "the exit code")


@check("P4", "a wrong variable is exit code 2 and one line")
def wrong_variables(subject: Subject) -> None:
    for name, value in WRONG_VARIABLES.items():
        ended = subject.stand.refused_start({name: value})
        expect_equal(ended.exit_code, WRONG_VARIABLE_CODE, f"the exit code of {name}={value}")
        expect_equal(ended.stdout, "", f"stdout of {name}={value}")
        lines = ended.stderr.splitlines()
        expect_equal(len(lines), 1, f"the lines on stderr of {name}={value}")
        wanted = f"booking: {name} must be "
        expect(lines[0].startswith(wanted), f"of {name}={value} it says {lines[0]}")
        shown = "" if name in SECRETS else f', not "{value}"'
        is_right = lines[0].endswith(shown) and "a-secret" not in lines[0]
        expect(is_right, f"of {name}={value} it says {lines[0]}")


def _expect_ready_once_it_comes(subject: Subject) -> None:
    hand = subject.stand.dependency(DATABASE)
    hand.stop()
    with ExitStack() as back:
        back.callback(settle, subject)
        starting = back.enter_context(ExitStack())
        starting.callback(hand.start)
        with subject.stand.restarted(unready=True) as other:
            for _ in range(2):
                expect_status(get(other, LIVE), 200, "/healthz without the database")
                answer, seconds = timed(partial(get, other, READY))
                expect_problem(answer, "unavailable", "of /readyz without the database")
                expect_speed(seconds <= END_SECONDS, f"/readyz took {seconds:.1f} s")
                answer = get(other, CLUBS, READER)
                expect_problem(answer, "unavailable", "of a list without the database")
                expect_problem(get(other, CLUBS), "unauthenticated", "without a token")
                time.sleep(1.0)  # several attempts to connect have failed
            starting.close()
            wait_until_well(other, RETURN_SECONDS, "since the database is there")
            warm(other, CALLERS)
            expect_well(other, "since the database is there")


def _expect_end_in_order(subject: Subject) -> None:
    before = {each.id for each in sessions(subject)}
    with subject.stand.restarted() as other, ExitStack() as opened:
        warm(other, CALLERS)
        expect_well(other, "before it ends")
        connections = [opened.enter_context(other.connect()) for _ in range(IN_FLIGHT)]
        idle = opened.enter_context(other.connect())
        idle.send_request(LIVE, method="GET").receive_answer()
        began = time.monotonic()
        with locked(subject, "club"):
            for connection in connections:
                connection.send_request(CLUBS, [bearer(READER.token)], method="GET")
            waiting = wait_for_statements(subject, IN_FLIGHT)
            expect(not before & {each.id for each in waiting}, "another process was asked")
            other.process.terminate()
            idle.wait_for_end()
        seconds = time.monotonic() - began
        answers = [connection.receive_answer() for connection in connections]
        is_late = seconds >= LOCK_SECONDS and any(answer.status == 503 for answer in answers)
        expect_speed(not is_late, f"an idle connection was ended {seconds:.1f} s behind requests")
        for answer in answers:
            page_of(answer, CLUB, "a list that was in flight")
        expect_equal(other.process.wait(END_SECONDS), 0, "the exit code")


def _sign_up_seconds(subject: Subject) -> float:
    """What it takes to sign up, and most of it to hash a password, once that was done before."""
    expect_status(sign_up(subject), 201, "signing up")
    answer, seconds = timed(partial(sign_up, subject))
    expect_status(answer, 201, "signing up again")
    return seconds
