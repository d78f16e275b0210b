"""L1 to L6: what is listed, whole and in pages, and what the database does for it."""

import re
from concurrent.futures import ThreadPoolExecutor
from functools import partial

from loadstone.contract import declare
from loadstone.contract.client import Answer
from loadstone.contract.expect import expect, expect_equal
from loadstone.contract.subject import Subject

from .lib.at_once import at_once, timed
from .lib.bodies import DATABASE, LISTS, SIX, expect_body, level
from .lib.clock import expect_speed, undisturbed
from .lib.countries import Country
from .lib.problems import PAGE_DETAIL, expect_failure, expect_fault
from .lib.rows import rows
from .lib.service import LIST, LIVE, MANY_SECONDS, WITH_COUNTRY, get, listed, rows_of

LONG_SECONDS = 90.0
"""Four lists of 100,000 rows at once, or one in several attempts; each alone has five seconds."""

quick = partial(declare.check, operation="list", quick=True)
check = partial(declare.check, operation="list", seconds=MANY_SECONDS)
with_stand = partial(check, needs_stand=True, seconds=LONG_SECONDS)

MANY = "100000"
SOME = "1000"
WRONG_PAGES = (
    *(
        "limit=0",
        "limit=1001",
        "limit=-1",
        "limit=x",
        "limit=",
        "limit=07",
        "limit=1.0",
        "limit=%2B1",
    ),
    *("limit=7&after=", "limit=7&after=-a", "limit=7&after=a%20b", f"limit=7&after={'a' * 65}"),
    *("limit=99999999999999999999", "after=CONF-2021-002"),
)
NEXT = re.compile(r'<(/[a-z]+\?limit=[0-9]+&after=[A-Za-z0-9._~-]+)>; rel="next"')
LIST_SECONDS = 5.0
LIVE_SECONDS = 1.0
MOST_BYTES = 1 << 30


@quick("L1", "a page is compact, and by id")
def page(subject: Subject) -> None:
    identifiers = [row["id"] for row in rows_of(get(subject, f"{LIST}?limit=7"))]
    expect_equal(identifiers, sorted(identifiers), "the order of ids")


@with_stand("L1", "with none, six and 1,000 rows the list has its bytes")
def bytes_of_lists(subject: Subject) -> None:
    for count in ("0", SIX, SOME):
        with level(subject, count):
            answer = get(subject, LIST)
            expect_equal(answer.status, 200, f"the status with {count} rows")
            media_types = answer.values("content-type")
            expect_equal(media_types, ("application/json",), "Content-Type")
            expect_body(answer.body, LISTS[count], f"the list of {count} rows")


@with_stand("L2", "100,000 rows are listed in time, and others are served")
def long_list(subject: Subject) -> None:
    with level(subject, MANY):
        undisturbed(partial(_expect_long_list, subject))


@with_stand("L2", "four long lists at once leave the process alive")
def four_long_lists(subject: Subject) -> None:
    with level(subject, MANY):
        answers = at_once([partial(get, subject, LIST)] * 4)
        for answer in answers:
            if answer.status == 200:
                expect_body(answer.body, LISTS[MANY], "a long list beside others")
            else:
                expect_failure(answer, "unavailable", "list", "of a long list beside others")
        _expect_memory(subject)
    expect_equal(get(subject, LIVE).status, 200, "the status of /healthz behind them")


@check("L3", "a new row is in the next list, and a removed one is not")
def fresh(subject: Subject) -> None:
    with rows(subject) as made:
        for _ in range(50):
            identifier = made.insert()
            there = [row["id"] for row in listed(subject)]
            expect(identifier in there, f"{identifier} had its 202 and is not in the next list")


@with_stand("L4", "a list is one SELECT of its rows")
def one_select(subject: Subject) -> None:
    hand = subject.stand.dependency(DATABASE)
    with level(subject, SIX):
        before = hand.work()
        for _ in range(10):
            listed(subject)
        work = hand.work().minus(before)
    expect_equal((work.statements, work.select), (10, 10), "statements and SELECTs of 10 lists")
    expect_equal(work.rows_sent, 60, "the rows sent for 10 lists of six")


@quick("L5", "a wrong page is 400")
def wrong_page(subject: Subject) -> None:
    _expect_no_page(subject, f"{LIST}?limit=0")


@check("L5", "every wrong page of both lists is 400", needs_upstream=True)
def every_wrong_page(subject: Subject) -> None:
    for path in (LIST, WITH_COUNTRY):
        for query in WRONG_PAGES:
            _expect_no_page(subject, f"{path}?{query}")


@check("L5", "pages give every row once, and name the next where there is one", needs_upstream=True)
def pages(subject: Subject) -> None:
    subject.upstream.answer_with(Country())
    with rows(subject) as made:
        for _ in range(16):
            made.insert()
        whole = listed(subject)
        names = [{"name": row["name"]} for row in whole]
        for limit in (1, 7, len(whole) - 1, len(whole), len(whole) + 1):
            expect_equal(_all_pages(subject, LIST, limit), whole, f"pages of {limit}")
        joined = _all_pages(subject, WITH_COUNTRY, 7)
        expect_equal([{"name": row["name"]} for row in joined], names, "pages with countries")
        # Behind the last row, and behind an id that no row has.
        expect_equal(rows_of(get(subject, f"{LIST}?limit=7&after=zzzz")), [], "a page behind all")
        between = f"{made.made[3]}-"
        behind = [row for row in whole if row["id"] > between][:7]
        expect_equal(rows_of(get(subject, f"{LIST}?limit=7&after={between}")), behind, "a page")


@with_stand("L6", "a page reads no more rows than it needs")
def page_reads(subject: Subject) -> None:
    hand = subject.stand.dependency(DATABASE)
    with level(subject, SOME):
        before = hand.work()
        for _ in range(10):
            answer = get(subject, f"{LIST}?limit=7&after=SEED-00000500")
            expect_equal(len(rows_of(answer)), 7, "the rows of a page")
        work = hand.work().minus(before)
    expect_equal(work.statements, 10, "the statements of 10 pages")
    assert work.rows_read is not None, "MariaDB tells it"
    expect(work.rows_read <= 80, f"10 pages of 7 read {work.rows_read} rows, more than 8 each")
    expect(work.rows_sent <= 80, f"10 pages of 7 sent {work.rows_sent} rows, more than 8 each")


def _expect_long_list(subject: Subject) -> None:
    with ThreadPoolExecutor(1) as pool:
        listing = pool.submit(timed, partial(get, subject, LIST))
        slowest = 0.0
        while not listing.done():
            answer, seconds = timed(partial(get, subject, LIVE))
            expect_equal(answer.status, 200, "the status of /healthz beside a long list")
            slowest = max(slowest, seconds)
        answer, seconds = listing.result()
    expect_body(answer.body, LISTS[MANY], "the long list")
    _expect_memory(subject)
    expect_speed(seconds <= LIST_SECONDS, f"100,000 rows took {seconds:.1f} s")
    expect_speed(slowest <= LIVE_SECONDS, f"/healthz took {slowest:.1f} s beside a long list")


def _expect_memory(subject: Subject) -> None:
    used = subject.process.rss_bytes()
    expect(0 < used <= MOST_BYTES, f"the process has {used >> 20} MiB of memory")


def _expect_no_page(subject: Subject, target: str) -> None:
    expect_fault(get(subject, target), "malformed", f"of {target}", detail=PAGE_DETAIL)


def _all_pages(subject: Subject, path: str, limit: int) -> list[dict[str, str]]:
    """Follow the pages from the first to the last; each but the last is full."""
    members = ("id", "name") if path == LIST else ("name", "country")
    found: list[dict[str, str]] = []
    target: str | None = f"{path}?limit={limit}"
    while target is not None:
        answer = get(subject, target)
        page = rows_of(answer, members)
        found += page
        following = _next(answer)
        if following is not None:
            expect_equal(len(page), limit, "the rows of a page that has a next one")
            expect(following.startswith(f"{path}?limit={limit}&"), f"Link names {following}")
        else:
            expect(0 < len(page) <= limit, f"the last page has {len(page)} rows")
        target = following
    return found


def _next(answer: Answer) -> str | None:
    links = answer.values("link")
    if not links:
        return None
    found = NEXT.fullmatch(links[0])
    if len(links) > 1 or found is None:
        raise AssertionError(f"Link is {links}")
    return found[1]
