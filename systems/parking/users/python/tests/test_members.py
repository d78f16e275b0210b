from collections.abc import Callable
from hashlib import sha256

import pytest

from users.coins import debit, grant
from users.members import Members, characters
from users.problem import Kind, Problem
from users.user import fault_of_email, fault_of_password, new_user

USER = {
    "firstName": "Sefa",
    "lastName": "Larkmoor",
    "email": "sefa@park.example",
    "password": "Loadstone#Park-1",
    "nif": 700_000_005,
    "licensePlateNumber": "LA-00015",
    "vehicleType": "AUTOMOBILE",
    "vehicleEnergySource": "FUEL",
    "paymentMethod": "PAYPAL",
}
GRANT = {"userIds": [6, 4], "amount": -30, "reason": "grüße|1"}


def kind_of(read: Callable[[], object]) -> Kind:
    with pytest.raises(Problem) as caught:
        read()
    return caught.value.kind


def faults_of(read: Callable[[], object]) -> list[tuple[str, str]]:
    with pytest.raises(Problem) as caught:
        read()
    assert caught.value.kind is Kind.INVALID
    return [(fault.pointer, fault.code) for fault in caught.value.faults]


def test_the_faults_of_a_new_user_are_in_order() -> None:
    assert new_user(USER).vehicle == ("LA-00015", 0, 0)
    assert faults_of(lambda: new_user({})) == [(f"/{name}", "required") for name in USER]
    wrong = USER | {"firstName": "", "nif": 99_999_999, "vehicleType": "automobile"}
    assert faults_of(lambda: new_user(wrong)) == [
        ("/firstName", "too-short"),
        ("/nif", "range"),
        ("/vehicleType", "unknown-value"),
    ]


@pytest.mark.parametrize("value", ["5", 5.5, True, [5], {}, float("inf")])
def test_nothing_is_coerced(value: object) -> None:
    assert kind_of(lambda: new_user(USER | {"nif": value})) is Kind.MALFORMED
    assert kind_of(lambda: grant(GRANT | {"userIds": [4, value]})) is Kind.MALFORMED
    assert kind_of(lambda: grant(GRANT | {"userIds": [None]})) is Kind.MALFORMED


def test_a_member_of_no_name_is_unknown() -> None:
    assert kind_of(lambda: new_user(USER | {"role": "SUPERVISOR"})) is Kind.UNKNOWN_MEMBER
    assert kind_of(lambda: new_user([])) is Kind.MALFORMED


def test_texts_are_counted_in_code_points() -> None:
    def read(text: str) -> str:
        members = Members({"a": text})
        found = members.text("a", characters(1, 60))
        members.refuse_faults()
        return found

    assert len(read("𝄞" * 60)) == 60
    assert faults_of(lambda: read("𝄞" * 61)) == [("/a", "too-long")]
    for control in "\0\x1f\x7f\x9f":
        assert faults_of(lambda text=control: read(text)) == [("/a", "characters")]  # type: ignore[misc]
    assert kind_of(lambda: read("\ud800")) is Kind.MALFORMED


@pytest.mark.parametrize(
    ("email", "code"),
    [
        *[("a@b", None), ("!@~", None), ("@", "too-short"), ("a @b", "characters")],
        *[("abc", "format"), ("@ab", "format"), ("ab@", "format"), ("a@b@c", "format")],
        ("a" * 39 + "@b", "too-long"),
    ],
)
def test_an_email_has_one_at(email: str, code: str | None) -> None:
    assert fault_of_email(email) == code


@pytest.mark.parametrize(
    ("password", "code"),
    [
        *[("Loadstone#Park-1", None), ("Short#Park", "too-short")],
        *[("Loadstone#Park-12345", "too-long"), ("Loadstone Park-1", "characters")],
        *[("LOADSTONE#PARK-1", "weak"), ("loadstone#park-1", "weak"), ("LoadstonePark1", "weak")],
    ],
)
def test_each_rule_of_a_password_counts(password: str, code: str | None) -> None:
    assert fault_of_password(password) == code


@pytest.mark.parametrize(
    ("users", "code"),
    [
        *[([], "too-short"), ([*range(1, 102)], "too-long"), ([1, 1, 0], "range")],
        *[([5, 4, 5], "duplicate"), ([2**63], "range")],
    ],
)
def test_users_are_1_to_100_each_once(users: list[int], code: str) -> None:
    assert faults_of(lambda: grant(GRANT | {"userIds": users})) == [("/userIds", code)]


def test_a_grant_is_known_by_its_digest() -> None:
    assert grant(GRANT).digest() == sha256("-30|6,4|grüße|1".encode()).digest()
    assert grant(GRANT).digest() != grant(GRANT | {"userIds": [4, 6]}).digest()
    assert faults_of(lambda: grant(GRANT | {"amount": 0})) == [("/amount", "range")]


def test_a_debit_may_be_of_nothing() -> None:
    asked = {"userId": 2**63 - 1, "reference": "~" * 100, "maxCoins": 0}
    assert debit(asked) == (2**63 - 1, "~" * 100, 0)
    assert faults_of(lambda: debit(asked | {"userId": 0, "maxCoins": 1_000_001})) == [
        ("/userId", "range"),
        ("/maxCoins", "range"),
    ]
