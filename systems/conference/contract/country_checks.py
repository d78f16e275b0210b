"""C1 to C4: the service `country` itself."""

import json
from collections.abc import Sequence
from contextlib import ExitStack
from functools import partial
from urllib.parse import quote

from loadstone.contract import declare
from loadstone.contract.client import Answer, Connection
from loadstone.contract.expect import expect, expect_equal
from loadstone.contract.subject import Subject

from .lib.at_once import timed
from .lib.clock import expect_speed, undisturbed
from .lib.countries import BATCHES, COUNTRIES
from .lib.service import JSON, STARTS_SECONDS, compact, expect_json, get, read_json

check = partial(declare.check, service="country")
with_stand = partial(check, needs_stand=True, seconds=STARTS_SECONDS)

STATS = "/stats"
MOST_NAMES = 1000
LEAST_SECONDS, MOST_SECONDS, MOST_TOGETHER_SECONDS = 0.050, 0.060, 0.150
UNKNOWN = ("No such", "qcon", "QCon ", "Strata/", "é")


@check("C1", "a name has its country, and another one none")
def known_and_unknown(subject: Subject) -> None:
    for name in ("Google I/O", "Strata"):
        expect_json(_look_up(subject, name), 200, {"name": COUNTRIES[name]}, name)
    _expect_unknown(_look_up(subject, "No such"), "No such")


@check("C1", "all 14 names are known exactly")
def every_name(subject: Subject) -> None:
    for name, country in COUNTRIES.items():
        expect_json(_look_up(subject, name), 200, {"name": country}, name)
    for name in UNKNOWN:
        _expect_unknown(_look_up(subject, name), name)
    expect_equal(
        get(subject, "/conferences/Google I/O/country".replace(" ", "%20")).status,
        404,
        "two segments",
    )
    expect_equal(get(subject, "/conferences/QCon/country/").status, 404, "a final slash")


@with_stand("C2", "a delay holds up each answer alone")
def delayed(subject: Subject) -> None:
    with subject.stand.restarted({"DELAY_MS": "50"}) as other, other.connect() as connection:
        undisturbed(partial(_expect_delayed, connection))
        undisturbed(partial(_expect_batch_delayed, other))


@with_stand("C2", "200 delayed at once take little more than one")
def delayed_together(subject: Subject) -> None:
    with subject.stand.restarted({"DELAY_MS": "50"}) as other, ExitStack() as opened:
        connections = [opened.enter_context(other.connect()) for _ in range(200)]
        undisturbed(partial(_expect_delayed_together, connections), attempts=5)


@check("C3", "a batch is answered by position, up to 1,000 names")
def batches(subject: Subject) -> None:
    names = (list(COUNTRIES) * 72)[:MOST_NAMES]
    for asked in (names, list(reversed(names[:14])), ["QCon", "QCon"], []):
        wanted = {"countries": [COUNTRIES[name] for name in asked]}
        expect_json(_batch(subject, asked), 200, wanted, f"a batch of {len(asked)}")
    expect_equal(_batch(subject, [*names, "QCon"]).status, 413, "the status of 1,001 names")
    _expect_unknown(_batch(subject, ["QCon", "No such", "nor this"]), "No such")
    for body in (b"", b"{", b"{}", b"[]", b'{"names":"QCon"}', b'{"names":[5]}'):
        answer = subject.ask(BATCHES, [JSON], body)
        expect_equal(answer.status, 400, f"the status of {body!r}")
    expect_equal(get(subject, BATCHES).status, 405, "the status of GET")


@with_stand("C4", "the counters are exact")
def counters(subject: Subject) -> None:
    # Long enough for the seven to be there together, which are sent one right after the other.
    with subject.stand.restarted({"DELAY_MS": "500"}) as other, ExitStack() as opened:
        connections = [opened.enter_context(other.connect()) for _ in range(7)]
        before = _stats(other)
        _look_up_together(connections)
        _batch(other, ["QCon"] * 5)
        _look_up(other, "No such")
        after = _stats(other)
    # What the start asked for is among them.
    grown = {key: after[key] - before[key] for key in ("lookups", "batches", "names")}
    expect_equal(grown, {"lookups": 8, "batches": 1, "names": 13}, "what was counted")
    expect_equal(after["peak_in_flight"], 7, "the most in flight")


def _path(name: str) -> str:
    return f"/conferences/{quote(name, safe='')}/country"


def _look_up(subject: Subject, name: str) -> Answer:
    return get(subject, _path(name))


def _look_up_together(connections: Sequence[Connection]) -> list[Answer]:
    """One look-up on each, all in flight before the first answer is read."""
    for connection in connections:
        connection.send_request(_path("QCon"), method="GET")
    return [connection.receive_answer() for connection in connections]


def _expect_delayed(connection: Connection) -> None:
    taken = [timed(partial(_look_up_together, [connection]))[1] for _ in range(20)]
    expect(min(taken) >= LEAST_SECONDS, f"an answer took {min(taken) * 1000:.1f} ms")
    middle = sorted(taken)[len(taken) // 2]
    expect_speed(middle <= MOST_SECONDS, f"half of the answers took over {middle * 1000:.1f} ms")


def _expect_batch_delayed(subject: Subject) -> None:
    answer, seconds = timed(partial(_batch, subject, ["QCon"] * 100))
    expect_equal(answer.status, 200, "the status of a batch")
    shown = f"a batch of 100 took {seconds * 1000:.0f} ms"
    expect(seconds >= LEAST_SECONDS, shown)
    expect_speed(seconds <= 2 * LEAST_SECONDS, shown)


def _expect_delayed_together(connections: Sequence[Connection]) -> None:
    answers, seconds = timed(partial(_look_up_together, connections))
    expect_equal({answer.status for answer in answers}, {200}, "the statuses")
    shown = f"200 at once took {seconds * 1000:.0f} ms"
    expect_speed(seconds <= MOST_TOGETHER_SECONDS, shown)


def _batch(subject: Subject, names: list[str]) -> Answer:
    return subject.ask(BATCHES, [JSON], json.dumps({"names": names}).encode())


def _stats(subject: Subject) -> dict[str, int]:
    answer = get(subject, STATS)
    value = read_json(answer.body)
    members = ("lookups", "batches", "names", "peak_in_flight")
    is_whole = isinstance(value, dict) and tuple(value) == members
    expect(is_whole and answer.body == compact(value), f"the counters are {answer.body!r}")
    return dict(value)


def _expect_unknown(answer: Answer, name: str) -> None:
    problem = {
        "message": f"Error ocurred while retrieving the country for the conference: {name}",
        "cause": f"No conference found with the name: {name}",
    }
    expect_json(answer, 404, problem, f"the unknown name {name}")
