import pytest

from booking.club import club_filter
from booking.facility import facility_filter
from booking.page import Page, cursor_of, read_page
from booking.problem import Problem
from booking.query import Query
from booking.reservation import reservation_filter


def test_a_query_filters_clubs() -> None:
    query = Query(b"mine=true&city=Nor%20vale&q=50%25+off&other=%00%FF")
    assert club_filter(query, 7) == (7, "Nor vale", "%50\\% off%")
    assert club_filter(Query("city=Škofja".encode()), 7).city == "Škofja"
    assert club_filter(Query(b"mine=false"), 7) == (None, None, None)


@pytest.mark.parametrize(
    "query",
    [
        b"mine=",
        b"mine=True",
        b"city=",
        b"city=" + b"a" * 101,
        b"city=%00",
        b"q=" + b"a" * 51,
        b"q=%BF%27",
        b"q=%C0%AF",
        b"q=\xff",
    ],
)
def test_other_queries_filter_no_clubs(query: bytes) -> None:
    with pytest.raises(Problem, match="malformed"):
        club_filter(Query(query), 7)


def test_texts_are_counted_in_code_points_and_a_broken_escape_is_kept() -> None:
    assert club_filter(Query(b"city=" + b"%F0%9F%98%80" * 100), 7).city == "\U0001f600" * 100
    assert club_filter(Query(b"city=%zz"), 7).city == "%zz"


def test_a_query_filters_facilities() -> None:
    at = b"2040-03-10T12:00:00%2B02:00"
    where = facility_filter(Query(b"available=true&at=" + at + b"&sport=padel&club_id=3"))
    assert where.available is not None
    assert (where.available.minute, where.sport, where.club_id) == (600, "padel", 3)
    assert facility_filter(Query(b"available=false&at=" + at)).available is None
    assert facility_filter(Query(b"at=" + at)).available is None


@pytest.mark.parametrize(
    "query",
    [
        b"available=true",
        b"available=1",
        b"at=2040-03-10",
        b"at=2040-03-10T12:00:00+02:00",
        b"sport=chess",
        b"club_id=0",
        b"club_id=01",
        b"club_id=12345678901234567",
        b"club_id=",
    ],
)
def test_other_queries_filter_no_facilities(query: bytes) -> None:
    with pytest.raises(Problem, match="malformed"):
        facility_filter(Query(query))


def test_a_query_filters_reservations() -> None:
    query = Query(b"facility_id=9999999999999999&status=accepted")
    assert reservation_filter(query) == (9_999_999_999_999_999, "accepted")
    with pytest.raises(Problem, match="malformed"):
        reservation_filter(Query(b"status=open"))


def test_a_day_may_not_be_missing() -> None:
    assert Query(b"date=2040-03-01").day("date").isoformat() == "2040-03-01"
    for query in (b"", b"date=", b"date=2040-02-30", b"date=2100-01-01"):
        with pytest.raises(Problem, match="malformed"):
            Query(query).day("date")


def test_a_page_begins_before_all_rows_where_nothing_else_is_said() -> None:
    assert read_page(Query(b"")) == Page(20, None)
    assert read_page(Query(b"limit=1")).rows == 2
    assert read_page(Query(b"limit=100&cursor=MTIz")) == Page(100, 123)


@pytest.mark.parametrize("id_", [1, 12, 123, 9_999_999_999_999_999])
def test_a_cursor_is_read_as_it_was_shown(id_: int) -> None:
    assert read_page(Query(b"cursor=" + cursor_of(id_).encode())).after == id_
    assert "=" not in cursor_of(id_)


@pytest.mark.parametrize(
    "query",
    [
        b"limit=",
        b"limit=0",
        b"limit=101",
        b"limit=-1",
        b"limit=05",
        b"limit=x",
        b"limit=%C2%B2",
        b"limit=1%0A",
        b"cursor=",
        b"cursor=x",
        b"cursor=MTI=",
        b"cursor=MT",
        b"cursor=MTJ",  # bits that no character has
        b"cursor=MDE",  # 01
        b"cursor=eA",  # x
        b"cursor=_w",
        b"cursor=MTI+",
    ],
)
def test_other_queries_are_no_page(query: bytes) -> None:
    with pytest.raises(Problem, match="malformed"):
        read_page(Query(query))
