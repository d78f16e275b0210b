"""U45, U47, U48 and U49: how the process starts and ends, and what it prints."""

import time
from contextlib import ExitStack, suppress
from functools import partial
from itertools import chain

from loadstone.contract import declare
from loadstone.contract.client import Answer
from loadstone.contract.expect import expect, expect_equal
from loadstone.contract.subject import Subject
from loadstone.contract.wire import BrokenMessage

from .lib.at_once import timed
from .lib.clock import expect_speed, undisturbed
from .lib.database import hand_of, locked, sessions, wait_for_statements
from .lib.objects import JSON, compact, expect_status, list_of, object_of
from .lib.problems import expect_problem
from .lib.shapes import LOGIN as TOKEN
from .lib.shapes import USER
from .lib.tokens import SECRET
from .lib.users_accounts import PASSWORD, account, create, created, log_in, new_email, new_plate
from .lib.users_coins import debit, grant, new_key, wallet
from .lib.users_operations import (
    CALLERS,
    RETURN_SECONDS,
    expect_well,
    settle,
    wait_until_well,
    warm,
)
from .lib.users_rows import SEED_HASH, put_customer
from .lib.users_service import (
    BRAM,
    HEALTH,
    INTERNAL_KEY,
    SERVICE,
    STARTS_SECONDS,
    SUPERVISOR,
    USERS,
    ask,
    customer,
    get,
    get_user,
    identity,
    list_users,
    post,
)
from .lib.users_vehicles import put_vehicle, vehicles

check = partial(declare.check, service=SERVICE, needs_stand=True, seconds=STARTS_SECONDS)

END_SECONDS = 5.0
GRACE_SECONDS = END_SECONDS + 1.0
"""Of what may use all of its time, and then has to end."""
AWAY_SECONDS = 3.0
QUIET_SECONDS = 3.0
"""For which nobody asks, while the database stays away."""
IN_FLIGHT = 6
HASHING = 8
"""Hashes that are under way, or wait for it; a slow core takes a third of a second for each."""
PART_OF_A_HASH, READ_SECONDS = 0.25, 0.1
"""When the end is told: by then the requests have been read."""
LOCK_SECONDS = 1.0
"""For which the database lets a statement wait for a table."""
WRONG_CODE = 2
SECRETS = ("DATABASE_URL", "JWT_SECRET", "INTERNAL_KEY")
"""Of these no value is shown."""
WRONG_VARIABLES: tuple[dict[str, str], ...] = (
    *({"POOL_SIZE": "0"}, {"TOKEN_SECONDS": "86401"}, {"TOKEN_SECONDS": ""}),
    *({"REGISTRY": "consul"}, {"DISCOVERY_PROTOCOL": "h2"}, {"UPSTREAM_PROTOCOL": "h3"}),
    *({"JWT_SECRET": "a-secret-that-is-too-short"}, {"INTERNAL_KEY": "a-secret"}),
    {"DATABASE_URL": "mysql://park:a-secret@127.0.0.1:1/database"},
    {"REGISTRY_URL": "127.0.0.1:8761", "REGISTRY": "eureka"},
)
"""The first of each is the one that is wrong."""


@check("U45", "started without the database it lives, and all is well once that comes")
def without_database(subject: Subject) -> None:
    undisturbed(partial(_expect_well_once_it_comes, subject))


@check("U47", "a process that is killed right after a 201 has left the rows there")
def survives(subject: Subject) -> None:
    owner, plate, key = put_customer(subject), new_plate(), new_key()
    with subject.stand.restarted() as other:
        made = created(other)
        expect_status(put_vehicle(other, owner, plate), 201, "a vehicle")
        expect_status(debit(other, owner.id, 0), 200, "a debit")
        answer = grant(other, [owner.id, made["id"]], 7, key=key)
        other.process.kill()
    expect_status(answer, 201, "a grant")
    # What it said is what another process finds, and says again.
    user = object_of(get_user(subject, made["id"], customer(made["id"])), 200, USER, "the user")
    expect_equal(user, {**made, "totalParkies": 7}, "the user behind it")
    plates = [each["licensePlateNumber"] for each in vehicles(subject, owner)]
    expect_equal(plates, [plate], "the plates behind it")
    found = wallet(subject, owner.id)
    amounts = [each["amount"] for each in found["events"]]
    expect_equal((found["coins"], amounts), (7, [7, 0]), "the wallet behind it")
    again = grant(subject, [owner.id, made["id"]], 7, key=key)
    expect_equal((again.status, again.body), (201, answer.body), "the grant again")
    expect_equal(wallet(subject, owner.id)["coins"], 7, "the coins behind that")


@check("U48", "on SIGTERM requests in flight are answered, and it ends in order")
def ends_in_order(subject: Subject) -> None:
    undisturbed(partial(_expect_end_in_order, subject))


@check("U48", "on SIGTERM hashes under way are answered, too, and their rows are there")
def ends_behind_hashes(subject: Subject) -> None:
    undisturbed(partial(_expect_end_behind_hashes, subject))


@check("U48", "it prints no secret and nothing of callers, and those that left hold up no end")
def prints_little(subject: Subject) -> None:
    email = new_email()
    with subject.stand.restarted() as other:
        expect_status(create(other, email=email), 201, "a user")
        token = object_of(log_in(other, email), 200, TOKEN, "logging in")["token"]
        _expect_no_lines_of_callers(other, email)
        _expect_few_lines_of_failures(subject, other)
        _leave_hashes(other)
        other.process.terminate()
        expect_equal(other.process.wait(GRACE_SECONDS), 0, "the exit code")
        printed = other.process.log()
    secrets = (PASSWORD, token, SECRET, INTERNAL_KEY, SEED_HASH, "$2a$10", "$2b$10", "park:park")
    shown = [each for each in (*secrets, *token.split("."), email) if each in printed]
    expect_equal(shown, [], "the secrets and bodies that it printed")


@check("U49", "a wrong variable is exit code 2 and one line, without a secret")
def wrong_variables(subject: Subject) -> None:
    for variables in WRONG_VARIABLES:
        _expect_refused(subject, variables)


@check("U49", "a file of TLS that cannot be read is told, too", client="tls")
def wrong_files(subject: Subject) -> None:
    for name in ("TLS_CERT", "TLS_KEY"):
        _expect_refused(subject, {name: "/nowhere/nothing.pem"}, must_be=False)


def _expect_refused(subject: Subject, variables: dict[str, str], *, must_be: bool = True) -> None:
    (name, value), *_ = variables.items()
    ended = subject.stand.refused_start(variables)
    what = f"of {name}={value}"
    expect_equal(ended.exit_code, WRONG_CODE, f"the exit code {what}")
    expect_equal(ended.stdout, "", f"stdout {what}")
    lines = ended.stderr.splitlines()
    expect_equal(len(lines), 1, f"the lines on stderr {what}")
    begins = f"users: {name} must be " if must_be else f"users: {name} "
    expect(lines[0].startswith(begins), f"{what} it says {lines[0]}")
    if must_be and name not in SECRETS:
        expect(lines[0].endswith(f', not "{value}"'), f"{what} it says {lines[0]}")
    for secret in ("a-secret", SECRET, INTERNAL_KEY, "park:park"):
        expect(secret not in lines[0], f"{what} it shows a secret")


def _expect_well_once_it_comes(subject: Subject) -> None:
    hand = hand_of(subject)
    hand.stop()
    with ExitStack() as back:
        back.callback(settle, subject)
        starting = back.enter_context(ExitStack())
        starting.callback(hand.start)
        with subject.stand.restarted(unready=True) as other:
            for _ in range(2):
                answer, seconds = timed(partial(get, other, HEALTH))
                expect_problem(answer, "unavailable", "of /health without the database")
                expect_speed(seconds <= AWAY_SECONDS, f"/health took {seconds:.1f} s")
                answer = list_users(other)
                expect_problem(answer, "unavailable", "of a list without the database")
                expect_problem(get(other, USERS), "token-missing", "without an identity")
            began, lines = time.monotonic(), _lines(other)
            time.sleep(QUIET_SECONDS)  # several attempts to connect fail
            printed, most = _lines(other) - lines, time.monotonic() - began + 1
            expect(printed <= most, f"{printed} lines in {most:.1f} s, while nobody asked")
            starting.close()
            wait_until_well(other, RETURN_SECONDS, "since the database is there")
            warm(other, CALLERS)
            expect_well(other, "since the database is there")


def _expect_end_behind_hashes(subject: Subject) -> None:
    bodies = [account() for _ in range(HASHING)]
    answers: list[Answer] = []
    with subject.stand.restarted() as other, ExitStack() as opened:
        seconds = min(timed(partial(create, other))[1] for _ in range(2))
        connections = [opened.enter_context(other.connect()) for _ in bodies]
        for connection in connections:
            connection.send_request(HEALTH, method="GET").receive_answer()
        for connection, body in zip(connections, bodies, strict=True):
            connection.send_request(USERS, [JSON], compact(body))
        time.sleep(max(READ_SECONDS, PART_OF_A_HASH * seconds))
        other.process.terminate()
        # One that had not been read yet is lost, as on a machine that is busy.
        with suppress(ConnectionError, BrokenMessage):
            answers += [connection.receive_answer() for connection in connections]
        expect_equal(other.process.wait(GRACE_SECONDS), 0, "the exit code")
    seen = f"not all of {HASHING} that were in flight are answered"
    expect_speed(len(answers) == HASHING, seen)
    for answer, body in zip(answers, bodies, strict=True):
        user = object_of(answer, 201, USER, "a user that was in flight", email=body["email"])["id"]
        object_of(get_user(subject, user), 200, USER, "the user behind it", email=body["email"])


def _expect_end_in_order(subject: Subject) -> None:
    before = {each.id for each in sessions(subject)}
    with subject.stand.restarted() as other, ExitStack() as opened:
        warm(other, CALLERS)
        expect_well(other, "before it ends")
        connections = [opened.enter_context(other.connect()) for _ in range(IN_FLIGHT)]
        idle = opened.enter_context(other.connect())
        idle.send_request(HEALTH, method="GET").receive_answer()
        began = time.monotonic()
        with locked(subject, "vehicle"):
            for connection in connections:
                connection.send_request(USERS, identity(SUPERVISOR), method="GET")
            waiting = wait_for_statements(subject, IN_FLIGHT, within="vehicle")
            expect(not before & {each.id for each in waiting}, "another process was asked")
            other.process.terminate()
            idle.wait_for_end()
        seconds = time.monotonic() - began
        answers = [connection.receive_answer() for connection in connections]
        is_late = seconds >= LOCK_SECONDS and any(answer.status == 503 for answer in answers)
        expect_speed(not is_late, f"an idle connection was ended {seconds:.1f} s behind requests")
        for answer in answers:
            list_of(answer, USER, "a list that was in flight")
        expect_equal(other.process.wait(GRACE_SECONDS), 0, "the exit code")


def _leave_hashes(other: Subject) -> None:
    """Let callers ask for hashes, and go away before these are there."""
    with other.connect() as closed, other.connect() as broken:
        for connection in (closed, broken):
            connection.send_request(USERS, [JSON], compact(account()))
        broken.break_off()


def _expect_no_lines_of_callers(other: Subject, email: str) -> None:
    """Expect that neither requests nor faults of callers are logged."""
    lines = _lines(other)
    for call in chain(
        (partial(list_users, other), partial(get, other, HEALTH), partial(get, other, "/nothing")),
        (partial(get, other, USERS), partial(list_users, other, BRAM)),
        (partial(log_in, other, email, "x"), partial(create, other, email=email)),
        (partial(create, other, firstName="\0"), partial(post, other, USERS, None, [1])),
        (
            partial(ask, other, "POST", USERS, None, JSON, body=b"{"),
            partial(get, other, "/users/0"),
        ),
    ):
        status = call().status
        expect(status < 500, f"a status is {status}")
    with other.connect() as gone:
        gone.send_request(USERS, identity(SUPERVISOR), method="GET")
    with other.connect() as broken:
        broken.begin(USERS, [JSON], length=1000).send_piece(b"{")
        broken.break_off()
    time.sleep(LOCK_SECONDS)
    expect_equal(_lines(other) - lines, 0, "the lines that callers' requests gave")


def _expect_few_lines_of_failures(subject: Subject, other: Subject) -> None:
    """Expect at most a line for each answer of 5xx, of what is not away but wrong."""
    hand, lines = hand_of(subject), _lines(other)
    hand.execute("ALTER TABLE vehicle RENAME TO away")
    try:
        answers = [create(other), list_users(other), put_vehicle(other, BRAM, "LA-00012")]
    finally:
        hand.execute("ALTER TABLE away RENAME TO vehicle")
    for answer in answers:
        expect_problem(answer, "internal", "without a table")
    time.sleep(LOCK_SECONDS)
    printed = _lines(other) - lines
    expect(printed <= len(answers), f"{len(answers)} failures gave {printed} lines")
    expect_well(other, "behind failures", 1)


def _lines(other: Subject) -> int:
    return len(other.process.log().splitlines())
