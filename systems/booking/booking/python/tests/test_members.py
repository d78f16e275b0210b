import pytest

from booking.account import credentials, new_account
from booking.club import new_club, pattern_of
from booking.facility import new_facility
from booking.rating import new_rating
from tests.faults import faults_of

ASTRAL = "\U0001f600"
ACCOUNT = {"email": "Ann@Booking.example", "name": "Ann", "password": "12345678"}
CLUB = {"name": "n", "city": "c"}
FACILITY = {
    "name": "n",
    "sport": "padel",
    "slot_minutes": 60,
    "opens": 360,
    "closes": 1320,
    "price_cents": 0,
}


def account(**members: object) -> list[str]:
    return faults_of(lambda: new_account({**ACCOUNT, **members}))


def club(**members: object) -> list[str]:
    return faults_of(lambda: new_club({**CLUB, **members}))


def facility(**members: object) -> list[str]:
    return faults_of(lambda: new_facility({**FACILITY, **members}))


@pytest.mark.parametrize("value", [None, [], 1, 1.0, "a", True])
def test_other_values_are_no_object(value: object) -> None:
    assert faults_of(lambda: new_club(value)) == [" type"]


def test_members_that_are_not_named_are_ignored() -> None:
    assert club(more="\x00") == []


def test_an_account_has_its_address_in_lower_case_and_its_password_in_bytes() -> None:
    made = new_account({**ACCOUNT, "password": "é" * 4})
    assert made == ("ann@booking.example", "Ann", "é".encode() * 4, "player")
    assert new_account({**ACCOUNT, "role": None}).role == "player"
    assert new_account({**ACCOUNT, "role": "owner"}).role == "owner"


@pytest.mark.parametrize(
    ("members", "faults"),
    [
        ({"email": None}, ["/email required"]),
        ({"email": 5}, ["/email type"]),
        ({"email": "a@b"}, ["/email format"]),
        ({"email": "a@b.c"}, ["/email too-short"]),
        ({"email": "ab@b.c"}, []),
        ({"email": "a" * 65 + "@booking.example"}, ["/email format"]),
        ({"email": "a@" + "b" * 190}, ["/email format"]),
        ({"email": "\u212aelvin@booking.example"}, ["/email format"]),
        ({"email": "é@booking.example"}, ["/email format"]),
        ({"email": "a@booking.example\n"}, ["/email format"]),
        ({"name": ""}, ["/name too-short"]),
        ({"name": ASTRAL * 100}, []),
        ({"name": ASTRAL * 101}, ["/name too-long"]),
        ({"name": "a\x00" * 101}, ["/name format"]),
        ({"name": "\ud800"}, ["/name format"]),
        ({"password": "é" * 3 + "a"}, ["/password too-short"]),
        ({"password": "é" * 36}, []),
        ({"password": "é" * 36 + "a"}, ["/password too-long"]),
        ({"role": "admin"}, ["/role unknown-value"]),
        ({"role": ["owner"]}, ["/role type"]),
        ({"role": 1, "email": 1, "password": 1, "name": 1}, ["/email type", "/name type",
          "/password type", "/role type"]),
    ],
)  # fmt: skip
def test_of_an_account_the_first_fault_of_each_member_is_told_of(
    members: dict[str, object], faults: list[str]
) -> None:
    assert account(**members) == faults


def test_credentials_are_any_texts_and_some_addresses_are_of_no_account() -> None:
    assert credentials({"email": "A@b.cd", "password": ""}) == ("a@b.cd", b"")
    assert credentials({"email": "nobody", "password": "p" * 100}).email is None
    assert faults_of(lambda: credentials({"email": "\x00", "password": None})) == [
        "/email format",
        "/password required",
    ]


def test_a_club_may_come_without_a_description() -> None:
    assert new_club({**CLUB, "description": None}) == ("n", "c", "")
    assert club(description="d" * 1001) == ["/description too-long"]


def test_a_part_of_a_name_stands_for_itself() -> None:
    assert pattern_of("50%_\\") == "%50\\%\\_\\\\%"


@pytest.mark.parametrize(
    ("members", "faults"),
    [
        ({}, []),
        ({"sport": "chess"}, ["/sport unknown-value"]),
        ({"slot_minutes": 45}, ["/slot_minutes unknown-value"]),
        ({"slot_minutes": "60"}, ["/slot_minutes type"]),
        ({"opens": 360.0}, ["/opens type"]),
        ({"opens": True}, ["/opens type"]),
        ({"opens": -1}, ["/opens range"]),
        ({"closes": 1441, "price_cents": 1_000_001}, ["/closes range", "/price_cents range"]),
        ({"closes": 360}, ["/closes range"]),
        ({"closes": 370, "price_cents": -1}, ["/closes not-aligned", "/price_cents range"]),
        ({"closes": 420, "opens": 0, "slot_minutes": 45}, ["/slot_minutes unknown-value"]),
        ({"price_cents": 2**63}, ["/price_cents range"]),
        ({"price_cents": float("inf")}, ["/price_cents type"]),
        ({"price_cents": None}, ["/price_cents required"]),
    ],
)
def test_of_a_facility_the_hours_are_looked_at_last_and_told_of_in_order(
    members: dict[str, object], faults: list[str]
) -> None:
    assert facility(**members) == faults


def test_a_rating_has_stars_and_may_have_a_comment() -> None:
    assert new_rating({"stars": 5, "comment": None}) == (5, "")
    for stars, code in ((0, "range"), (6, "range"), (4.5, "type"), (None, "required")):
        assert faults_of(lambda value=stars: new_rating({"stars": value})) == [f"/stars {code}"]  # type: ignore[misc]
    assert faults_of(lambda: new_rating({"stars": 1, "comment": "c" * 501})) == [
        "/comment too-long"
    ]
