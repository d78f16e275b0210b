"""U7, U8, U9 and U38: how a password becomes a token, and for whom it does not."""

import re
import time
from functools import partial
from secrets import token_hex
from statistics import median
from typing import Any

from loadstone.contract import declare
from loadstone.contract.client import Answer
from loadstone.contract.expect import expect, expect_equal
from loadstone.contract.subject import Subject

from .lib.at_once import timed
from .lib.clock import expect_speed, undisturbed
from .lib.database import hand_of
from .lib.instants import of_seconds
from .lib.objects import expect_status, object_of
from .lib.problems import expect_problem
from .lib.shapes import LOGIN, USER, is_integer
from .lib.tokens import ISSUER, read_token
from .lib.users_accounts import PASSWORD, SEED_EMAILS, created, log_in, new_email
from .lib.users_rows import put_customers
from .lib.users_service import LOGIN as LOGIN_PATH
from .lib.users_service import (
    MANY_SECONDS,
    SERVICE,
    STARTS_SECONDS,
    customer,
    get_user,
    post,
    set_status,
)

check = partial(declare.check, service=SERVICE, operation="login", seconds=MANY_SECONDS)
with_stand = partial(check, needs_stand=True, seconds=STARTS_SECONDS)

SEEDED = {
    1: ("SUPERVISOR", "Orla Fennimarsh"),
    2: ("PARK_MANAGER", "Tavi Brookharrow"),
    3: ("CUSTOMER_MANAGER", "Neva Stillwick"),
    4: ("CUSTOMER", "Bram Oakhollow"),
}
TOKEN_SECONDS = 600
"""By default."""
OTHER_SECONDS = 77
CLOCK_SECONDS = 60
"""That a request may take; the clock is the same one."""

WRONG_PASSWORDS = ("", "x", PASSWORD.upper(), f"{PASSWORD} ", f" {PASSWORD}", PASSWORD[:-1])
LONG_PASSWORDS = ("a" * 72, "a" * 73, PASSWORD + "a" * 5000, "\N{EURO SIGN}" * 25)
NO_USERS = (
    *("", "x", "nobody", "@", "é@park.example", "a b@c.de", f"{'a' * 5000}@park.example"),
    *("bram@park.example ", "bram@park.exampl", "%@park.example", "bra_@park.example", "4", "null"),
)
TIMES = 7
"""Of each kind, one after the other in turn, so that other work of the machine meets all."""
MOST_TIMES = 3
"""By which factor their medians differ at most."""

HASH = re.compile(r"\$2[ab]\$10\$[./A-Za-z0-9]{53}")
OLD_PASSWORD = "court-side-2040"
OLD_TAIL = "04$courtsidecourtsidecouuDPA1CyCaj1RGbCiy4psmRUKp0EtfvEq"
"""Its hash of cost 4, without the letter."""


@check("U7", "login is 200 with a token of exactly these claims, for the seed's users")
def seed_logs_in(subject: Subject) -> None:
    for user, (role, name) in SEEDED.items():
        _expect_token(log_in(subject, SEED_EMAILS[user]), user, role, name)


@check("U7", "whoever was created logs in, by the address in any case")
def logs_in(subject: Subject) -> None:
    email = f"Check.{token_hex(6)}@Park.Example"
    user = created(subject, email=email, firstName="  Ada", lastName="Lovelace ")["id"]
    for written in (email, email.lower(), email.upper()):
        _expect_token(log_in(subject, written), user, "CUSTOMER", "  Ada Lovelace ")


@check("U7", "whatever identity or token comes along does not matter")
def whatever_comes_along(subject: Subject) -> None:
    body = {"email": SEED_EMAILS[4], "password": PASSWORD}
    for fields in (
        [("Authorization", "Bearer nothing")],
        [("X-User-Id", "x"), ("X-User-Role", "nobody"), ("X-User-Role", "SUPERVISOR")],
    ):
        _expect_token(post(subject, LOGIN_PATH, None, body, *fields), 4, *SEEDED[4])


@with_stand("U7", "a token is valid for as long as TOKEN_SECONDS says")
def other_seconds(subject: Subject) -> None:
    with subject.stand.restarted({"TOKEN_SECONDS": str(OTHER_SECONDS)}) as other:
        _expect_token(log_in(other, SEED_EMAILS[4]), 4, *SEEDED[4], seconds=OTHER_SECONDS)


@check("U8", "a wrong password and an unknown address are the same 401")
def same_refusal(subject: Subject) -> None:
    known = SEED_EMAILS[4]
    answers = {
        **{f"the password {each!r}": log_in(subject, known, each) for each in WRONG_PASSWORDS},
        **{f"{len(each)} characters": log_in(subject, known, each) for each in LONG_PASSWORDS},
        **{f"the address {each[:30]!r}": log_in(subject, each) for each in NO_USERS},
        "neither": log_in(subject, new_email(), LONG_PASSWORDS[1]),
    }
    fields = set()
    for what, answer in answers.items():
        expect_problem(answer, "credentials", f"of {what}")
        fields.add(tuple(sorted(name.lower() for name, _ in answer.headers)))
    expect_equal(len(fields), 1, "the number of ways in which the refusals' fields differ")


@check("U8", "they take the same time, whatever is wrong")
def same_time(subject: Subject) -> None:
    for _ in range(2):  # the first of its kind may be slow
        log_in(subject, SEED_EMAILS[4], "x")
        log_in(subject, new_email())
    undisturbed(partial(_expect_same_time, subject))


@check("U9", "who is disabled or blocked is 403 by the right password, and 401 by a wrong one")
def blocked(subject: Subject) -> None:
    email = new_email()
    user = created(subject, email=email)["id"]
    for status in ("DISABLED", "BLOCKED"):
        _set(subject, user, status)
        expect_problem(log_in(subject, email), "account-blocked", f"of a user who is {status}")
        answer = log_in(subject, email, "Loadstone#Park-2")
        expect_problem(answer, "credentials", f"of a wrong password of who is {status}")
        # Nobody is looked up for an identity: a token stays what it is until it ends.
        answer = get_user(subject, user, customer(user))
        object_of(answer, 200, USER, f"a user who is {status}", userStatus=status)
    _set(subject, user, "ENABLED")
    expect_status(log_in(subject, email), 200, "the login of who is enabled again")


@with_stand("U38", "a new hash is bcrypt of cost 10, each with salt of its own")
def stored_hashes(subject: Subject) -> None:
    users = [created(subject)["id"] for _ in range(2)]
    rows = hand_of(subject).execute(
        "SELECT password_hash FROM app_user WHERE id = ANY(%s)", (users,)
    )
    hashes = {written for (written,) in rows}
    expect_equal(len(hashes), len(users), "the number of hashes of two users")
    for written in hashes:
        expect(HASH.fullmatch(written) is not None, f"a hash begins with {written[:7]}")


@with_stand("U38", "a hash logs in by both names, and at the cost that it names")
def both_names(subject: Subject) -> None:
    hand = hand_of(subject)
    email = new_email()
    own = created(subject, email=email)["id"]
    (put,) = put_customers(subject, 1)
    for letter in ("a", "b"):
        hand.execute(
            "UPDATE app_user SET password_hash = %s || substr(password_hash, 5) WHERE id = %s",
            (f"$2{letter}$", own),
        )
        expect_status(log_in(subject, email), 200, f"the login by $2{letter}$")
        answer = log_in(subject, email, "Loadstone#Park-2")
        expect_problem(answer, "credentials", f"of another password by $2{letter}$")
        hand.execute(
            "UPDATE app_user SET password_hash = %s WHERE id = %s",
            (f"$2{letter}${OLD_TAIL}", put.id),
        )
        answer = log_in(subject, put.email, OLD_PASSWORD)
        expect_status(answer, 200, f"the login by $2{letter}$ of cost 4")
        answer = log_in(subject, put.email, f"{OLD_PASSWORD}x")
        expect_problem(answer, "credentials", f"of another password by $2{letter}$ of cost 4")


def _set(subject: Subject, user: int, status: str) -> None:
    object_of(set_status(subject, user, status), 200, USER, f"setting {status}", userStatus=status)


def _expect_token(
    answer: Answer, user: int, role: str, name: str, *, seconds: int = TOKEN_SECONDS
) -> None:
    found = object_of(answer, 200, LOGIN, "logging in", name=name)
    header, claims = read_token(found["token"])
    is_header = isinstance(header, dict) and header.get("alg") == "HS256" and "crit" not in header
    expect(is_header, f"the header of a token is {header}")
    _expect_claims(claims, user, role, seconds)
    expect_equal(found["expiresAt"], of_seconds(claims["exp"]), "expiresAt beside exp")


def _expect_claims(claims: Any, user: int, role: str, seconds: int) -> None:
    names = {"iss", "sub", "role", "iat", "exp"}
    expect(isinstance(claims, dict) and set(claims) == names, f"the claims are {claims}")
    own = {name: claims[name] for name in ("iss", "sub", "role")}
    expect_equal(own, {"iss": ISSUER, "sub": str(user), "role": role}, "the claims of a token")
    issued, expires = claims["iat"], claims["exp"]
    expect(is_integer(issued) and is_integer(expires), f"iat and exp are {issued} and {expires}")
    expect_equal(expires - issued, seconds, "exp less iat")
    expect(abs(issued - time.time()) <= CLOCK_SECONDS, f"iat is {issued}")


def _expect_same_time(subject: Subject) -> None:
    known = SEED_EMAILS[4]
    spent: dict[str, list[float]] = {}
    for _ in range(TIMES):
        for what, email, password in (
            ("a wrong password", known, "Loadstone#Park-2"),
            ("an unknown address", new_email(), "Loadstone#Park-2"),
            ("an address that no user can have", "é", "Loadstone#Park-2"),
            ("a password of 73 bytes", known, "a" * 73),
        ):
            answer, seconds = timed(partial(log_in, subject, email, password))
            expect_status(answer, 401, f"a login by {what}")
            spent.setdefault(what, []).append(seconds)
    medians = {what: median(each) for what, each in spent.items()}
    shown = ", ".join(f"{what} {1000 * each:.1f} ms" for what, each in medians.items())
    least, most = min(medians.values()), max(medians.values())
    expect_speed(most < MOST_TIMES * least, f"refusals take different times: {shown}")
