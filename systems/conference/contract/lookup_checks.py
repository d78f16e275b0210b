"""W1 to W6, W14 and W15: how countries are looked up, while `country` serves."""

from functools import partial
from math import ceil

from loadstone.contract import declare
from loadstone.contract.expect import expect, expect_equal
from loadstone.contract.subject import Subject

from .lib.at_once import at_once, timed
from .lib.bodies import DATABASE, SIX, WITH_COUNTRIES, expect_body, level
from .lib.countries import (
    BATCHES,
    Country,
    name_of,
    names_asked,
    names_of,
    with_countries,
)
from .lib.rows import rows
from .lib.service import JSON, STARTS_SECONDS, WITH_COUNTRY, expect_json, get, listed, rows_of

check = partial(declare.check, operation="with-country", needs_upstream=True)
with_stand = partial(check, needs_stand=True, seconds=STARTS_SECONDS)

STRATEGIES = ("sequential", "concurrent", "batched")
DELAY_SECONDS = 0.05
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
            with subject.stand.restarted({"STRATEGY": strategy}) as other:
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
    country = Country(0.01)
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
            country = Country(DELAY_SECONDS)
            subject.upstream.answer_with(country)
            with subject.stand.restarted({"STRATEGY": "concurrent", **variables}) as other:
                answer = get(other, WITH_COUNTRY)
            expect_body(answer.body, WITH_COUNTRIES[SIX], f"the list with {variables}")
            expect_equal(country.peak, most, f"the most look-ups in flight with {variables}")


@with_stand("W4", "concurrent look-ups take the time of one, those in sequence that of all")
def time_of_strategies(subject: Subject) -> None:
    with level(subject, SIX):
        with subject.stand.restarted({"STRATEGY": "concurrent"}) as other:
            together = _fastest_seconds(other)
        apart = _fastest_seconds(subject)
    expect(together < 0.150, f"six concurrent look-ups took {together * 1000:.0f} ms")
    expect(apart >= 0.300, f"six look-ups in sequence took {apart * 1000:.0f} ms")


@with_stand("W5", "batches have their size, in order, and nothing is looked up singly")
def batches(subject: Subject) -> None:
    with level(subject, SIX):
        for size in (100, 6, 4, 1):
            subject.upstream.forget()
            country = Country(0.005)
            subject.upstream.answer_with(country)
            variables = {"STRATEGY": "batched", "BATCH_SIZE": str(size)}
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
    with level(subject, SIX), subject.stand.restarted({"POOL_SIZE": "1"}) as other:
        for _ in range(3):
            listed(other)
        subject.upstream.answer_with(Country(0.5))
        with other.connect() as waiting:
            waiting.send_request(WITH_COUNTRY, method="GET")
            subject.upstream.wait_for_exchange(subject.deadline)
            _, seconds = timed(partial(listed, other))
            open_now = subject.stand.dependency(DATABASE).sessions()
            expect(not any(each.in_transaction for each in open_now), "a transaction is open")
            waiting.receive_answer()
    expect(seconds <= 0.200, f"a list beside look-ups took {seconds * 1000:.0f} ms")


@with_stand("W15", "callers share the connections to country")
def shared_connections(subject: Subject) -> None:
    with level(subject, SIX):
        for variables, most in (({}, 64), ({"COUNTRY_CONNECTIONS": "5"}, 5)):
            subject.upstream.forget()
            subject.upstream.answer_with(Country(0.02))
            with subject.stand.restarted({"STRATEGY": "concurrent", **variables}) as other:
                answers = at_once([partial(get, other, WITH_COUNTRY)] * 20)
            for answer in answers:
                expect_equal(answer.status, 200, f"a status with {variables}")
            used = len({each.connection for each in subject.upstream.exchanges})
            expect(used <= most, f"20 callers took {used} connections to country, not {most}")


def _fastest_seconds(subject: Subject) -> float:
    """Of a few requests, once the service has served some: other work of the machine is not its."""
    subject.upstream.answer_with(Country())
    for _ in range(5):
        get(subject, WITH_COUNTRY)
    subject.upstream.answer_with(Country(DELAY_SECONDS))
    seconds = []
    for _ in range(4):
        answer, taken = timed(partial(get, subject, WITH_COUNTRY))
        expect_equal(answer.status, 200, "a status")
        seconds.append(taken)
    return min(seconds)
