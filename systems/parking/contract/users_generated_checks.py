"""U34: requests of all kinds, as the description of the interface has them and as it has them not."""

import random
from collections.abc import Iterator
from functools import partial
from typing import Any
from urllib.parse import quote

from loadstone.contract import declare
from loadstone.contract.expect import expect
from loadstone.contract.subject import Subject

from .lib.objects import compact, expect_status
from .lib.problems import KINDS, body_of
from .lib.shapes import DEVICE, ENERGY_SOURCES, PAYMENT_METHODS, ROLES, STATUSES, VEHICLE_TYPES
from .lib.users_accounts import account, new_customer
from .lib.users_coins import KEY, debit_body, grant_body, new_key, new_reference
from .lib.users_members import BEYOND, MEMBERS
from .lib.users_operations import expect_well
from .lib.users_service import (
    COINS,
    DEBITS,
    HEALTH,
    INTERNAL,
    LOGIN,
    MANY_SECONDS,
    SERVICE,
    SUPERVISOR,
    TOP,
    USERS,
    ask,
    get,
    get_user,
    user_path,
)

check = partial(declare.check, service=SERVICE, seconds=MANY_SECONDS)

GENERATED = 800
GOOD_BODIES = 0.3
"""So many are right but for a member or two: what is wrong from the start is refused early."""
MOST_HASHES = 40
"""Of those that are right in every way but one, few are sent where each costs a hash."""
VALUES: tuple[object, ...] = (
    *(None, 0, -1, 1, 5, 1e308, 1.5, True, [], {}, "", "\0", "é", "x" * 300, [[]], {"a": None}),
    *(*ROLES, *STATUSES, *VEHICLE_TYPES, *ENERGY_SOURCES, *PAYMENT_METHODS, BEYOND * 70),
    *("a@b.cd", "LA-00018", "Loadstone#Park-1", 700_000_004, 2**31, 2**53, -(2**63), [1, 1], [4]),
    *([2**63 - 1], [-1], list(range(1, 120)), "2026-01-31T08:05:09.120Z", "null", "$1", "'"),
)
KEYS = ("k" * 16, "k" * 64, "k" * 65, "", "a b", "$1", "é" * 16, "-" * 20)
ROLES_SENT = (*ROLES, *ROLES, *ROLES, DEVICE, "", "x", "supervisor")
TYPES = (*["application/json"] * 8, "text/plain", "", "a/b", "application/json;charset=x")
ODD = ("%00", "%FF")
"""What is no text in a path may be refused by a library, in its own words."""
METHODS = ("GET", "GET", "POST", "POST", "POST", "PUT", "PUT", "PUT", "DELETE", "PATCH", "OPTIONS")

_Request = tuple[str, str, list[tuple[str, str]], bytes]


@check("U34", "no request is answered by 500, or not at all")
def generated(subject: Subject) -> None:
    user = new_customer(subject).id
    for method, target, fields, body in _requests(random.Random(7), user):
        answer = ask(subject, method, target, None, *fields, body=body)
        what = f"{answer.status} for {method} {target} with {body[:60]!r}"
        expect(200 <= answer.status < 500, what)
        if answer.status >= 400 and not any(odd in target for odd in ODD):
            known = [code for code in KINDS if answer.body.startswith(body_of(code)[:-1])]
            expect(len(known) == 1, f"{what}, which is no problem: {answer.body[:80]!r}")
    expect_status(get(subject, HEALTH), 200, "/health behind them")
    expect_status(get_user(subject, user, SUPERVISOR), 200, "the user behind them")
    expect_well(subject, "behind them")


def _requests(chance: random.Random, user: int) -> Iterator[_Request]:
    """Requests to the paths that there are: the same each time, most of them odd."""
    hashes = 0
    for _ in range(GENERATED):
        number = chance.choice((user, user, user, 999_999_999, "x", "0", "%00", "%FF", quote("é")))
        plate = chance.choice(("LA-00018", "LZ-77777", "LZ-77778", "LZ-77779", "LZ-7777", "%27"))
        paths = {
            USERS: "create-user",
            LOGIN: "login",
            TOP: "",
            COINS: "grant-coins",
            DEBITS: "debit",
            HEALTH: "",
            f"{USERS}/{number}": "",
            f"{USERS}/{number}/status": "set-status",
            f"{USERS}/{number}/vehicles": "",
            f"{USERS}/{number}/vehicles/{plate}": "put-vehicle",
            f"{USERS}/{number}/payment-method": "set-payment-method",
            f"{USERS}/{number}/coins": "",
        }
        target = chance.choice(list(paths))
        operation = paths[target]
        method = chance.choice(METHODS)
        if operation and chance.random() < GOOD_BODIES:
            method = "PUT" if target.startswith(user_path(user)) else "POST"
        hashes += operation in ("create-user", "login")
        body = _body(chance, operation, user, may_be_right=hashes <= MOST_HASHES)
        query = chance.choice((*[""] * 9, "?", "?a=b", "?%00", "?=&"))
        yield method, f"{target}{query}", _fields(chance, user), body


def _fields(chance: random.Random, user: int) -> list[tuple[str, str]]:
    found = [("Content-Type", chance.choice(TYPES))]
    if chance.random() < 0.9:
        found.append(("X-User-Id", str(chance.choice((user, user, user, 1, 3, 0, "x", 10**15)))))
    if chance.random() < 0.9:
        found.append(("X-User-Role", chance.choice(ROLES_SENT)))
    if chance.random() < 0.5:
        found.append(INTERNAL)
    if chance.random() < 0.6:
        found.append((KEY, new_key() if chance.random() < 0.7 else chance.choice(KEYS)))
    return found


def _body(chance: random.Random, operation: str, user: int, *, may_be_right: bool) -> bytes:
    good: dict[str, dict[str, object]] = {
        "create-user": account(),
        "login": {"email": "nobody@park.example", "password": "x"},
        "grant-coins": grant_body([user], chance.choice((1, -1, 5))),
        "debit": debit_body(user, new_reference(), 2),
        "set-status": {"userStatus": chance.choice(STATUSES)},
        "put-vehicle": {"vehicleType": "MOTORCYCLE", "vehicleEnergySource": "GPL"},
        "set-payment-method": {"paymentMethod": chance.choice(PAYMENT_METHODS)},
    }
    names = sorted({name for members in MEMBERS.values() for name in members} | {"x", "", "role"})
    value: Any = {
        name: chance.choice(VALUES) for name in chance.sample(names, chance.randrange(len(names)))
    }
    if operation and chance.random() < 2 * GOOD_BODIES:
        value = dict(good[operation])
        if not may_be_right or chance.random() < 0.5:
            value[chance.choice(list(value))] = chance.choice(VALUES)
    elif chance.random() < 0.2:
        value = chance.choice(VALUES)
    body = compact(value)
    return body[: chance.randrange(len(body) + 1)] if chance.random() < 0.2 else body
