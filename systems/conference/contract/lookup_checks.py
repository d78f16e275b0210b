"""W1 to W6, W14 and W15: how countries are looked up, while `country` serves."""

from functools import partial
from math import ceil
from threading import Event

from loadstone.contract import declare
from loadstone.contract.expect import expect, expect_equal
from loadstone.contract.subject import Subject

from .lib.at_once import at_once, timed
from .lib.bodies import DATABASE, SIX, WITH_COUNTRIES, expect_body, level
from .lib.clock import expect_speed, undisturbed
from .lib.countries import (
    BATCHES,
    PATIENT,
    Country,
    held_until,
    name_of,
    names_asked,
    names_of,
    with_countries,
)
from .lib.rows import rows
from .lib.service import (
    JSON,
    MANY_SECONDS,
    STARTS_SECONDS,
    WITH_COUNTRY,
    expect_json,
    get,
    listed,
    rows_of,
)

declared = partial(declare.check, operation="with-country", needs_upstream=True)
check = partial(declared, seconds=MANY_SECONDS)
with_stand = partial(declared, needs_stand=True, seconds=STARTS_SECONDS)

STRATEGIES = ("sequential", "concurrent", "batched")
DELAY_SECONDS = 0.05
SEEN_SECONDS = 0.1
"""For which those that may be in flight stay so, that one too many is seen beside them."""
LONG_DELAY_SECONDS = 0.2
"""Beside which the work of a service is little, on a slow core as well."""
LIST_SECONDS = 0.2
SIX_NAMES = ("Strata", "IBM Think", "QCon", "Microsoft Ignite", "KubeCon", "MS Build")
"""By id."""
STRANGE_NAMES = (
    *("Google I/O", "what?", "C#", "100%", "/..", "a+b", "é", "a&b=c;d", "%2F", "\\", '"', "a:b@c"),
    "\N{MUSICAL SYMBOL G CLEF}",
)


@with_stand("W1", "six rows with their countries have their bytes, by each strategy")
def bytes_of_joined(subject: Subject) -> None:
    with level(subject, SIX):
        for strategy in STRATEGIES:
            subject.upstream.answer_with(Country())
            with subject.stand.restarted({**PATIENT, "STRATEGY": strategy}) as other:
                answer = get(other, WITH_COUNTRY)
            expect_equal(answer.status, 200, f"the status where it is {strategy}")
            expect_body(answer.body, WITH_COUNTRIES[SIX], f"the list where it is {strategy}")


@with_stand("W1", "no rows, and 1,000, have their bytes")
def bytes_of_few_and_many(subject: Subject) -> None:
    for count in ("0", "1000"):
        with level(subject, count):
            subject.upstream.answer_with(Country())
            answer = get(subject, WITH_COUNTRY)
            expect_equal(answer.status, 200, f"the status with {count} rows")
            expect_body(answer.body, WITH_COUNTRIES[count], f"the list of {count} rows")


@check("W2", "each row is looked up, in each request")
def each_row(subject: Subject) -> None:
    subject.upstream.answer_with(Country())
    with rows(subject) as made:
        for name in ("KubeCon", "KubeCon", "QCon"):
            made.insert(name)
        whole = listed(subject)
        for number in (1, 2):
            answer = get(subject, WITH_COUNTRY)
            expect_json(answer, 200, with_countries(whole), "the list with countries")
            asked = len(names_asked(subject.upstream))
            expect_equal(asked, number * len(whole), f"the look-ups of {number} requests")


@check("W3", "look-ups in sequence are in the order of the rows, one in flight")
def in_sequence(subject: Subject) -> None:
    country = Country(DELAY_SECONDS)
    subject.upstream.answer_with(country)
    names = [row["name"] for row in listed(subject)]
    rows_of(get(subject, WITH_COUNTRY), ("name", "country"))
    expect_equal(names_asked(subject.upstream), names, "the look-ups")
    expect_equal(country.peak, min(1, len(names)), "the most look-ups in flight")
    bodies = [each.body for each in subject.upstream.exchanges]
    expect_equal(bodies, [b""] * len(names), "the bodies of look-ups")


@with_stand("W4", "concurrent look-ups are as many at once as WIDTH allows")
def width(subject: Subject) -> None:
    with level(subject, SIX):
        for variables, most in (({}, 6), ({"WIDTH": "4"}, 4), ({"WIDTH": "1"}, 1)):
            country = Country(SEEN_SECONDS, together=most)
            subject.upstream.answer_with(country)
            concurrent = {**PATIENT, "STRATEGY": "concurrent", **variables}
            with subject.stand.restarted(concurrent) as other:
                for _ in range(2):  # the first one may begin too slowly to go too far
                    answer = get(other, WITH_COUNTRY)
                    expect_body(answer.body, WITH_COUNTRIES[SIX], f"the list with {variables}")
            expect_equal(country.peak, most, f"the most look-ups in flight with {variables}")


@with_stand("W4", "concurrent look-ups take the time of one, those in sequence that of all")
def time_of_strategies(subject: Subject) -> None:
    with level(subject, SIX):
        subject.upstream.answer_with(Country(LONG_DELAY_SECONDS))
        with subject.stand.restarted({**PATIENT, "STRATEGY": "concurrent"}) as other:
            undisturbed(partial(_expect_together, other), attempts=10)
        answer, apart = timed(partial(get, subject, WITH_COUNTRY))
    expect_equal(answer.status, 200, "a status")
    shown = f"six look-ups in sequence took {apart * 1000:.0f} ms"
    expect(apart >= 6 * LONG_DELAY_SECONDS, shown)


@with_stand("W5", "batches have their size, in order, and nothing is looked up singly")
def batches(subject: Subject) -> None:
    with level(subject, SIX):
        for size in (100, 6, 4, 1):
            subject.upstream.forget()
            country = Country(0.005)
            subject.upstream.answer_with(country)
            variables = {**PATIENT, "STRATEGY": "batched", "BATCH_SIZE": str(size)}
            with subject.stand.restarted(variables) as other:
                answer = get(other, WITH_COUNTRY)
            expect_body(answer.body, WITH_COUNTRIES[SIX], f"the list in batches of {size}")
            seen = [(each.method, each.target) for each in subject.upstream.exchanges]
            expect_equal(seen, [("POST", BATCHES)] * ceil(6 / size), f"batches of {size}")
            asked = [names_of(each) for each in subject.upstream.exchanges]
            wanted = [list(SIX_NAMES[at : at + size]) for at in range(0, 6, size)]
            expect_equal(asked, wanted, f"the names in batches of {size}")
            expect_equal(country.peak, 1, "the most batches in flight")
            types = {each.head.values("content-type") for each in subject.upstream.exchanges}
            expect_equal(types, {(JSON[1],)}, "Content-Type of batches")


@check("W6", "names are one segment of the path, and decode to themselves")
def names_in_paths(subject: Subject) -> None:
    subject.upstream.answer_with(Country())
    with rows(subject) as made:
        for name in STRANGE_NAMES:
            made.insert(name)
        whole = listed(subject)
        answer = get(subject, WITH_COUNTRY)
    expect_equal(answer.status, 200, "the status with strange names")
    asked = names_asked(subject.upstream)
    expect_equal(sorted(asked), sorted(row["name"] for row in whole), "the names, decoded,")
    for each in subject.upstream.exchanges:
        expect_equal(each.target.count("/"), 3, f"the slashes of {each.target}")
        expect(not {"?", "#"} & set(each.target), f"the target {each.target} ends within the name")
        if name_of(each) == "Google I/O":
            expect_equal(each.target, "/conferences/Google%20I%2FO/country", "the target")


@with_stand("W14", "look-ups hold no connection to the database")
def no_connection_held(subject: Subject) -> None:
    is_listed = Event()
    variables = {**PATIENT, "POOL_SIZE": "1"}
    with level(subject, SIX), subject.stand.restarted(variables) as other:
        subject.upstream.answer_with(held_until(is_listed))
        with other.connect() as waiting:
            waiting.send_request(WITH_COUNTRY, method="GET")
            subject.upstream.wait_for_exchange(subject.deadline)
            try:
                undisturbed(partial(_expect_listed, other), attempts=5)
                open_now = subject.stand.dependency(DATABASE).sessions()
                expect(not any(each.in_transaction for each in open_now), "a transaction is open")
            finally:
                is_listed.set()
            waiting.receive_answer()


@with_stand("W15", "callers share the connections to country")
def shared_connections(subject: Subject) -> None:
    with level(subject, SIX):
        for variables, most in (({}, 64), ({"COUNTRY_CONNECTIONS": "5"}, 5)):
            patient = {**PATIENT, "DB_TIMEOUT_MS": "60000", "STRATEGY": "concurrent"}
            with subject.stand.restarted({**patient, **variables}) as other:
                for _ in range(2):  # at first it may be too slow to need more
                    subject.upstream.forget()
                    subject.upstream.answer_with(Country(0.02))
                    for answer in at_once([partial(get, other, WITH_COUNTRY)] * 20):
                        expect_equal(answer.status, 200, f"a status with {variables}")
                    used = len({each.connection for each in subject.upstream.exchanges})
                    shown = f"20 callers took {used} connections to country, not {most}"
                    expect(used <= most, shown)


def _expect_together(subject: Subject) -> None:
    answer, seconds = timed(partial(get, subject, WITH_COUNTRY))
    expect_equal(answer.status, 200, "a status")
    shown = f"six concurrent look-ups took {seconds * 1000:.0f} ms"
    expect_speed(seconds < 3 * LONG_DELAY_SECONDS, shown)


def _expect_listed(subject: Subject) -> None:
    _, seconds = timed(partial(listed, subject))
    expect_speed(seconds <= LIST_SECONDS, f"a list beside look-ups took {seconds * 1000:.0f} ms")
