"""A7 to A9: what a hash costs, and whom it holds up."""

import re
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from statistics import median

from loadstone.contract import declare
from loadstone.contract.client import Answer
from loadstone.contract.expect import expect
from loadstone.contract.subject import Subject

from .lib.accounts import PASSWORD, log_in, new_email, sign_up
from .lib.at_once import timed
from .lib.clock import expect_speed, undisturbed
from .lib.operations import warm
from .lib.service import CLUBS, DATABASE, STARTS_SECONDS, expect_status, get
from .lib.tokens import OWNER, caller

check = partial(declare.check, operation="log-in", needs_stand=True, seconds=STARTS_SECONDS)

READER = caller(1, OWNER)
TIMES = 20
"""Of each kind, one after the other in turn, so that other work of the machine meets both."""
WARM_TIMES = 6
MOST_APART = 0.25
CHEAPER = 2
"""A hash of cost 4 is 64 times as cheap as one of cost 10, but it is not all that a request takes."""

HASHERS = 8
LIST_SECONDS, LIST_HASHES = 1.0, 3
"""The longer one of a second and of the time of so many hashes; one takes 0.3 s on a usual core."""
MOST_LATE = 0.1
"""Of all lists: one among many is held up by the machine, and not one of the few beside a hash."""
FIRST_OF_ALL = 0.7
"""Of the time of all eight, when the first is there: some 1/8 or 2/8 where one or two are computed at
once, and nearly all of it where all are.
"""
HASH = r"\$2[ab]\$%02d\$[./A-Za-z0-9]{53}"


@check("A7", "at cost 10 a wrong password and an unknown address take the same time")
def same_time(subject: Subject) -> None:
    with subject.stand.restarted({"PASSWORD_COST": "10"}) as other:
        email = new_email()
        expect_status(sign_up(other, email=email), 201, "signing up")
        _medians(other, email, WARM_TIMES)
        unknown = undisturbed(partial(_same_seconds, other, email))
    # At the cost of this service both are cheap: the dummy has its cost, and no other.
    email = new_email()
    expect_status(sign_up(subject, email=email), 201, "signing up")
    _medians(subject, email, WARM_TIMES)
    undisturbed(partial(_expect_cheaper, subject, email, unknown))


@check("A8", "while 8 passwords are hashed at cost 12, a list is answered")
def lists_beside_hashes(subject: Subject) -> None:
    # With one connection a hash that held it would hold up every list.
    variables = {"PASSWORD_COST": "12", "POOL_SIZE": "1"}
    with subject.stand.restarted(variables) as other:
        email = new_email()
        expect_status(sign_up(other, email=email), 201, "signing up")
        warm(other, HASHERS)
        alone = min(timed(partial(sign_up, other))[1] for _ in range(2))
        most = max(LIST_SECONDS, LIST_HASHES * alone)
        kinds: dict[str, tuple[int, Callable[[], Answer]]] = {
            "sign-ups": (201, lambda: sign_up(other)),
            "log-ins": (200, partial(log_in, other, email)),
            "log-ins of nobody": (401, partial(log_in, other, "nobody@booking.example")),
        }
        for what, (status, call) in kinds.items():
            with ThreadPoolExecutor(HASHERS) as pool:
                began = time.monotonic()
                hashing = [pool.submit(_ended, call, began) for _ in range(HASHERS)]
                taken: list[float] = []
                while not all(each.done() for each in hashing):
                    answer, seconds = timed(partial(get, other, CLUBS, READER))
                    expect_status(answer, 200, f"a list beside {HASHERS} {what}")
                    taken.append(seconds)
            for each in hashing:
                expect_status(each.result()[0], status, f"one of {HASHERS} {what}")
            expect(len(taken) > 1, f"no list was answered beside {HASHERS} {what}")
            late = sum(seconds > most for seconds in taken)
            shown = f"{late} of {len(taken)} lists beside {HASHERS} {what} took over {most:.2f} s"
            expect(late <= MOST_LATE * len(taken), f"{shown}, up to {max(taken):.2f} s")


@check("A8", "no more hashes are computed at once than there are CPUs")
def as_many_as_cpus(subject: Subject) -> None:
    with subject.stand.restarted({"PASSWORD_COST": "12"}) as other:
        warm(other, 8)
        for _ in range(2):
            sign_up(other)
        undisturbed(partial(_expect_turns, other))


@check("A9", "a stored hash has the configured cost, and salt of its own")
def stored_hashes(subject: Subject) -> None:
    _expect_stored(subject, subject, 4)
    for cost in (5, 11):
        with subject.stand.restarted({"PASSWORD_COST": str(cost)}) as other:
            _expect_stored(subject, other, cost)


def _medians(subject: Subject, known: str, times: int) -> tuple[float, float]:
    """Seconds of a refusal: of a wrong password, and of an unknown address."""
    wrong, unknown = [], []
    for _ in range(times):
        wrong.append(_refused(subject, known, "not-the-password"))
        unknown.append(_refused(subject, new_email(), "not-the-password"))
    return median(wrong), median(unknown)


def _same_seconds(subject: Subject, email: str) -> float:
    """Seconds of a refusal, whatever the reason."""
    known, unknown = _medians(subject, email, TIMES)
    apart = abs(known - unknown) / max(known, unknown)
    shown = f"{known * 1000:.1f} ms, of an unknown address {unknown * 1000:.1f} ms"
    expect_speed(apart <= MOST_APART, f"a wrong password takes {shown}")
    return unknown


def _expect_cheaper(subject: Subject, email: str, dear: float) -> None:
    cheap = max(_medians(subject, email, TIMES))
    shown = f"{cheap * 1000:.1f} ms, and at cost 10 {dear * 1000:.1f} ms"
    expect_speed(CHEAPER * cheap <= dear, f"at cost 4 a refusal takes {shown}")


def _expect_turns(subject: Subject) -> None:
    with ThreadPoolExecutor(HASHERS) as pool:
        began = time.monotonic()
        hashing = [pool.submit(_ended, partial(sign_up, subject), began) for _ in range(HASHERS)]
        ends = [each.result()[1] for each in hashing]
    first, last = min(ends), max(ends)
    shown = f"the first of {HASHERS} hashes was there after {first:.2f} s of {last:.2f} s"
    expect_speed(first <= FIRST_OF_ALL * last, shown)


def _refused(subject: Subject, email: str, password: str) -> float:
    answer, seconds = timed(partial(log_in, subject, email, password))
    expect_status(answer, 401, "a log-in")
    return seconds


def _ended(call: Callable[[], Answer], began: float) -> tuple[Answer, float]:
    answer = call()
    return answer, time.monotonic() - began


def _expect_stored(subject: Subject, other: Subject, cost: int) -> None:
    """Expect that two accounts of one password have hashes of this cost, each with its own salt."""
    emails = [new_email(), new_email()]
    for email in emails:
        expect_status(sign_up(other, email=email, password=PASSWORD), 201, "signing up")
    rows = subject.stand.dependency(DATABASE).execute(
        "SELECT password_hash FROM account WHERE email IN (%s, %s)", emails
    )
    hashes = {written for (written,) in rows}
    expect(len(hashes) == len(emails), f"{len(emails)} accounts have {len(hashes)} hashes")
    for written in hashes:
        is_right = re.fullmatch(HASH % cost, written) is not None
        expect(is_right, f"a hash of cost {cost} begins with {written[:7]}")
