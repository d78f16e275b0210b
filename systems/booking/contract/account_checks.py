"""A1 to A4: how accounts come about, and what is refused."""

from functools import partial
from secrets import token_hex

from loadstone.contract import declare
from loadstone.contract.expect import expect, expect_equal
from loadstone.contract.subject import Subject

from .lib.accounts import PASSWORD, account, log_in, new_email, sign_up
from .lib.instants import expect_now
from .lib.problems import expect_invalid, expect_problem
from .lib.service import ACCOUNTS, ME, compact, expect_status, get, post
from .lib.shapes import ACCOUNT, object_of, value_of
from .lib.tokens import OWNER, PLAYER, caller
from .lib.wrong_types import NO_TEXTS

check = partial(declare.check, operation="sign-up")

ASTRAL = "\N{MUSICAL SYMBOL G CLEF}"
"""Two units of UTF-16, four bytes of UTF-8, one code point."""
MOST_NAME_CHARACTERS = 100
KELVIN = "\N{KELVIN SIGN}"
"""No letter of ASCII, but its lower case by Unicode is."""

NO_ADDRESSES = (
    *("nobody", "@booking.example", "nobody@", "a b@booking.example", "a@b@booking.example"),
    *(
        "é@booking.example",
        "a@bücher.example",
        f"{KELVIN}ay@booking.example",
        "a@booking_x.example",
    ),
    *(" a@booking.example", "a@booking.example ", "a@booking.example\n", "a@booking.example\0"),
    *("a'b@booking.example", "a/b@booking.example", '"a"@booking.example', "<a@booking.example>"),
    *(
        "a,b@booking.example",
        "a@booking.exam ple",
        "nobody@\u0660.example",
        "a@bc",
        "İ@booking.example",
    ),
    *(
        f"{'a' * 65}@booking.example",
        f"a@{'b' * 190}",
        f"{'a' * 64}@{'b' * 190}",
        f"{'a' * 300}@b.c",
    ),
)
ADDRESSES = (
    *("{}@a.b", "{}@abc", "{}._%+-@booking.example", "%{}@booking.example", "{}@-.-", "{}@..."),
    *("+{}@0-9.example", "{}@b.c.d.e.f"),
)


@check("A1", "sign-up is 201 with the five members, and me returns them")
def signs_up(subject: Subject) -> None:
    for role in (PLAYER, OWNER):
        for name in ("Ada", "x", "  Ada  Lovelace ", "A" * MOST_NAME_CHARACTERS):
            body = account(name=name, role=role)
            answer = post(subject, ACCOUNTS, None, body)
            wanted = {"email": body["email"], "name": name, "role": role}
            found = object_of(answer, 201, ACCOUNT, "signing up", **wanted)
            expect_now(found["created_at"], "created_at of an account")
            for text in (PASSWORD, "$2a$", "$2b$", "hash"):
                expect(text.encode() not in answer.body, f"the account shows {text}")
            answer = get(subject, ME, caller(found["id"], role))
            expect_equal(value_of(answer, 200, "me"), found, "me")


@check("A1", "me is the account of the token, of the seed as well")
def seeded_accounts(subject: Subject) -> None:
    for number, role, name in ((1, OWNER, "Owner 1"), (10, OWNER, "Owner 10")):
        wanted = {"id": number, "email": f"owner-{number}@booking.example", "name": name}
        answer = get(subject, ME, caller(number, role))
        object_of(answer, 200, ACCOUNT, name, **wanted, role=role)
    for number in (1, 1000):
        wanted = {"id": 10 + number, "email": f"player-{number}@booking.example"}
        answer = get(subject, ME, caller(10 + number, PLAYER))
        object_of(answer, 200, ACCOUNT, "a player", **wanted, name=f"Player {number}", role=PLAYER)


@check("A1", "addresses are kept in lower case, at all of their lengths")
def addresses(subject: Subject) -> None:
    middle = token_hex(8)
    longest = f"{middle:a<64}@{'b' * 185}.com"
    shortest = f"{token_hex(1)}@b.c"
    for email in (*(each.format(middle) for each in ADDRESSES), longest, shortest):
        answer = sign_up(subject, email=email)
        object_of(answer, 201, ACCOUNT, f"signing up as {email}", email=email)
    email = f"Check.{token_hex(8).upper()}@Booking.EXAMPLE"
    answer = sign_up(subject, email=email)
    object_of(answer, 201, ACCOUNT, f"signing up as {email}", email=email.lower())
    expect_status(log_in(subject, email.lower()), 200, "logging in by the address in lower case")


@check("A1", "what is no address is 422, and so are names of 0 and 101 characters")
def no_addresses(subject: Subject) -> None:
    for email in NO_ADDRESSES:
        expect_invalid(sign_up(subject, email=email), ("/email", "format"), when=f"of {email!r}")
    expect_invalid(sign_up(subject, email="a@b.c"), ("/email", "too-short"))
    for name in ("", "a" * (MOST_NAME_CHARACTERS + 1)):
        code = "too-long" if name else "too-short"
        expect_invalid(sign_up(subject, name=name), ("/name", code))
    for letter in ("é", ASTRAL):
        name = letter * MOST_NAME_CHARACTERS
        answer = post(subject, ACCOUNTS, None, account(name=name))
        object_of(answer, 201, ACCOUNT, f"signing up as 100 {letter}", name=name)
        expect_invalid(sign_up(subject, name=name + letter), ("/name", "too-long"))


@check("A1", "members that are missing or of another type are 422, each with its pointer")
def wrong_members(subject: Subject) -> None:
    for name in ("email", "name", "password"):
        body = account()
        del body[name]
        expect_invalid(post(subject, ACCOUNTS, None, body), (f"/{name}", "required"))
        expect_invalid(sign_up(subject, **{name: None}), (f"/{name}", "required"))
        for value in NO_TEXTS:
            answer = sign_up(subject, **{name: value})
            expect_invalid(answer, (f"/{name}", "type"), when=f"of {name} {value!r}")
    required = [(f"/{name}", "required") for name in ("email", "name", "password")]
    expect_invalid(post(subject, ACCOUNTS, None, {}), *required)
    body = {"role": "admin", "password": "short", "name": 5, "email": "nobody"}
    expect_invalid(
        post(subject, ACCOUNTS, None, body),
        *(("/email", "format"), ("/name", "type")),
        *(("/password", "too-short"), ("/role", "unknown-value")),
    )


@check("A2", "the same address is 409, in another case, too, and changes nothing")
def taken_address(subject: Subject) -> None:
    body = account(name="First", role=OWNER)
    email = str(body["email"])
    found = object_of(post(subject, ACCOUNTS, None, body), 201, ACCOUNT, "signing up")
    for again in (email, email.upper(), email.replace("check", "Check")):
        answer = sign_up(subject, email=again, name="Second", password="another-password")
        expect_problem(answer, "email-taken", f"of {again}")
    answer = get(subject, ME, caller(found["id"], OWNER))
    expect_equal(value_of(answer, 200, "me"), found, "me behind it")
    expect_status(log_in(subject, email), 200, "logging in by the first password")
    answer = log_in(subject, email, "another-password")
    expect_problem(answer, "bad-credentials", "of the second password")
    answer = sign_up(subject, email="Owner-1@booking.example")
    expect_problem(answer, "email-taken", "of an address of the seed")


@check("A3", "passwords have 8 to 72 bytes of UTF-8", seconds=60.0)
def lengths_of_passwords(subject: Subject) -> None:
    wrong = {
        **{"": "too-short", "1234567": "too-short", "ééé1": "too-short", "東東": "too-short"},
        **{"a" * 73: "too-long", "€" * 25: "too-long", "é" * 36 + "a": "too-long"},
        **{ASTRAL * 19: "too-long", ASTRAL: "too-short", "a" * 1000: "too-long"},
    }
    for password, code in wrong.items():
        answer = sign_up(subject, password=password)
        expect_invalid(answer, ("/password", code), when=f"of {len(password.encode())} bytes")
    right = ("12345678", "a" * 72, "é" * 4, "é" * 36, "€" * 24, ASTRAL * 2, ASTRAL * 18, " " * 8)
    for password in right:
        email = new_email()
        answer = sign_up(subject, email=email, password=password)
        expect_status(answer, 201, f"signing up with {password}")
        expect_status(log_in(subject, email, password), 200, f"logging in with {password}")


@check("A3", "72 other bytes do not log in, nor a byte more or less", seconds=60.0)
def other_passwords(subject: Subject) -> None:
    for password in ("a" * 72, "€" * 24, "Pass word"):
        email = new_email()
        expect_status(sign_up(subject, email=email, password=password), 201, "signing up")
        others = (
            *(f"{password[:-1]}b", f"b{password[1:]}", f"{password}a", password[:-1]),
            *(password.swapcase() + "A", f" {password}", f"{password} ", f"{password}b"),
        )
        for other in others:
            answer = log_in(subject, email, other)
            expect_problem(answer, "bad-credentials", f"of {other} in the place of {password}")


@check("A4", "a role that is none is 422, and without one it is a player")
def roles(subject: Subject) -> None:
    for role in ("admin", "", "Player", "OWNER", "owner ", "user"):
        expect_invalid(sign_up(subject, role=role), ("/role", "unknown-value"), when=f"of {role!r}")
    for value in NO_TEXTS:
        expect_invalid(sign_up(subject, role=value), ("/role", "type"), when=f"of {value!r}")
    body = account()
    del body["role"]
    for without in (body, account(role=None)):
        answer = subject.ask(ACCOUNTS, [("Content-Type", "application/json")], compact(without))
        object_of(answer, 201, ACCOUNT, "signing up without a role", role=PLAYER)
