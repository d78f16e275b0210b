from datetime import UTC, date, datetime, timedelta

import pytest

from booking.instants import (
    NO_MINUTE,
    is_in_range,
    minute_of_day,
    parse_day,
    parse_instant,
    shown,
)

SIX = datetime(2040, 3, 1, 6, tzinfo=UTC)


@pytest.mark.parametrize(
    "text",
    [
        "2040-03-01T06:00:00Z",
        "2040-03-01T06:00:00.000Z",
        "2040-03-01T08:00:00+02:00",
        "2040-02-29T23:30:00-06:30",
        "2040-03-01T06:00:00-00:00",
    ],
)
def test_an_instant_is_read_in_every_offset(text: str) -> None:
    instant = parse_instant(text)
    assert instant == SIX
    assert shown(SIX) == "2040-03-01T06:00:00Z"


@pytest.mark.parametrize(
    "text",
    [
        "",
        "2040-03-01",
        "2040-03-01T06:00Z",
        "2040-03-01T06:00:00",
        "2040-03-01t06:00:00Z",
        "2040-03-01T06:00:00z",
        "2040-03-01 06:00:00Z",
        "2040-03-01T06:00:00.Z",
        "2040-03-01T06:00:00,5Z",
        "2040-02-30T06:00:00Z",
        "2039-02-29T06:00:00Z",
        "2040-13-01T06:00:00Z",
        "2040-03-01T24:00:00Z",
        "2040-03-01T06:60:00Z",
        "2040-03-01T06:00:60Z",
        "2040-03-01T06:00:00+24:00",
        "2040-03-01T06:00:00+02:60",
        "2040-03-01T06:00:00+0200",
        "2040-03-01T06:00:00Z\n",
        "２040-03-01T06:00:00Z",
    ],
)
def test_other_texts_are_no_instant(text: str) -> None:
    assert parse_instant(text) is None


@pytest.mark.parametrize(
    ("fraction", "beside"),
    [
        (".5", timedelta(milliseconds=500)),
        (".000001", timedelta(microseconds=1)),
        (".0000000001", timedelta(microseconds=1)),
        (".9999999999", timedelta(microseconds=999_999)),
        (".0000000000", timedelta()),
    ],
)
def test_a_fraction_is_never_cut_to_nothing(fraction: str, beside: timedelta) -> None:
    assert parse_instant(f"2040-03-01T06:00:00{fraction}Z") == SIX + beside


@pytest.mark.parametrize(
    ("text", "is_in"),
    [
        ("2020-01-01T00:00:00Z", True),
        ("2020-01-01T00:00:00+00:01", False),
        ("2099-12-31T23:59:59Z", True),
        ("2099-12-31T23:59:59-00:01", False),
        ("0001-01-01T00:00:00+01:00", False),
        ("9999-12-31T23:59:59-01:00", False),
    ],
)
def test_the_year_is_that_of_utc(text: str, is_in: bool) -> None:
    instant = parse_instant(text)
    assert instant is not None
    assert is_in_range(instant) is is_in


def test_a_minute_of_a_day_has_no_seconds() -> None:
    assert minute_of_day(SIX) == 360
    assert minute_of_day(SIX + timedelta(seconds=1)) == NO_MINUTE
    assert minute_of_day(SIX + timedelta(microseconds=1)) == NO_MINUTE


def test_a_day_is_of_the_calendar_and_of_the_years_in_question() -> None:
    assert parse_day("2040-02-29") == date(2040, 2, 29)
    for text in ("2039-02-29", "20400229", "2040-W09-3", "2019-12-31", "2100-01-01", "", "x"):
        assert parse_day(text) is None
