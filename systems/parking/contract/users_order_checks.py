"""U29: of several faults the first in the order of the SPEC is answered."""

from functools import partial

from loadstone.contract import declare
from loadstone.contract.subject import Subject

from .lib.objects import JSON, compact, expect_status
from .lib.problems import expect_invalid, expect_problem
from .lib.users_accounts import SEED_EMAILS, account, create, log_in, new_email, new_plate
from .lib.users_coins import KEY, grant, grant_body, new_key
from .lib.users_service import (
    BRAM,
    COINS,
    DEBITS,
    ILO,
    INTERNAL,
    MANAGER,
    MANY_SECONDS,
    MOST_BODY_BYTES,
    NOBODY,
    PARK_MANAGER,
    SERVICE,
    SUPERVISOR,
    TOP,
    USERS,
    ask,
    customer,
    get,
    identity,
    post,
    put,
    set_payment_method,
    set_status,
    user_path,
)
from .lib.users_vehicles import plate_path, put_vehicle
from .lib.users_writings import WRITINGS, Writing

check = partial(declare.check, service=SERVICE, seconds=MANY_SECONDS)

TEXT = ("Content-Type", "text/plain")
LARGE = b"{" * (MOST_BODY_BYTES + 1)
BAD_KEY = (KEY, "k" * 65)
WRONG_ID = [("X-User-Id", "0"), ("X-User-Role", "SUPERVISOR")]


@check("U29", "path, method, identity, role, size, type and JSON come in this order")
def before_the_members(subject: Subject) -> None:
    for writing in WRITINGS:
        what = f"of {writing.operation}"
        method, target = writing.method, writing.target
        answer = ask(subject, "PATCH", f"{target}/", None, TEXT, *WRONG_ID, body=LARGE)
        expect_problem(answer, "not-found", f"{what} at a path that is not there by PATCH")
        answer = ask(subject, "PATCH", target, None, TEXT, *WRONG_ID, body=LARGE)
        expect_problem(answer, "method-not-allowed", f"{what} by PATCH without an identity")
        if writing.operation not in ("create-user", "login"):
            _expect_who_before_what(subject, writing)
        own = [*writing.own(), BAD_KEY]  # of a grant there are two, which is no less wrong
        answer = ask(subject, method, target, None, TEXT, *own, body=LARGE)
        expect_problem(answer, "too-large", f"{what} by too large a text")
        answer = ask(subject, method, target, None, TEXT, *own, body=b"{")
        expect_problem(answer, "unsupported-media-type", f"{what} by text")
        answer = ask(subject, method, target, None, JSON, *writing.own(), body=b'{"nif":5')
        expect_problem(answer, "malformed", f"{what} by no JSON")


@check("U29", "an identity that is none comes before whose it is")
def identity_before_ownership(subject: Subject) -> None:
    for path in (USERS, TOP, user_path(NOBODY), user_path(5, "/vehicles"), user_path(5, "/coins")):
        expect_problem(get(subject, path), "token-missing", f"of {path} by nobody")
        answer = get(subject, path, None, *WRONG_ID)
        expect_problem(answer, "token-invalid", f"of {path} by user 0")
    answer = ask(subject, "POST", COINS, PARK_MANAGER, TEXT, BAD_KEY, body=LARGE)
    expect_problem(answer, "forbidden", "of a grant by a PARK_MANAGER")
    answer = set_status(subject, NOBODY, 5, MANAGER)
    expect_problem(answer, "forbidden", "of the status of nobody as CUSTOMER_MANAGER")


@check("U29", "a key that is none comes before the members")
def key_before_members(subject: Subject) -> None:
    for body in (b"{}", compact(grant_body([0], 0, "")), compact(grant_body([NOBODY]))):
        for fields in ([BAD_KEY], []):
            answer = ask(subject, "POST", COINS, MANAGER, JSON, *fields, body=body)
            expect_problem(answer, "malformed", f"of a key that is none with {body!r}")


@check("U29", "a member too many, and one of another type, come before what is wrong with others")
def malformed_before_invalid(subject: Subject) -> None:
    for writing in WRITINGS:
        answer = writing.send(subject, compact({"x": 1}))
        expect_problem(answer, "unknown-member", f"of {writing.operation} without its members")
    answer = create(subject, firstName="", x=1)
    expect_problem(answer, "unknown-member", "of a name of no length and a member too many")
    answer = create(subject, firstName="", nif="1")
    expect_problem(answer, "malformed", "of a name of no length and a tax number that is a text")


@check("U29", "members come before a key that was used, and that before users and balances")
def members_key_object(subject: Subject) -> None:
    key = new_key()
    expect_status(grant(subject, [BRAM.id], 1, "a", key=key), 201, "a grant")
    answer = grant(subject, [BRAM.id], 0, "a", key=key)
    expect_invalid(answer, ("/amount", "range"))
    answer = grant(subject, [NOBODY], 1, "a", key=key)
    expect_problem(answer, "idempotency-mismatch", "of a used key and an unknown user")
    answer = grant(subject, [BRAM.id], -1_000_000, "a", key=key)
    expect_problem(answer, "idempotency-mismatch", "of a used key and too many coins")
    answer = grant(subject, [NOBODY, BRAM.id], -1_000_000)
    expect_problem(answer, "not-found", "of an unknown user and too many coins")


@check("U29", "members come before the object, and that before rivals")
def members_object_rivals(subject: Subject) -> None:
    nobody = customer(NOBODY)
    expect_invalid(set_status(subject, NOBODY, "x"), ("/userStatus", "unknown-value"))
    answer = set_payment_method(subject, nobody, "NOT_DEFINED")
    expect_invalid(answer, ("/paymentMethod", "unknown-value"))
    answer = put_vehicle(subject, nobody, "LA-00018", "x")
    expect_invalid(answer, ("/vehicleType", "unknown-value"))
    answer = put_vehicle(subject, nobody, "LA-00018")
    expect_problem(answer, "not-found", "of another's plate for nobody")
    answer = put_vehicle(subject, ILO, "LA-00015", "AUTOMOBILE", "x")
    expect_invalid(answer, ("/vehicleEnergySource", "unknown-value"))
    answer = put_vehicle(subject, ILO, new_plate(), "x")
    expect_invalid(answer, ("/vehicleType", "unknown-value"))
    answer = put_vehicle(subject, ILO, "LA-00015")
    expect_problem(answer, "duplicate-plate", "of another's plate for who has three")
    answer = post(subject, DEBITS, None, {"userId": NOBODY, "maxCoins": -1}, INTERNAL)
    expect_invalid(answer, ("/reference", "required"), ("/maxCoins", "range"))


@check("U29", "members come before what the database knows of an address, a number and a plate")
def of_accounts(subject: Subject) -> None:
    taken: dict[str, object] = {
        "email": SEED_EMAILS[BRAM.id],
        "nif": 700_000_004,
        "licensePlateNumber": "LA-00020",
    }
    for name, value in taken.items():
        answer = create(subject, **{name: value, "password": "x"})
        expect_invalid(answer, ("/password", "too-short"), when=f"of {name} that is taken")
    answer = post(subject, USERS, None, {**account(**taken), "paymentMethod": None})
    expect_invalid(answer, ("/paymentMethod", "required"))


@check("U29", "a wrong password comes before an account that is blocked")
def password_before_status(subject: Subject) -> None:
    try:
        expect_status(set_status(subject, BRAM.id, "BLOCKED"), 200, "blocking a user")
        answer = log_in(subject, SEED_EMAILS[BRAM.id], "x")
        expect_problem(answer, "credentials", "of a wrong password of who is blocked")
        answer = log_in(subject, new_email())
        expect_problem(answer, "credentials", "of nobody")
        answer = log_in(subject, SEED_EMAILS[BRAM.id])
        expect_problem(answer, "account-blocked", "of who is blocked")
    finally:
        set_status(subject, BRAM.id, "ENABLED")


@check("U29", "whose it is comes before what is sent, also of a vehicle")
def ownership_before_body(subject: Subject) -> None:
    for caller in (BRAM, SUPERVISOR, PARK_MANAGER):
        for path in (plate_path(ILO.id, "LA-00015"), user_path(ILO.id, "/payment-method")):
            for body in (b"{", b"{}", LARGE):
                answer = ask(subject, "PUT", path, caller, TEXT, body=body)
                expect_problem(answer, "forbidden", f"of PUT {path} as {caller}")
    answer = put(subject, plate_path(ILO.id, "LA-00018"), ILO.has("SUPERVISOR"), {"x": 1})
    expect_problem(answer, "forbidden", "of an own vehicle as SUPERVISOR")


def _expect_who_before_what(subject: Subject, writing: Writing) -> None:
    what = f"of {writing.operation}"
    method, target = writing.method, writing.target
    if writing.operation == "debit":
        answer = ask(subject, method, target, SUPERVISOR, TEXT, *WRONG_ID, body=LARGE)
        expect_problem(answer, "forbidden", f"{what} without the key")
        return
    answer = ask(subject, method, target, None, TEXT, BAD_KEY, body=LARGE)
    expect_problem(answer, "token-missing", f"{what} without an identity")
    answer = ask(subject, method, target, None, TEXT, BAD_KEY, *WRONG_ID, body=LARGE)
    expect_problem(answer, "token-invalid", f"{what} by user 0")
    answer = ask(subject, method, target, None, TEXT, BAD_KEY, *identity(PARK_MANAGER), body=LARGE)
    expect_problem(answer, "forbidden", f"{what} by another")
