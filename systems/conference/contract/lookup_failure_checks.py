"""W7 to W13: `country` away, slow and wrong, and callers that go."""

import time
from functools import partial
from itertools import pairwise
from threading import Lock

from loadstone.contract import declare
from loadstone.contract.exchange import Exchange, Reply
from loadstone.contract.expect import expect, expect_equal
from loadstone.contract.scripts import Script, close_unanswered, fixed, half, never, stalled
from loadstone.contract.subject import Subject

from .lib.at_once import timed
from .lib.bodies import SIX, WITH_COUNTRIES, expect_body, level
from .lib.clock import expect_speed, undisturbed
from .lib.countries import PATIENT, Country, first_then, name_of
from .lib.problems import expect_failure
from .lib.rows import rows
from .lib.service import (
    JSON,
    MANY_SECONDS,
    STARTS_SECONDS,
    WITH_COUNTRY,
    compact,
    get,
    listed,
    rows_of,
)

declared = partial(declare.check, operation="with-country", needs_upstream=True)
check = partial(declared, seconds=MANY_SECONDS)
with_stand = partial(declared, needs_stand=True, seconds=STARTS_SECONDS)

REFUSED_SECONDS = 1.0
BEYOND_LIMIT_SECONDS = 0.5
HANG_SECONDS = 4.0
"""Twice the default limit of a look-up."""
GONE_SECONDS = 1.0
GONE_DELAY_SECONDS = 0.4
"""So that six look-ups take twice as long as they may go on for nobody."""
BELOW_LIMIT_SECONDS = 0.1
"""Of each look-up; six of them are beyond the limit of one, which is half a second."""
INTERVAL_SECONDS = 0.1
OPEN_SECONDS = 5.0
FAILURES_TO_OPEN = 10

LONG_NAME = compact({"name": "A" * (1 << 20)})
WRONG_BODIES = (
    *(b"nothing", b"", b"{}", b'{"name":5}', b'{"name":null}', b'["USA"]', b'"USA"', b"null"),
    *(b'{"name":"USA"', b'{"name":"USA"}{}', b'{"name":"\xff"}', b'{"Name":"USA"}', LONG_NAME),
)
WRONG_BATCHES = (
    *(b"nothing", b"{}", b'{"countries":"USA"}', b'{"countries":[]}', b'{"name":"USA"}'),
    *(compact({"countries": ["USA"] * 5}), compact({"countries": ["USA"] * 7})),
    compact({"countries": ["USA"] * 5 + [5]}),
)


@check("W7", "one name that is not known fails the list")
def unknown_name(subject: Subject) -> None:
    with rows(subject) as made:
        for name in ("KubeCon", "No such conference", "QCon"):
            made.insert(name)
        unknown = fixed(404, [JSON], compact({"message": "unknown", "cause": "unknown"}))
        subject.upstream.answer_with(
            first_then(unknown, Country(), lambda each: name_of(each).startswith("No such"))
        )
        _expect_failed(subject, "of an unknown name")
        # Neither the row behind it nor the name itself is looked up again.
        expect_equal(name_of(subject.upstream.exchanges[-1]), "No such conference", "the last name")
    subject.upstream.answer_with(Country())
    expect_equal(get(subject, WITH_COUNTRY).status, 200, "the status behind it")


@with_stand("W8", "while country refuses, lists work, and on its return all does")
def refused(subject: Subject) -> None:
    with level(subject, SIX):
        subject.upstream.answer_with(Country())
        undisturbed(partial(_expect_refused, subject))
        expect_body(get(subject, WITH_COUNTRY).body, WITH_COUNTRIES[SIX], "the list on its return")


@with_stand("W9", "an answer over the limit is 504 in time")
def over_the_limit(subject: Subject) -> None:
    slow: dict[str, Script] = {"no answer": never, "a part of one": stalled(b'{"name":')}
    with level(subject, SIX), subject.stand.restarted({"COUNTRY_TIMEOUT_MS": "500"}) as other:
        for what, script in slow.items():
            subject.upstream.answer_with(script)
            undisturbed(partial(_expect_timeout, other, 0.5, what))
        subject.upstream.answer_with(never)
        undisturbed(partial(_expect_timeout, subject, 2.0, "no answer by default"))
        # Each look-up has the limit for itself, and not all of them together.
        subject.upstream.answer_with(Country(BELOW_LIMIT_SECONDS))
        undisturbed(partial(_expect_below_limit, other))


@check("W10", "an answer of no use is 502, and nothing hangs")
def of_no_use(subject: Subject) -> None:
    scripts = [fixed(200, [JSON], body) for body in WRONG_BODIES]
    cut = [half(b'{"name":"USA"}', chunked=chunked) for chunked in (False, True)]
    with rows(subject) as made:
        made.insert()
        for number, script in enumerate((*scripts, *cut)):
            subject.upstream.answer_with(script)
            _, seconds = timed(partial(_expect_failed, subject, f"of wrong answer {number}"))
            expect(seconds <= HANG_SECONDS, f"wrong answer {number} took {seconds:.1f} s")
        subject.upstream.answer_with(fixed(200, [], b' {"x": [1], "name" : "USA"}\n'))
        found = rows_of(get(subject, WITH_COUNTRY), ("name", "country"))
        expect_equal({row["country"] for row in found}, {"USA"}, "the countries of an odd answer")


@with_stand("W10", "a batch of no use is 502")
def batch_of_no_use(subject: Subject) -> None:
    variables = {**PATIENT, "STRATEGY": "batched"}
    with level(subject, SIX), subject.stand.restarted(variables) as other:
        for number, body in enumerate(WRONG_BATCHES):
            subject.upstream.answer_with(fixed(200, [JSON], body))
            _expect_failed(other, f"of wrong batch {number}")


@check("W11", "another status is 502 after one attempt")
def other_status(subject: Subject) -> None:
    with rows(subject) as made:
        made.insert()
        for status in (500, 503, 302, 204, 201):
            subject.upstream.forget()
            again = ("Location", "/conferences/QCon/country")
            body = b"" if status == 204 else compact({"name": "USA"})
            subject.upstream.answer_with(fixed(status, [JSON, again], body))
            _expect_failed(subject, f"of {status}")
            expect_equal(len(subject.upstream.exchanges), 1, f"the attempts of {status}")


@with_stand("W12", "with retries there are further attempts, spaced")
def retries(subject: Subject) -> None:
    variables = {**PATIENT, "RETRIES": "3", "RETRY_INTERVAL_MS": "100"}
    with level(subject, SIX), subject.stand.restarted(variables) as other:
        for status, attempts in ((503, 4), (502, 4), (504, 4), (404, 1), (500, 1)):
            arrivals = _fail_by(subject, other, fixed(status, [JSON], compact({"name": "USA"})))
            expect_equal(len(arrivals), attempts, f"the attempts of {status}")
            _expect_spaced(arrivals)
        with subject.upstream.away(subject.deadline):
            undisturbed(partial(_expect_attempts_refused, other))
        subject.upstream.answer_with(_failing_first(3))
        expect_body(get(other, WITH_COUNTRY).body, WITH_COUNTRIES[SIX], "the list after retries")


@with_stand("W12", "a breaker opens, lets nothing through, and closes again")
def breaker(subject: Subject) -> None:
    variables = {**PATIENT, "BREAKER": "on"}
    with level(subject, SIX), subject.stand.restarted(variables) as other:
        subject.upstream.answer_with(fixed(404, [JSON], compact({"message": "a", "cause": "b"})))
        for _ in range(2 * FAILURES_TO_OPEN):
            _expect_failed(other, "of a name that is not known, which opens nothing,")
        subject.upstream.answer_with(fixed(500))
        while (answer := get(other, WITH_COUNTRY)).status == 502:
            asked = len(subject.upstream.exchanges)
            most = 3 * FAILURES_TO_OPEN
            expect(asked <= most, f"the breaker lets {asked} attempts through")
        opened = time.monotonic()
        expect_failure(answer, "country-open", "with-country", "once it is open")
        asked = len(subject.upstream.exchanges)
        expect_equal(asked, 3 * FAILURES_TO_OPEN, "the attempts until it opens")
        expect_failure(get(other, WITH_COUNTRY), "country-open", "with-country", "while it is open")
        expect_equal(len(subject.upstream.exchanges), asked, "the attempts while it is open")
        subject.upstream.answer_with(Country())
        time.sleep(max(0.0, opened + OPEN_SECONDS + 0.5 - time.monotonic()))
        expect_body(get(other, WITH_COUNTRY).body, WITH_COUNTRIES[SIX], "the list once it closes")


@with_stand("W13", "a caller that goes away ends its look-ups")
def caller_gone(subject: Subject) -> None:
    with level(subject, SIX):
        undisturbed(partial(_expect_none_for_nobody, subject))


def _expect_failed(subject: Subject, when: str) -> None:
    expect_failure(get(subject, WITH_COUNTRY), "country-failed", "with-country", when)


def _expect_refused(subject: Subject) -> None:
    get(subject, WITH_COUNTRY)  # now connections are kept, whose end must be noticed
    with subject.upstream.away(subject.deadline):
        for _ in range(2):
            answer, seconds = timed(partial(get, subject, WITH_COUNTRY))
            expect_failure(answer, "country-failed", "with-country", "while it refuses")
            expect_speed(seconds <= REFUSED_SECONDS, f"a refusal took {seconds:.1f} s")
            expect_equal(len(listed(subject)), 6, "the rows of a list meanwhile")


def _expect_attempts_refused(subject: Subject) -> None:
    _, seconds = timed(partial(_expect_failed, subject, "while it refuses"))
    expect(seconds >= 3 * INTERVAL_SECONDS, f"four attempts took {seconds * 1000:.0f} ms")
    expect_speed(seconds <= REFUSED_SECONDS, f"four attempts took {seconds:.1f} s")


def _expect_none_for_nobody(subject: Subject) -> None:
    country = Country(GONE_DELAY_SECONDS)
    subject.upstream.forget()
    subject.upstream.answer_with(country)
    with subject.connect() as connection:
        connection.send_request(WITH_COUNTRY, method="GET")
        subject.upstream.wait_for_exchange(subject.deadline)
    gone = time.monotonic()
    time.sleep(6 * GONE_DELAY_SECONDS + 0.2)
    expect(len(country.arrivals) < 6, "every look-up was made although the caller went away")
    late = [arrival - gone for arrival in country.arrivals if arrival > gone + GONE_SECONDS]
    shown = f"{len(late)} look-ups began more than 1 s after the caller went away"
    expect_speed(not late, shown)


def _expect_timeout(subject: Subject, limit_seconds: float, what: str) -> None:
    answer, seconds = timed(partial(get, subject, WITH_COUNTRY))
    expect_failure(answer, "country-timeout", "with-country", f"of {what}")
    most = limit_seconds + BEYOND_LIMIT_SECONDS
    shown = f"{what} took {seconds:.2f} s"
    expect(limit_seconds - 0.05 <= seconds, shown)
    expect_speed(seconds <= most, shown)


def _expect_below_limit(subject: Subject) -> None:
    status = get(subject, WITH_COUNTRY).status
    expect_speed(status != 504, "look-ups that are below the limit one by one are over it")
    expect_equal(status, 200, "the status below the limit")


def _fail_by(subject: Subject, other: Subject, script: Script) -> list[float]:
    """When each attempt of one failing request was there."""
    arrivals: list[float] = []

    def answer(exchange: Exchange, reply: Reply) -> None:
        arrivals.append(time.monotonic())
        script(exchange, reply)

    subject.upstream.answer_with(answer)
    _expect_failed(other, "of an attempt that fails")
    return arrivals


def _expect_spaced(arrivals: list[float]) -> None:
    for before, after in pairwise(arrivals):
        gap = after - before
        # A timer may fire within a tick of the clock before its time.
        expect(gap >= INTERVAL_SECONDS - 0.01, f"attempts are {gap * 1000:.0f} ms apart")


def _failing_first(count: int) -> Script:
    """503 for the first requests, the last of them unanswered, and then as the service does."""
    lock, left = Lock(), [count]
    country = Country()

    def answer(exchange: Exchange, reply: Reply) -> None:
        with lock:
            left[0] -= 1
            now = left[0]
        if now == 0:
            close_unanswered(exchange, reply)
        elif now > 0:
            fixed(503)(exchange, reply)
        else:
            country(exchange, reply)

    return answer
