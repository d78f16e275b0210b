"""K1 to K4: many callers at the same rows."""

import time
from collections import Counter
from collections.abc import Callable, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from functools import partial
from itertools import pairwise

from loadstone.contract import declare
from loadstone.contract.client import Answer
from loadstone.contract.expect import expect, expect_equal
from loadstone.contract.subject import Subject

from .lib.at_once import at_once, timed
from .lib.clock import expect_speed, undisturbed
from .lib.operations import settle, warm
from .lib.problems import expect_failure
from .lib.rows import Rows, rows
from .lib.service import (
    MANY_SECONDS,
    STARTS_SECONDS,
    conference,
    get,
    insert,
    listed,
    path_of,
    remove,
)

check = partial(declare.check, operation="insert", seconds=MANY_SECONDS)
with_stand = partial(check, needs_stand=True, seconds=STARTS_SECONDS)

K1_CALLERS, K1_SECONDS = 50, 5.0
OUT_OF_STEP_SECONDS = 0.003
"""So that lists begin while others are under way, and not all together."""
INSERTERS, INSERTS_EACH = 3, 40


@check("K1", "of 50 inserts of one id at once exactly one is 202")
def one_of_many(subject: Subject) -> None:
    warm(subject)
    with rows(subject) as made:
        # The first of their kind may be slow, and what waits for them be told so.
        at_once(_rivals(subject, made.new_id()))
        for _ in range(3):
            undisturbed(partial(_expect_one_of_many, subject, made))


@check("K2", "inserts against removes of one id add up")
def inserts_and_removes(subject: Subject) -> None:
    with rows(subject) as made:
        identifier = made.new_id()
        calls: list[Callable[[], list[int]]] = [
            partial(_again, 15, partial(insert, subject, conference(identifier, "QCon"))),
            partial(_again, 15, partial(remove, subject, identifier)),
        ]
        counted = Counter(status for each in at_once(calls * 4) for status in each)
        others = set(counted) - {202, 409, 204, 404, 503}
        expect(not others, f"inserts against removes gave {sorted(others)}")
        there = get(subject, path_of(identifier)).status == 200
        # A 503 may have done its work or not.
        unsure = counted[503]
        gap = counted[202] - counted[204] - int(there)
        expect(abs(gap) <= unsure, f"{dict(counted)}, and in the end the row is there: {there}")


@with_stand("K3", "200 at once on a pool of two are served or told so")
def few_connections(subject: Subject) -> None:
    with subject.stand.restarted({"POOL_SIZE": "2"}) as other, rows(other) as made:
        known = made.insert()
        calls: list[Callable[[], Answer]] = []
        for number in range(200):
            identifier = known if number % 4 == 3 else made.new_id()
            calls.append(
                partial(get, other, "/conferences")
                if number % 2
                else partial(insert, other, conference(identifier, "QCon"))
            )
        for answer in at_once(calls):
            if answer.status == 503:
                expect(answer.values("retry-after") == ("1",), "503 without Retry-After: 1")
            else:
                expect(answer.status in (200, 202, 409), f"a status is {answer.status}")
        settle(other)  # a connection that was too slow among so many is opened anew
        for _ in range(10):
            expect_equal(get(other, "/conferences").status, 200, "the status behind them")
            expect_equal(insert(other, conference(made.new_id(), "QCon")).status, 202, "an insert")


@check("K4", "lists during inserts are whole")
def lists_during_inserts(subject: Subject) -> None:
    with rows(subject) as made, ThreadPoolExecutor(2 * INSERTERS) as pool:
        kept: list[str] = []  # those that had their 202
        runs = [pool.submit(_insert_some, subject, made.new_id(), kept) for _ in range(INSERTERS)]
        made.made += [f"{stem}-{n}" for stem in list(made.made) for n in range(INSERTS_EACH)]
        # Several at the same time: one list must not do for another that was asked for later.
        listers = [
            pool.submit(_list_until, subject, kept, runs, number * OUT_OF_STEP_SECONDS)
            for number in range(INSERTERS)
        ]
        for each in (*runs, *listers):
            each.result()
        expect_equal(len(kept), INSERTERS * INSERTS_EACH, "the rows that were inserted")


@with_stand("K4", "a list beside others is answered whole")
def lists_at_once(subject: Subject) -> None:
    whole = get(subject, "/conferences").body
    for answer in at_once([partial(get, subject, "/conferences")] * 50):
        if answer.status == 503:
            expect_failure(answer, "unavailable", "list", "beside 49 others")
        else:
            expect_equal(answer.body, whole, "a list beside 49 others")


def _rivals(subject: Subject, identifier: str) -> list[Callable[[], Answer]]:
    return [
        partial(insert, subject, conference(identifier, f"name {number}"))
        for number in range(K1_CALLERS)
    ]


def _expect_one_of_many(subject: Subject, made: Rows) -> None:
    identifier = made.new_id()
    answers, seconds = timed(partial(at_once, _rivals(subject, identifier)))
    statuses = Counter(answer.status for answer in answers)
    expect_equal(dict(statuses), {202: 1, 409: K1_CALLERS - 1}, "the statuses")
    winner = next(n for n, answer in enumerate(answers) if answer.status == 202)
    there = [row["name"] for row in listed(subject) if row["id"] == identifier]
    expect_equal(there, [f"name {winner}"], "the row")
    expect_speed(seconds <= K1_SECONDS, f"50 inserts of one id took {seconds:.1f} s")


def _again(times: int, call: Callable[[], Answer]) -> list[int]:
    return [call().status for _ in range(times)]


def _insert_some(subject: Subject, stem: str, kept: list[str]) -> None:
    for number in range(INSERTS_EACH):
        identifier = f"{stem}-{number}"
        answer = insert(subject, conference(identifier, "QCon"))
        expect_equal(answer.status, 202, "the status of an insert")
        kept.append(identifier)


def _list_until(
    subject: Subject, kept: list[str], runs: Sequence[Future[None]], rest_seconds: float
) -> None:
    """List again and again with a rest, once more when all inserts are done."""
    is_last = False
    while not is_last:
        time.sleep(rest_seconds)
        is_last = all(run.done() for run in runs)
        before = set(kept)
        identifiers = [row["id"] for row in listed(subject)]
        is_sorted = all(one < other for one, other in pairwise(identifiers))
        expect(is_sorted, "a list is not by id, or has an id twice")
        missing = before - set(identifiers)
        expect(not missing, f"a list lacks {len(missing)} rows that had their 202")
