"""U40 and U42: statements and transactions, as the database sees them."""

import time
from collections.abc import Callable, Iterator
from functools import partial
from typing import NamedTuple

from loadstone.contract import declare
from loadstone.contract.client import Answer
from loadstone.contract.expect import expect, expect_equal
from loadstone.contract.subject import Subject

from .lib.database import TRANSACTION, by_kind, counted, sessions, work_now
from .lib.objects import JSON, expect_status
from .lib.users_accounts import SEED_EMAILS, create, log_in, new_email, new_plate
from .lib.users_coins import debit, grant, new_key, new_reference
from .lib.users_operations import expect_full_pool, expect_well, operations
from .lib.users_rows import put_customer
from .lib.users_service import (
    BRAM,
    COINS,
    DEBITS,
    HEALTH,
    LOGIN,
    MOST_BODY_BYTES,
    NOBODY,
    SERVICE,
    STARTS_SECONDS,
    SUPERVISOR,
    TOP,
    USERS,
    Caller,
    ask,
    customer,
    get,
    get_user,
    list_users,
    set_payment_method,
    set_status,
    user_path,
)
from .lib.users_vehicles import put_vehicle

check = partial(declare.check, service=SERVICE, needs_stand=True, seconds=STARTS_SECONDS)

TIMES = 5
FEW_TIMES = 2
"""Of what costs a hash each time."""
REST_SECONDS = 0.1


class Counted(NamedTuple):
    """Calls of one kind, and what each of them makes."""

    what: str
    calls: list[Callable[[], Answer]]
    status: int
    statements: dict[str, int]


@check("U40", "each read makes one statement, outside of a transaction")
def reads(subject: Subject) -> None:
    owner = put_customer(subject, vehicles=2)
    _make_ready(subject)
    own = owner.id
    targets: tuple[tuple[str, Caller | None], ...] = (
        *((USERS, SUPERVISOR), (TOP, SUPERVISOR), (HEALTH, None)),
        *((user_path(own), owner), (user_path(own), SUPERVISOR)),
        *((user_path(own, "/vehicles"), owner), (user_path(own, "/payment-method"), owner)),
        (user_path(own, "/coins"), owner),
    )
    for target, caller in targets:
        calls: list[Callable[[], Answer]] = [partial(get, subject, target, caller)] * TIMES
        _expect_counted(subject, Counted(f"GET {target}", calls, 200, {"select": 1}))


@check("U40", "each write makes its statements, those with two or more in one transaction")
def writes(subject: Subject) -> None:
    owner = put_customer(subject)
    plates = [new_plate() for _ in range(3)]
    _make_ready(subject)
    for each in _writes(subject, owner, plates):
        _expect_counted(subject, each)


@check("U40", "what is asked again makes the statements that tell so, and no others")
def again(subject: Subject) -> None:
    user = put_customer(subject, coins=5).id
    _make_ready(subject)
    keys = [new_key() for _ in range(TIMES)]
    calls: list[Callable[[], Answer]] = [
        partial(grant, subject, [user], 1, "again", key=key) for key in keys
    ]
    first = {"insert": 2, "select": 1, "update": 1, "other_commands": TRANSACTION}
    _expect_counted(subject, Counted("grant-coins", calls, 201, first))
    told = {"insert": 1, "select": 1, "other_commands": TRANSACTION}
    _expect_counted(subject, Counted("grant-coins by its key", calls, 201, told))
    references = [new_reference() for _ in range(TIMES)]
    calls = [partial(debit, subject, user, 1, reference) for reference in references]
    first = {"select": 2, "update": 1, "insert": 1, "other_commands": TRANSACTION}
    _expect_counted(subject, Counted("debit", calls, 200, first))
    told = {"select": 2, "other_commands": TRANSACTION}
    _expect_counted(subject, Counted("debit by its reference", calls, 200, told))


@check("U40", "what is refused before the database is needed makes no statement")
def refusals(subject: Subject) -> None:
    _make_ready(subject)
    text, large = ("Content-Type", "text/plain"), b" " * (MOST_BODY_BYTES + 1)
    kinds: dict[int, list[Callable[[], Answer]]] = {
        404: [partial(get, subject, "/nothing", SUPERVISOR), partial(get, subject, "/users/x")],
        405: [partial(ask, subject, "PATCH", USERS, SUPERVISOR)],
        401: [partial(get, subject, USERS), partial(get, subject, TOP, Caller(0, "SUPERVISOR"))],
        403: [
            partial(list_users, subject, BRAM),
            partial(get_user, subject, NOBODY, BRAM),
            partial(get, subject, user_path(1, "/vehicles"), BRAM),
            partial(put_vehicle, subject, SUPERVISOR, "LA-00003"),
            partial(grant, subject, [BRAM.id], manager=BRAM),
            partial(ask, subject, "POST", DEBITS, None, JSON, body=b"{}"),
        ],
        413: [partial(ask, subject, "POST", LOGIN, None, JSON, body=large)],
        415: [partial(ask, subject, "POST", LOGIN, None, text, body=b"{}")],
        400: [
            partial(ask, subject, "POST", LOGIN, None, JSON, body=b"{"),
            partial(create, subject, role="SUPERVISOR"),
            partial(grant, subject, [BRAM.id], key="k" * 65),
            partial(ask, subject, "POST", COINS, Caller(3, "CUSTOMER_MANAGER"), JSON, body=b"{}"),
        ],
        422: [
            partial(create, subject, password="short"),
            partial(grant, subject, [BRAM.id], 0),
            partial(set_status, subject, BRAM.id, "x"),
            partial(put_vehicle, subject, BRAM, "LA-00012", "x"),
            partial(set_payment_method, subject, BRAM, "NOT_DEFINED"),
            partial(debit, subject, BRAM.id, -1),
        ],
    }
    for status, calls in kinds.items():
        for call in calls:
            _expect_counted(subject, Counted(f"what is {status}", [call] * TIMES, status, {}))


@check("U40", "what is refused by what the database says makes no further statement")
def refused_by_rows(subject: Subject) -> None:
    full = put_customer(subject, vehicles=3, coins=1)
    nobody, own = customer(NOBODY), full.id
    _make_ready(subject)
    used, reference = new_key(), new_reference()
    expect_status(grant(subject, [own], 1, "a", key=used), 201, "a grant")
    expect_status(debit(subject, own, 0, reference), 200, "a debit")
    one, pair = {"select": 1}, {"other_commands": TRANSACTION}
    path = partial(user_path, NOBODY)
    kinds: tuple[tuple[str, Callable[[], Answer], int, dict[str, int]], ...] = (
        ("login, unknown", partial(log_in, subject, new_email()), 401, one),
        ("login, wrong", partial(log_in, subject, SEED_EMAILS[4], "no"), 401, one),
        ("get-user, unknown", partial(get_user, subject, NOBODY), 404, one),
        ("vehicles, unknown", partial(get, subject, path("/vehicles"), nobody), 404, one),
        (
            "payment-method, unknown",
            partial(get, subject, path("/payment-method"), nobody),
            404,
            one,
        ),
        ("wallet, unknown", partial(get, subject, path("/coins"), nobody), 404, one),
        (
            "set-payment-method, unknown",
            partial(set_payment_method, subject, nobody, "CREDIT"),
            404,
            {"update": 1},
        ),
        (
            "set-status, unknown",
            partial(set_status, subject, NOBODY, "ENABLED"),
            404,
            {"update": 1, **pair},
        ),
        (
            "put-vehicle, unknown",
            partial(put_vehicle, subject, nobody, "LA-00003"),
            404,
            {**one, **pair},
        ),
        (
            "put-vehicle, another's",
            partial(put_vehicle, subject, full, "LA-00003"),
            409,
            {"select": 2, **pair},
        ),
        (
            "put-vehicle, a fourth",
            partial(put_vehicle, subject, full, new_plate()),
            409,
            {"select": 2, **pair},
        ),
        (
            "grant-coins, another body",
            partial(grant, subject, [own], 2, "a", key=used),
            422,
            {"insert": 1, "select": 1, **pair},
        ),
        (
            "grant-coins, unknown",
            partial(grant, subject, [own, NOBODY]),
            404,
            {"insert": 1, "select": 1, **pair},
        ),
        ("debit, unknown", partial(debit, subject, NOBODY), 404, {**one, **pair}),
        (
            "debit, another's reference",
            partial(debit, subject, BRAM.id, 1, reference),
            422,
            {"select": 2, **pair},
        ),
    )
    for what, call, status, statements in kinds:
        _expect_counted(subject, Counted(what, [call] * FEW_TIMES, status, statements))


@check("U40", "what a constraint refuses makes nothing but its own statements")
def refused_by_constraints(subject: Subject) -> None:
    # The database does not count a statement that fails, so each is there once or not at all.
    user = put_customer(subject, coins=1).id
    _make_ready(subject)
    most = {
        "create-user": {"insert": 2},
        "grant-coins": {"insert": 2, "select": 1, "update": 1},
    }
    calls: tuple[tuple[str, Callable[[], Answer]], ...] = (
        ("create-user", partial(create, subject, email=SEED_EMAILS[4])),
        ("create-user", partial(create, subject, nif=700_000_004)),
        ("create-user", partial(create, subject, licensePlateNumber="LA-00020")),
        ("grant-coins", partial(grant, subject, [user], -1_000_000)),
    )
    for operation, call in calls:
        before = work_now(subject)
        expect_status(call(), 409, f"{operation} of what is taken")
        seen = by_kind(work_now(subject).minus(before))
        transaction = seen.pop("other_commands")
        too_many = {kind: n for kind, n in seen.items() if n > most[operation].get(kind, 0)}
        expect_equal(too_many, {}, f"the statements too many of {operation} that is refused")
        expect_equal(transaction, TRANSACTION, f"BEGIN and its end of {operation} that is refused")


@check("U42", "a tenth of a second behind the last answer no transaction is open")
def no_transaction(subject: Subject) -> None:
    owner, other = put_customer(subject, vehicles=2, coins=9), put_customer(subject)
    nobody, plate, key, reference = customer(NOBODY), new_plate(), new_key(), new_reference()
    expect_well(subject, "before it")
    calls = operations(subject, owner, plate)
    refused: dict[str, Callable[[], Answer]] = {
        "login, wrong": partial(log_in, subject, SEED_EMAILS[4], "no"),
        "create-user, taken": partial(create, subject, email=SEED_EMAILS[4]),
        "create-user, plate taken": partial(create, subject, licensePlateNumber=plate),
        "get-user, unknown": partial(get_user, subject, NOBODY),
        "set-status, unknown": partial(set_status, subject, NOBODY, "ENABLED"),
        "put-vehicle, unknown": partial(put_vehicle, subject, nobody, plate),
        "put-vehicle, another's": partial(put_vehicle, subject, other, plate),
        "put-vehicle, a fourth": partial(put_vehicle, subject, owner, new_plate()),
        "grant-coins, by a key": partial(grant, subject, [owner.id], 1, "a", key=key),
        "grant-coins, again": partial(grant, subject, [owner.id], 1, "a", key=key),
        "grant-coins, mismatched": partial(grant, subject, [owner.id], 2, "a", key=key),
        "grant-coins, unknown": partial(grant, subject, [owner.id, NOBODY]),
        "grant-coins, too many": partial(grant, subject, [owner.id], -1_000_000),
        "debit": partial(debit, subject, owner.id, 1, reference),
        "debit, again": partial(debit, subject, owner.id, 1, reference),
        "debit, another's": partial(debit, subject, other.id, 1, reference),
        "debit, unknown": partial(debit, subject, NOBODY),
        "wallet, unknown": partial(get, subject, user_path(NOBODY, "/coins"), nobody),
    }
    for what, call in {**calls, **refused}.items():
        call()
        time.sleep(REST_SECONDS)
        opened = [each.command for each in sessions(subject) if each.in_transaction]
        expect_equal(opened, [], f"the transactions that are open behind {what}")
    expect(bool(sessions(subject)), "there is no connection to be in one")


def _writes(subject: Subject, owner: Caller, plates: list[str]) -> Iterator[Counted]:
    """Each operation that writes, a few times over."""
    own = owner.id
    pair = {"other_commands": TRANSACTION}
    granted = {"insert": 2, "select": 1, "update": 1, **pair}
    debited = {"select": 2, "insert": 1, "update": 1, **pair}

    def counted_as(
        what: str, call: Callable[[], Answer], status: int, statements: dict[str, int]
    ) -> Counted:
        return Counted(what, [call] * TIMES, status, statements)

    call = partial(create, subject)
    yield Counted("create-user", [call] * FEW_TIMES, 201, {"insert": 2, **pair})
    call = partial(log_in, subject, SEED_EMAILS[4])
    yield Counted("login", [call] * FEW_TIMES, 200, {"select": 1})
    new: list[Callable[[], Answer]] = [
        partial(put_vehicle, subject, owner, plate) for plate in plates
    ]
    yield Counted("put-vehicle", new, 201, {"select": 2, "insert": 1, **pair})
    call = partial(put_vehicle, subject, owner, plates[0])
    yield counted_as("put-vehicle again", call, 200, {"select": 2, "update": 1, **pair})
    call = partial(set_status, subject, own, "ENABLED")
    yield counted_as("set-status", call, 200, {"update": 1, "select": 1, **pair})
    call = partial(set_payment_method, subject, owner, "DEBIT")
    yield counted_as("set-payment-method", call, 200, {"update": 1})
    yield counted_as("grant-coins", partial(grant, subject, [own]), 201, granted)
    yield counted_as("grant-coins to two", partial(grant, subject, [own, BRAM.id]), 201, granted)
    yield counted_as("debit", partial(debit, subject, own), 200, debited)


def _make_ready(subject: Subject) -> None:
    """Let every connection be there before statements are counted, and have been used."""
    expect_full_pool(subject, "before statements are counted")
    expect_well(subject, "before statements are counted")


def _expect_counted(subject: Subject, each: Counted) -> None:
    with counted(subject, each.what, len(each.calls), **each.statements):
        for call in each.calls:
            expect_status(call(), each.status, each.what)
