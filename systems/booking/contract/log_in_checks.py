"""A5, A6 and A10: how a password becomes a token."""

import hmac
import time
from base64 import urlsafe_b64decode
from functools import partial
from typing import Any

from loadstone.contract import declare
from loadstone.contract.client import Answer
from loadstone.contract.expect import expect, expect_equal
from loadstone.contract.subject import Subject

from .lib.accounts import PASSWORD, account, log_in, new_email, sign_up
from .lib.problems import expect_invalid, expect_problem
from .lib.service import (
    ACCOUNTS,
    DATABASE,
    LOG_IN,
    ME,
    STARTS_SECONDS,
    bearer,
    expect_status,
    get,
    post,
    read_json,
)
from .lib.shapes import ACCOUNT, is_integer, object_of, value_of
from .lib.tokens import OWNER, PLAYER, SECRET, base64url, caller
from .lib.wrong_types import NO_TEXTS

check = partial(declare.check, operation="log-in")
with_stand = partial(check, needs_stand=True, seconds=STARTS_SECONDS)

CLOCK_SECONDS = 60
"""That a request may take; the clock is the same one."""
DEFAULT_SECONDS = 3600
TAIL = "courtsidecourtsidecouuDPA1CyCaj1RGbCiy4psmRUKp0EtfvEq"
"""Salt and hash of the seed's password at cost 4, with whichever letter in its name."""
TAIL_OF_COST_10 = "courtsidecourtsidecouuv5y/f6o5v81yQHI5QY8M9i9LUcafCoC"
HASHES = (
    f"$2a$04${TAIL}",
    f"$2b$04${TAIL}",
    f"$2a$10${TAIL_OF_COST_10}",
    f"$2b$10${TAIL_OF_COST_10}",
)
NO_ACCOUNTS: tuple[str, ...] = (
    *("", "x", "nobody", "@", "é@booking.example", "a b@c.de", "nobody@booking.example"),
    *(f"{'a' * 5000}@booking.example", "owner-1@booking.example ", "owner-1@booking.exampl"),
    *("%@booking.example", "owner-_@booking.example", "1", "null"),
)


@check("A5", "log-in is 200 with a token of exactly these claims, which is accepted")
def logs_in(subject: Subject) -> None:
    for role in (PLAYER, OWNER):
        body = account(role=role)
        made = object_of(post(subject, ACCOUNTS, None, body), 201, ACCOUNT, "signing up")
        token = _token(log_in(subject, body["email"], body["password"]), DEFAULT_SECONDS)
        _expect_claims(token, made["id"], role, DEFAULT_SECONDS)
        answer = get(subject, ME, None, bearer(token))
        expect_equal(value_of(answer, 200, "me"), made, "me by the token of log-in")


@check("A5", "the seed's owners and players log in by their roles")
def seed_logs_in(subject: Subject) -> None:
    seeded = {"owner-1": (1, OWNER), "owner-10": (10, OWNER), "player-1": (11, PLAYER)}
    for name, (number, role) in {**seeded, "player-1000": (1010, PLAYER)}.items():
        token = _token(log_in(subject, f"{name}@booking.example"), DEFAULT_SECONDS)
        _expect_claims(token, number, role, DEFAULT_SECONDS)


@with_stand("A5", "a token is valid for as long as JWT_TTL says")
def time_to_live(subject: Subject) -> None:
    for seconds in (60, 86_400):
        with subject.stand.restarted({"JWT_TTL": str(seconds)}) as other:
            token = _token(log_in(other, "owner-1@booking.example"), seconds)
            _expect_claims(token, 1, OWNER, seconds)
            expect_status(get(other, ME, None, bearer(token)), 200, "me by such a token")


@check("A5", "members of a log-in that are missing or of another type are 422")
def wrong_members(subject: Subject) -> None:
    whole: dict[str, object] = {"email": "owner-1@booking.example", "password": PASSWORD}
    for name in whole:
        without = {key: value for key, value in whole.items() if key != name}
        for body in (without, {**whole, name: None}):
            expect_invalid(post(subject, LOG_IN, None, body), (f"/{name}", "required"))
        for value in NO_TEXTS:
            answer = post(subject, LOG_IN, None, {**whole, name: value})
            expect_invalid(answer, (f"/{name}", "type"), when=f"of {name} {value!r}")
    both = (("/email", "required"), ("/password", "required"))
    expect_invalid(post(subject, LOG_IN, None, {}), *both)


@check("A6", "a wrong password and an unknown address are the same 401", seconds=60.0)
def same_refusal(subject: Subject) -> None:
    known = new_email()
    expect_status(sign_up(subject, email=known), 201, "signing up")
    wrong_passwords = ("", "x", PASSWORD.upper(), f"{PASSWORD} ", PASSWORD[:-1], "a" * 72)
    answers = {
        **{f"the password {each}": log_in(subject, known, each) for each in wrong_passwords},
        **{f"the address {each[:30]}": log_in(subject, each) for each in NO_ACCOUNTS},
        "a password of 73 bytes": log_in(subject, known, "a" * 73),
        "a password of 5,000 bytes": log_in(subject, known, PASSWORD + "a" * 5000),
        "25 of three bytes": log_in(subject, known, "€" * 25),
        "such a password and no address": log_in(subject, "nobody@booking.example", "a" * 73),
    }
    fields = set()
    for what, answer in answers.items():
        expect_problem(answer, "bad-credentials", f"of {what}")
        fields.add(tuple(sorted(name.lower() for name, _ in answer.headers)))
    expect_equal(len(fields), 1, "the number of ways in which the refusals' fields differ")


@check("A6", "no token is needed to log in, and a wrong one does not matter")
def without_a_token(subject: Subject) -> None:
    body = {"email": "owner-1@booking.example", "password": PASSWORD}
    for field in ("Bearer nothing", "Basic b3duZXI6eA==", "Bearer ", ""):
        answer = post(subject, LOG_IN, None, body, ("Authorization", field))
        _token(answer, DEFAULT_SECONDS)
        answer = post(subject, ACCOUNTS, None, account(), ("Authorization", field))
        expect_status(answer, 201, f"signing up with Authorization {field!r}")


@with_stand("A10", "hashes of both names and of another cost are verified")
def hashes_of_others(subject: Subject) -> None:
    hand = subject.stand.dependency(DATABASE)
    for written in HASHES:
        email = new_email()
        ((number,),) = hand.execute(
            "INSERT INTO account (email, name, password_hash, role)"
            " VALUES (%s, 'Of another time', %s, 'owner') RETURNING id",
            (email, written),
        )
        token = _token(log_in(subject, email), DEFAULT_SECONDS)
        _expect_claims(token, number, OWNER, DEFAULT_SECONDS)
        answer = log_in(subject, email, PASSWORD + "x")
        expect_problem(answer, "bad-credentials", f"of a wrong password against {written[:7]}")
        answer = get(subject, ME, caller(number, OWNER))
        object_of(answer, 200, ACCOUNT, "such an account", email=email)


@with_stand("A10", "a hash of this service has the same meaning by both names")
def own_hashes(subject: Subject) -> None:
    hand = subject.stand.dependency(DATABASE)
    for password in ("Zürich-2040", "€" * 24, PASSWORD):
        email = new_email()
        expect_status(sign_up(subject, email=email, password=password), 201, "signing up")
        for name in ("$2a$", "$2b$"):
            hand.execute(
                "UPDATE account SET password_hash = %s || substr(password_hash, 5) WHERE email = %s",
                (name, email),
            )
            expect_status(log_in(subject, email, password), 200, f"logging in by {name}")
            answer = log_in(subject, email, f"{password[:-1]}?")
            expect_problem(answer, "bad-credentials", f"of another password by {name}")


@with_stand("A10", "the seed's hash is verified where new ones have another cost")
def other_cost(subject: Subject) -> None:
    with subject.stand.restarted({"PASSWORD_COST": "6"}) as other:
        for email in ("owner-2@booking.example", "player-7@booking.example"):
            _token(log_in(other, email), DEFAULT_SECONDS)
            expect_problem(log_in(other, email, "x"), "bad-credentials", "of another password")


def _token(answer: Answer, seconds: int) -> str:
    """The token of an answer that is otherwise as the SPEC has it."""
    value = value_of(answer, 200, "logging in")
    is_object = isinstance(value, dict) and tuple(value) == ("token", "token_type", "expires_in")
    expect(is_object, f"logging in is {answer.body[:80]!r}")
    expect_equal((value["token_type"], value["expires_in"]), ("Bearer", seconds), "the rest of it")
    token = value["token"]
    expect(isinstance(token, str) and token.count(".") == 2, f"the token is {token!r}")
    return str(token)


def _expect_claims(token: str, account_id: int, role: str, seconds: int) -> None:
    header, payload, signature = token.split(".")
    wanted = base64url(hmac.digest(SECRET.encode(), f"{header}.{payload}".encode(), "sha256"))
    expect_equal(signature, wanted, "the signature of a token")
    said = _decoded(header)
    expect(
        isinstance(said, dict) and said.get("alg") == "HS256", f"the header of a token is {said}"
    )
    claims = _decoded(payload)
    names = {"iss", "aud", "sub", "role", "iat", "exp"}
    expect(isinstance(claims, dict) and set(claims) == names, f"the claims are {claims}")
    texts = {name: claims[name] for name in ("iss", "aud", "sub", "role")}
    own = {"iss": "booking", "aud": "booking", "sub": str(account_id), "role": role}
    expect_equal(texts, own, "the claims of a token")
    issued, expires = claims["iat"], claims["exp"]
    expect(is_integer(issued) and is_integer(expires), f"iat and exp are {issued} and {expires}")
    expect_equal(expires - issued, seconds, "exp less iat")
    expect(abs(issued - time.time()) <= CLOCK_SECONDS, f"iat is {issued}")


def _decoded(text: str) -> Any:
    """The value of a part. Raises AssertionError where it is no base64url without padding."""
    allowed = set("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_")
    expect(set(text) <= allowed and len(text) % 4 != 1, f"a part of the token is {text!r}")
    return read_json(urlsafe_b64decode(text + "=" * (-len(text) % 4)))
