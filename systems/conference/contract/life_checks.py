"""F7 to F10, and P4: how the process starts and ends."""

import time
from contextlib import ExitStack
from functools import partial

from loadstone.contract import declare
from loadstone.contract.expect import expect, expect_equal
from loadstone.contract.subject import Subject

from .lib.at_once import at_once
from .lib.bodies import DATABASE, SIX, WITH_COUNTRIES, expect_body, level
from .lib.clock import undisturbed
from .lib.countries import PATIENT, Country
from .lib.operations import settle, wait_until_well
from .lib.problems import expect_failure
from .lib.rows import rows
from .lib.service import LIST, LIVE, READY, STARTS_SECONDS, WITH_COUNTRY, get, listed

check = partial(declare.check, operation="list", needs_stand=True, seconds=STARTS_SECONDS)

CALLERS = 12
COMING_SECONDS = 2.0
END_SECONDS = 5.0
IN_FLIGHT = 8
WRONG_VARIABLE_CODE = 2
WRONG_VARIABLES = {
    "POOL_SIZE": "0",
    "STRATEGY": "fastest",
    "DATABASE_URL": "postgres://dbuser:secret@127.0.0.1:1/conferencedb",
    "COUNTRY_TIMEOUT_MS": "1s",
    "BREAKER": "",
}


@check("F7", "started without the database it lives, and is ready once that comes")
def without_database(subject: Subject) -> None:
    undisturbed(partial(_expect_ready_once_it_comes, subject))


@check("F8", "started without country it lists", needs_upstream=True)
def without_country(subject: Subject) -> None:
    with level(subject, SIX):
        with subject.upstream.away(subject.deadline), subject.stand.restarted(PATIENT) as other:
            expect_equal(len(listed(other)), 6, "the rows of a list")
            answer = get(other, WITH_COUNTRY)
            expect_failure(answer, "country-failed", "with-country", "without country")
        subject.upstream.answer_with(Country())
        expect_body(get(subject, WITH_COUNTRY).body, WITH_COUNTRIES[SIX], "the list on its return")


@check(
    "F9", "on SIGTERM requests in flight are answered, and it ends in order", needs_upstream=True
)
def ends_in_order(subject: Subject) -> None:
    with level(subject, SIX), subject.stand.restarted(PATIENT) as other:
        country = Country(0.1, together=IN_FLIGHT)
        subject.upstream.answer_with(country)
        connections = [other.connect() for _ in range(IN_FLIGHT)]
        try:
            for connection in connections:
                connection.send_request(WITH_COUNTRY, method="GET")
            country.wait_until_gathered()
            expect_equal(country.peak, IN_FLIGHT, "the requests that look up at the same time")
            other.process.terminate()
            for connection in connections:
                body = connection.receive_answer().body
                expect_body(body, WITH_COUNTRIES[SIX], "an answer that was in flight")
        finally:
            for connection in connections:
                connection.__exit__(None, None, None)
        expect_equal(other.process.wait(END_SECONDS), 0, "the exit code")


@check("F10", "killed and started anew it has the same rows")
def started_anew(subject: Subject) -> None:
    with rows(subject) as made:
        for _ in range(2):
            with subject.stand.restarted() as other:
                made.insert()
                there = listed(other)
                expect({row["id"] for row in there} >= set(made.made), "rows are missing")
                other.process.kill()
            expect_equal(listed(subject), there, "the rows behind it")


@check("P4", "a wrong variable is exit code 2 and one line")
def wrong_variables(subject: Subject) -> None:
    for name, value in WRONG_VARIABLES.items():
        ended = subject.stand.refused_start({name: value})
        expect_equal(ended.exit_code, WRONG_VARIABLE_CODE, f"the exit code of {name}={value}")
        expect_equal(ended.stdout, "", f"stdout of {name}={value}")
        lines = ended.stderr.splitlines()
        expect_equal(len(lines), 1, f"the lines on stderr of {name}={value}")
        wanted = f"conference: {name} must be "
        expect(lines[0].startswith(wanted), f"of {name}={value} it says {lines[0]}")
        shown = "" if name == "DATABASE_URL" else f', not "{value}"'
        expect(lines[0].endswith(shown) and "secret" not in lines[0], f"it says {lines[0]}")


def _expect_ready_once_it_comes(subject: Subject) -> None:
    hand = subject.stand.dependency(DATABASE)
    hand.stop()
    with ExitStack() as back:
        back.callback(settle, subject)
        starting = back.enter_context(ExitStack())
        starting.callback(hand.start)
        with subject.stand.restarted(unready=True) as other:
            expect_equal(get(other, LIVE).status, 200, "the status of /healthz")
            expect_failure(get(other, READY), "unavailable", "ready", "without the database")
            time.sleep(1.0)  # several attempts to connect have failed
            for answer in at_once([partial(get, other, LIST)] * CALLERS):
                expect_failure(answer, "unavailable", "list", "without the database")
            starting.close()
            wait_until_well(other, COMING_SECONDS, "since the database is there")
