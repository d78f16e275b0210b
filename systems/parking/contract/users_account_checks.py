"""U1, U2, U5 and U6: how users come about, and whose address, tax number and plate that takes."""

from functools import partial
from secrets import token_hex
from typing import Any

from loadstone.contract import declare
from loadstone.contract.client import Answer
from loadstone.contract.expect import expect, expect_equal
from loadstone.contract.subject import Subject

from .lib.at_once import at_once, patiently
from .lib.database import hand_of
from .lib.objects import compact, expect_status, object_of, value_of
from .lib.problems import expect_problem
from .lib.shapes import USER
from .lib.users_accounts import PASSWORD, SEED_EMAILS, account, create, created, log_in, new_email
from .lib.users_members import BEYOND
from .lib.users_operations import warm
from .lib.users_rows import number_of
from .lib.users_service import (
    MANY_SECONDS,
    SERVICE,
    STARTS_SECONDS,
    USERS,
    customer,
    get,
    get_user,
    list_users,
    post,
    set_status,
)
from .lib.users_writings import WRITINGS

check = partial(declare.check, service=SERVICE, operation="create-user", seconds=MANY_SECONDS)
with_stand = partial(check, needs_stand=True, seconds=STARTS_SECONDS)

CHOICES = (
    ("AUTOMOBILE", "FUEL", "CREDIT"),
    ("MOTORCYCLE", "ELECTRIC", "DEBIT"),
    ("AUTOMOBILE", "GPL", "PAYPAL"),
    ("MOTORCYCLE", "PLUG_IN_HYBRID", "NOT_DEFINED"),
)
NAMES = (("x", "y"), ("  Ada ", " Love  lace "), ("A" * 60, BEYOND * 60), ("null", '"\\'))
SECRETS = (PASSWORD, "$2a$", "$2b$", "assword", "hash")
"""What no answer shows; the first letter of the fourth may be a capital."""
_FORGED: dict[str, object] = {
    **{"role": "SUPERVISOR", "coins": 100, "id": 1, "userStatus": "BLOCKED"},
    **{"totalParkies": 5, "vehicles": [], "parkingHistory": [], "password_hash": "x"},
    **{"Role": "SUPERVISOR", "first_name": "x", "Email": "a@b", " email": "a@b", "": 1},
    **{"toString": 1, "constructor": {"a": 1}, "__proto__": {"role": "SUPERVISOR"}},
}
FORGED = [{name: value} for name, value in _FORGED.items()]
_FURTHER: dict[str, object] = {"x": 1, "id": 1, "role": "SUPERVISOR", "tags": [{"a": [1, {}]}]}
FURTHER = [{name: value} for name, value in _FURTHER.items()]
MANY = 20
FEW = 6


@check("U1", "create-user is 201 with the whole user, whom its Location shows")
def creates(subject: Subject) -> None:
    for (kind, energy, method), (first, last) in zip(CHOICES, NAMES, strict=True):
        words = {"vehicleType": kind, "vehicleEnergySource": energy, "paymentMethod": method}
        body = account(firstName=first, lastName=last, **words)
        _expect_created(subject, body)


@check("U1", "an address is shown as it was written, at its greatest length, too")
def addresses(subject: Subject) -> None:
    unique = token_hex(6)
    for email in (f"Check.{unique}@Park.EXAMPLE", f"{unique:a<27}@park.example"):
        _expect_created(subject, account(email=email))


@check("U1", "no answer has a password or a hash")
def no_secrets(subject: Subject) -> None:
    email = new_email()
    made = patiently(partial(create, subject, email=email))
    user = object_of(made, 201, USER, "creating a user")["id"]
    answers = {
        "create-user": made,
        "get-user": get_user(subject, user),
        "list-users": list_users(subject),
        "set-status": set_status(subject, user, "ENABLED"),
        "login": log_in(subject, email),
        "a login that failed": log_in(subject, email, "Loadstone#Park-2"),
        "a second one": create(subject, email=email),
    }
    for operation, answer in answers.items():
        body = answer.body.replace(
            b"e-mail address or password", b""
        )  # of the title of `credentials`
        shown = [text for text in SECRETS if text.encode() in body]
        expect_equal(shown, [], f"what the answer of {operation} shows")


@check("U2", "whoever says role, coins or id is refused, and no row is made")
def forged(subject: Subject) -> None:
    body = account()
    for more in FORGED:
        for whole in ({**more, **body}, {**body, **more}):
            answer = post(subject, USERS, None, whole)
            expect_problem(answer, "unknown-member", f"of a user with {more}")
    # The address, the tax number and the plate are free: nobody has been made of them.
    answer = post(subject, USERS, None, body)
    object_of(answer, 201, USER, "the user without them", role="CUSTOMER", totalParkies=0)


@check("U2", "a member that is not named is refused in every operation")
def further_members(subject: Subject) -> None:
    for writing in WRITINGS:
        for more in FURTHER:
            for body in ({**more, **writing.body()}, {**writing.body(), **more}):
                answer = writing.send(subject, compact(body))
                what = f"of {writing.operation} with {more}"
                expect_problem(answer, "unknown-member", what)


@with_stand("U2", "what was refused has left no row")
def no_rows(subject: Subject) -> None:
    before = _rows(subject)
    for more in FORGED:
        answer = create(subject, **more)
        expect_problem(answer, "unknown-member", f"of a user with {more}")
    expect_equal(_rows(subject), before, "users and vehicles behind it")


@check("U5", "the same address in any case, the same tax number and the same plate are 409")
def rivals(subject: Subject) -> None:
    email = f"Check.{token_hex(6)}@Park.Example"
    made = created(subject, email=email)
    plate = made["vehicles"][0]["licensePlateNumber"]
    for other in (email, email.lower(), email.upper(), email.swapcase()):
        answer = create(subject, email=other)
        expect_problem(answer, "duplicate-email", f"of {other} beside {email}")
    answer = create(subject, email=SEED_EMAILS[4].title())
    expect_problem(answer, "duplicate-email", "of an address of the seed")
    for nif in (made["nif"], 700_000_004):
        expect_problem(create(subject, nif=nif), "duplicate-nif", f"of {nif} again")
    for taken in (plate, "LA-00020"):
        answer = create(subject, licensePlateNumber=taken)
        expect_problem(answer, "duplicate-plate", f"of {taken} again")
    every = {"email": email, "nif": made["nif"], "licensePlateNumber": plate}
    _expect_rival(create(subject, **every))


@check("U5", "of 20 who create a user at once by the same address one is 201")
def one_address(subject: Subject) -> None:
    email = f"Check.{token_hex(6)}@Park.Example"
    cases = (email, email.lower(), email.upper(), email.swapcase())
    changes: list[dict[str, object]] = [
        {"email": cases[number % len(cases)]} for number in range(MANY)
    ]
    _expect_one(subject, changes, "duplicate-email")


@check("U5", "of several who create a user at once by the same tax number or plate one is 201")
def one_number(subject: Subject) -> None:
    body = account()
    for name, code in (("nif", "duplicate-nif"), ("licensePlateNumber", "duplicate-plate")):
        _expect_one(subject, [{name: body[name]}] * FEW, code)


@check("U6", "after a 409 what else was asked for is free")
def free_behind_a_refusal(subject: Subject) -> None:
    made = created(subject)
    plate = made["vehicles"][0]["licensePlateNumber"]
    kinds: dict[str, tuple[str, object]] = {
        "duplicate-email": ("email", made["email"]),
        "duplicate-nif": ("nif", made["nif"]),
        "duplicate-plate": ("licensePlateNumber", plate),
    }
    for code, (name, taken) in kinds.items():
        body = account()
        expect_problem(post(subject, USERS, None, {**body, name: taken}), code, f"of {name} again")
        answer = post(subject, USERS, None, body)
        object_of(answer, 201, USER, f"the same user with another {name}")


@with_stand("U6", "after a 409 no row is left: no user without a vehicle, no vehicle of another")
def nothing_left(subject: Subject) -> None:
    made = created(subject)
    before = _rows(subject)
    plate = made["vehicles"][0]["licensePlateNumber"]
    refused: dict[str, object] = {"email": made["email"], "nif": made["nif"]}
    for name, taken in {**refused, "licensePlateNumber": plate}.items():
        expect_status(create(subject, **{name: taken}), 409, f"a user with {name} again")
    expect_equal(_rows(subject), before, "users and vehicles behind it")
    rows = hand_of(subject).execute("SELECT user_id FROM vehicle WHERE plate = %s", (plate,))
    expect_equal(rows, [(made["id"],)], "whose the plate is behind it")


def _expect_created(subject: Subject, body: dict[str, object]) -> None:
    answer = patiently(partial(post, subject, USERS, None, body))
    same = ("firstName", "lastName", "email", "nif", "paymentMethod")
    vehicle = {
        name: body[name] for name in ("licensePlateNumber", "vehicleType", "vehicleEnergySource")
    }
    wanted: dict[str, Any] = {name: body[name] for name in same}
    wanted |= {"parkingHistory": [], "totalParkies": 0, "vehicles": [vehicle]}
    wanted |= {"role": "CUSTOMER", "userStatus": "ENABLED"}
    user = object_of(answer, 201, USER, "creating a user", **wanted)
    location = f"{USERS}/{user['id']}"
    expect_equal(answer.values("location"), (location,), "Location of a user")
    found = value_of(get(subject, location, customer(user["id"])), 200, location)
    expect_equal(found, user, "what Location shows")


def _expect_one(subject: Subject, changes: list[dict[str, object]], code: str) -> None:
    warm(subject, len(changes))
    calls = [partial(patiently, partial(create, subject, **each)) for each in changes]
    answers = at_once(calls)
    statuses = sorted(answer.status for answer in answers)
    expect_equal(statuses, [201, *[409] * (len(calls) - 1)], "the statuses of all at once")
    for answer in answers:
        if answer.status == 201:
            object_of(answer, 201, USER, "the one that was created")
        else:
            expect_problem(answer, code, "of one that came later")


def _expect_rival(answer: Answer) -> None:
    """Expect one of the three: which is open where a user has several rivals."""
    expect_status(answer, 409, "a user who is there in every way")
    kinds = ("duplicate-email", "duplicate-nif", "duplicate-plate")
    codes = [code for code in kinds if code.encode() in answer.body.split(b'"title"')[0]]
    expect(len(codes) == 1, f"a user who is there in every way is told of {codes}")
    expect_problem(answer, codes[0], "of a user who is there in every way")


def _rows(subject: Subject) -> tuple[int, int]:
    return number_of(subject, "app_user"), number_of(subject, "vehicle")
