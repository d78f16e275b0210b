from datetime import UTC, datetime, timedelta
from hashlib import sha256
from typing import Any

import pytest

from booking.idempotency import key_of, read_key
from booking.models import Facility
from booking.problem import Problem
from booking.reservation import NewReservation, new_reservation, place
from booking.slots import shown_slots
from tests.faults import faults_of

NOW = datetime(2040, 3, 1, 6, tzinfo=UTC)
BODY = {"facility_id": 1, "starts_at": "2040-03-02T06:00:00Z"}


def facility(**members: object) -> Facility:
    usual: dict[str, Any] = {
        "id": 1,
        "club_id": 1,
        "name": "n",
        "sport": "tennis",
        "slot_minutes": 60,
        "opens": 360,
        "closes": 1320,
        "price_cents": 1250,
        "retired_at": None,
        "created_at": NOW,
    }
    return Facility(**{**usual, **members})


def reserve(**members: object) -> list[str]:
    return faults_of(lambda: new_reservation({**BODY, **members}, NOW))


def at(hour: int, minute: int = 0, slots: int = 1, **rest: int) -> NewReservation:
    return NewReservation(1, datetime(2040, 3, 2, hour, minute, tzinfo=UTC, **rest), slots)


def test_a_reservation_is_of_one_slot_where_nothing_else_is_said() -> None:
    assert new_reservation({**BODY, "slots": None}, NOW) == at(6)


@pytest.mark.parametrize(
    ("members", "faults"),
    [
        ({"facility_id": 0}, ["/facility_id range"]),
        ({"facility_id": 2**63}, ["/facility_id range"]),
        ({"facility_id": "1"}, ["/facility_id type"]),
        ({"starts_at": None}, ["/starts_at required"]),
        ({"starts_at": 5}, ["/starts_at type"]),
        ({"starts_at": "2040-02-30T06:00:00Z"}, ["/starts_at format"]),
        ({"starts_at": "\x00"}, ["/starts_at format"]),
        ({"starts_at": "2019-12-31T23:59:59Z"}, ["/starts_at range"]),
        ({"starts_at": "2100-01-01T00:00:00Z"}, ["/starts_at range"]),
        ({"starts_at": "2040-03-01T06:00:00Z"}, ["/starts_at in-past"]),
        ({"starts_at": "2040-03-01T06:00:00.1Z"}, []),
        ({"starts_at": "2030-01-01T00:00:00Z", "slots": 0}, ["/starts_at in-past", "/slots range"]),
        ({"slots": 5}, ["/slots range"]),
        ({"slots": 1.5}, ["/slots type"]),
    ],
)
def test_of_a_reservation_the_first_fault_of_each_member_is_told_of(
    members: dict[str, object], faults: list[str]
) -> None:
    assert reserve(**members) == faults


def test_its_end_and_price_are_by_its_slots() -> None:
    placed = place(at(20, slots=2), facility())
    assert placed == (datetime(2040, 3, 2, 22, tzinfo=UTC), 2500)
    placed = place(at(22, slots=2), facility(closes=1440))
    assert placed.ends_at == datetime(2040, 3, 3, tzinfo=UTC)


@pytest.mark.parametrize(
    ("asked", "code"),
    [
        (at(5, 59), "outside-hours"),
        (at(22), "outside-hours"),
        (at(21, slots=2), "outside-hours"),
        (at(21, 30), "outside-hours"),
        (at(6, 30), "not-aligned"),
        (at(6, second=1), "not-aligned"),
        (at(6, microsecond=1), "not-aligned"),
    ],
)
def test_it_is_within_the_hours_and_on_the_grid(asked: NewReservation, code: str) -> None:
    retired = facility(retired_at=NOW)
    assert faults_of(lambda: place(asked, retired)) == [f"/starts_at {code}"]


def test_a_retired_facility_takes_none() -> None:
    with pytest.raises(Problem, match="facility-retired"):
        place(at(6), facility(retired_at=NOW))


def test_slots_are_available_where_no_reservation_is_in_them() -> None:
    day = datetime(2040, 3, 2, tzinfo=UTC)
    taken = [(day + timedelta(hours=7), day + timedelta(hours=8, minutes=30))]
    shown = shown_slots(facility(closes=600), day.date(), taken)
    assert shown == {
        "date": "2040-03-02",
        "slots": [
            {
                "starts_at": f"2040-03-02T{hour:02}:00:00Z",
                "ends_at": f"2040-03-02T{hour + 1:02}:00:00Z",
                "available": hour in (6, 9),
            }
            for hour in range(6, 10)
        ],
    }
    retired = shown_slots(facility(retired_at=NOW, closes=420), day.date(), [])
    assert [slot["available"] for slot in retired["slots"]] == [False]  # type: ignore[attr-defined]


def test_a_key_is_visible_ascii() -> None:
    assert read_key(None) is None
    assert read_key("~" * 64) == "~" * 64
    for field in ("", "k" * 65, "a b", "é"):
        with pytest.raises(Problem, match="malformed"):
            read_key(field)


def test_the_fingerprint_is_of_what_is_asked_for() -> None:
    key = key_of("k", at(6))
    assert key.fingerprint == sha256(b"1|2040-03-02T06:00:00Z|1").digest()
    assert key_of("k", at(6, slots=2)).fingerprint != key.fingerprint
