"""U12 and U13: whom the service believes, and what is whose."""

from collections.abc import Callable
from functools import partial

from loadstone.contract import declare
from loadstone.contract.client import Answer
from loadstone.contract.expect import expect, expect_equal
from loadstone.contract.subject import Subject

from .lib.objects import JSON, compact, expect_status, object_of
from .lib.problems import expect_problem
from .lib.shapes import TAKEN, USER, WALLET
from .lib.users_accounts import PASSWORD, SEED_EMAILS, account
from .lib.users_coins import KEY, debit_body, grant_body, new_key, new_reference
from .lib.users_service import (
    BRAM,
    COINS,
    DEBITS,
    HEALTH,
    INTERNAL,
    LOGIN,
    MANAGER,
    MANY_SECONDS,
    NOBODY,
    PARK_MANAGER,
    SEFA,
    SERVICE,
    SUPERVISOR,
    TOP,
    USERS,
    Caller,
    ask,
    customer,
    device,
    get,
    identity,
    set_payment_method,
    user_path,
)
from .lib.users_vehicles import plate_path, put_vehicle, vehicle_body, vehicles

check = partial(declare.check, service=SERVICE, seconds=MANY_SECONDS)

Asked = tuple[str, str, dict[str, object] | None]

OWN: tuple[Asked, ...] = (
    ("GET", user_path(SEFA.id), None),
    ("GET", user_path(SEFA.id, "/vehicles"), None),
    ("PUT", plate_path(SEFA.id, "LA-00015"), vehicle_body()),
    ("GET", user_path(SEFA.id, "/payment-method"), None),
    ("PUT", user_path(SEFA.id, "/payment-method"), {"paymentMethod": "PAYPAL"}),
    ("GET", user_path(SEFA.id, "/coins"), None),
)
"""What is a user's own, by user 5."""
ALL: tuple[Asked, ...] = (
    *OWN,
    ("GET", USERS, None),
    ("GET", TOP, None),
    ("POST", COINS, grant_body([SEFA.id])),
    ("PUT", user_path(SEFA.id, "/status"), {"userStatus": "ENABLED"}),
)
"""Every operation that asks who it is."""

ID, ROLE = "X-User-Id", "X-User-Role"
NO_IDS = (
    *("abc", "-1", "0", "12345678901234567", "01", "+5", "5.0", "5e0", "0x5", "5,5", "5;5", "5 5"),
    *("", "null", "true", "1_000", "00", "99999999999999999999", "9223372036854775808", "5\xa0"),
    *("\xb2", "five"),
)
"""The last but one is a digit to some libraries."""
NO_ROLES = (
    *("", "supervisor", "Customer", "ADMIN", "ROLE_SUPERVISOR", "SUPERVISOR,CUSTOMER", "0", "1"),
    *("CUSTOMER_MANAGER_", "CUSTOMER MANAGER", "NOBODY", "null", "toString", "SUPERVISORS"),
)


@check("U12", "what is another's is 403 wherever it is asked whose it is, whoever is there")
def of_others(subject: Subject) -> None:
    for method, target, body in OWN:
        for caller in (BRAM, PARK_MANAGER, device(BRAM.id)):
            answer = _ask(subject, method, target, body, caller)
            expect_problem(answer, "forbidden", f"of {method} {target} as {caller}")
        nowhere = target.replace(f"/{SEFA.id}", f"/{NOBODY}", 1)
        answer = _ask(subject, method, nowhere, body, BRAM)
        expect_problem(answer, "forbidden", f"of {method} {nowhere} as {BRAM}")


@check("U12", "managers have no more than the table says")
def of_managers(subject: Subject) -> None:
    for method, target, body in OWN:
        is_user, is_wallet = target == user_path(SEFA.id), target.endswith("/coins")
        for caller, may in ((SUPERVISOR, is_user), (MANAGER, is_user or is_wallet)):
            answer = _ask(subject, method, target, body, caller)
            what = f"{method} {target} as {caller.role}"
            if may:
                expect_status(answer, 200, what)
            else:
                expect_problem(answer, "forbidden", f"of {what}")


@check("U12", "what is one's own is there by any role, but for a vehicle that is put")
def own_by_any_role(subject: Subject) -> None:
    for role in ("CUSTOMER", "SUPERVISOR", "CUSTOMER_MANAGER", "PARK_MANAGER", "DEVICE"):
        for method, target, body in OWN:
            answer = _ask(subject, method, target, body, SEFA.has(role))
            what = f"{method} {target} as {role}"
            if "/vehicles/" in target and role != "CUSTOMER":
                expect_problem(answer, "forbidden", f"of {what}")
            else:
                expect_status(answer, 200, what)
    # Of the role CUSTOMER alone may it be put, whoever the row says it is.
    answer = put_vehicle(subject, Caller(SUPERVISOR.id, "CUSTOMER"), "LA-00003")
    expect_status(answer, 200, "an own vehicle of user 1 as CUSTOMER")


@check("U12", "an own id that does not exist is 404")
def own_nothing(subject: Subject) -> None:
    for user in (NOBODY, 999_999_999, 2**31, 2**32 + SEFA.id):
        for method, target, body in OWN:
            nowhere = target.replace(f"/{SEFA.id}", f"/{user}", 1)
            answer = _ask(subject, method, nowhere, body, customer(user))
            expect_problem(answer, "not-found", f"of {method} {nowhere} as oneself")
    answer = get(subject, user_path(NOBODY, "/coins"), MANAGER)
    expect_problem(answer, "not-found", "of the wallet of nobody as CUSTOMER_MANAGER")


@check("U12", "nothing that was refused was done")
def nothing_done(subject: Subject) -> None:
    before, other = vehicles(subject, SEFA), vehicle_body("MOTORCYCLE", "GPL")
    changes: tuple[Callable[[], Answer], ...] = (
        partial(_ask, subject, "PUT", plate_path(SEFA.id, "LA-00015"), other, BRAM),
        partial(_ask, subject, "PUT", plate_path(SEFA.id, "LZ-00015"), vehicle_body(), BRAM),
        partial(_ask, subject, *_method_put("CREDIT"), BRAM),
        partial(_ask, subject, *_method_put("CREDIT"), None),
        partial(_ask, subject, *_method_put("CREDIT"), MANAGER),
    )
    expect_status(set_payment_method(subject, SEFA, "PAYPAL"), 200, "a payment method")
    for change in changes:
        expect(change().status in (401, 403), "what is another's was changed")
    expect_equal(vehicles(subject, SEFA), before, "the vehicles behind it")
    answer = get(subject, user_path(SEFA.id), SEFA)
    object_of(answer, 200, USER, "the user behind it", paymentMethod="PAYPAL")


@check("U13", "without an identity, and without half of it, every operation is token-missing")
def missing(subject: Subject) -> None:
    for method, target, body in ALL:
        for fields in ([], [(ID, "5")], [(ROLE, "CUSTOMER")], [("Authorization", "Bearer a.b.c")]):
            answer = _ask(subject, method, target, body, None, *fields)
            expect_problem(answer, "token-missing", f"of {method} {target} with {fields}")


@check("U13", "an id that is none is token-invalid in every operation")
def wrong_ids(subject: Subject) -> None:
    for number, (method, target, body) in enumerate(ALL):
        for text in NO_IDS if number == 0 else NO_IDS[:5]:
            answer = _ask(subject, method, target, body, None, (ID, text), (ROLE, "CUSTOMER"))
            expect_problem(answer, "token-invalid", f"of {method} {target} with the id {text!r}")


@check("U13", "a role that is none is token-invalid in every operation")
def wrong_roles(subject: Subject) -> None:
    for number, (method, target, body) in enumerate(ALL):
        for text in NO_ROLES if number == 0 else NO_ROLES[:4]:
            answer = _ask(subject, method, target, body, None, (ID, "5"), (ROLE, text))
            expect_problem(answer, "token-invalid", f"of {method} {target} with the role {text!r}")


@check("U13", "a field that is there twice is token-invalid, whatever it says")
def twice(subject: Subject) -> None:
    for method, target, body in ALL:
        for fields in (
            [(ID, "5"), (ID, "5"), (ROLE, "CUSTOMER")],
            [(ID, "5"), (ROLE, "CUSTOMER"), (ID, "1")],
            [(ID, "5"), (ROLE, "CUSTOMER"), (ROLE, "SUPERVISOR")],
            [(ROLE, "CUSTOMER"), (ID, "5"), (ROLE, "CUSTOMER")],
            [(ID, "5"), ("x-user-id", "5"), (ROLE, "CUSTOMER")],
        ):
            answer = _ask(subject, method, target, body, None, *fields)
            expect_problem(answer, "token-invalid", f"of {method} {target} with {fields}")


@check("U13", "names of fields are without case, and an id may have 16 digits")
def right_identities(subject: Subject) -> None:
    fields = (("x-user-id", "5"), ("X-USER-ROLE", "DEVICE"))
    answer = get(subject, user_path(5), None, *fields)
    object_of(answer, 200, USER, "a user as a device")
    answer = get(subject, user_path(5), Caller(NOBODY, "SUPERVISOR"))
    object_of(answer, 200, USER, "a user as somebody of 16 digits")
    answer = get(subject, user_path(5, "/coins"), Caller(NOBODY, "CUSTOMER_MANAGER"))
    object_of(answer, 200, WALLET, "a wallet as somebody of 16 digits")


@check("U13", "where nobody is asked who it is, no identity is looked at")
def not_looked_at(subject: Subject) -> None:
    wrong = ([(ID, "x"), (ROLE, "nobody")], [(ID, "5"), (ID, "6")], identity(PARK_MANAGER))
    for fields in wrong:
        expect_status(get(subject, HEALTH, None, *fields), 200, f"/health with {fields}")
        body = compact(debit_body(SEFA.id, new_reference(), 0))
        answer = ask(subject, "POST", DEBITS, None, INTERNAL, JSON, *fields, body=body)
        object_of(answer, 200, TAKEN, f"a debit with {fields}", coins=0)
    fields = wrong[0]
    body = compact({"email": SEED_EMAILS[SEFA.id], "password": PASSWORD})
    answer = ask(subject, "POST", LOGIN, None, JSON, *fields, body=body)
    expect_status(answer, 200, f"a login with {fields}")
    answer = ask(subject, "POST", USERS, None, JSON, *fields, body=compact(account()))
    object_of(answer, 201, USER, f"a user with {fields}")


def _method_put(method: str) -> Asked:
    return "PUT", user_path(SEFA.id, "/payment-method"), {"paymentMethod": method}


def _ask(
    subject: Subject,
    method: str,
    target: str,
    body: dict[str, object] | None,
    caller: Caller | None,
    *fields: tuple[str, str],
) -> Answer:
    """Ask with this body, if any, and with a key where one is needed."""
    if body is None:
        return ask(subject, method, target, caller, *fields)
    keys = [(KEY, new_key())] if target == COINS else []
    return ask(subject, method, target, caller, JSON, *keys, *fields, body=compact(body))
