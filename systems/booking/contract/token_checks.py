"""A11 to A18: which tokens are accepted, and which are not."""

import hmac
import json
import time
from functools import partial

from loadstone.contract import declare
from loadstone.contract.expect import expect_equal
from loadstone.contract.subject import Subject

from .lib.at_once import patiently
from .lib.problems import expect_problem
from .lib.scenes import reservation_path
from .lib.service import (
    CLUBS,
    FACILITIES,
    JSON,
    LIVE,
    MANY_SECONDS,
    ME,
    READY,
    RESERVATIONS,
    STARTS_SECONDS,
    ask,
    bearer,
    expect_status,
    get,
)
from .lib.tokens import HEADER, OWNER, PLAYER, SECRET, base64url, caller, claims, part, signed

check = partial(declare.check, seconds=MANY_SECONDS)
quick = partial(declare.check, quick=True)
with_stand = partial(declare.check, needs_stand=True, seconds=STARTS_SECONDS)

GOOD = partial(claims, 1, OWNER)
NO_ALGORITHMS: tuple[object, ...] = (*("none", "None", "NONE", "nOnE", "", None, "HS0", [], {}, 0),)
FAR_OFF = 4_102_444_800
"""The first second of 2100."""
NEEDS_A_TOKEN = (
    *(("GET", ME), ("GET", CLUBS), ("POST", CLUBS), ("GET", f"{CLUBS}/1"), ("PUT", f"{CLUBS}/1")),
    *(("POST", f"{CLUBS}/1/facilities"), ("GET", FACILITIES), ("GET", f"{FACILITIES}/1")),
    *(("PUT", f"{FACILITIES}/1"), ("DELETE", f"{FACILITIES}/1")),
    *(("GET", f"{FACILITIES}/1/slots"), ("GET", f"{FACILITIES}/1/ratings")),
    *(("POST", RESERVATIONS), ("GET", RESERVATIONS), ("GET", reservation_path(1))),
    *(("POST", f"{reservation_path(1)}/{each}") for each in ("accept", "reject", "cancel")),
    ("PUT", f"{reservation_path(1)}/rating"),
)
NO_IDS: tuple[object, ...] = (
    *("", "0", "01", "x", "1x", "-1", "+1", " 1", "1 ", "1\n", "1.0", "1e0", "12345678901234567"),
    *("\u0661", "1\u0000", "null", None, 1, 1.0, True, [], ["1"], {}),
)
"""The first of the last row is an Arabic digit."""
NO_ROLES: tuple[object, ...] = (
    *("", "admin", "Owner", "PLAYER", "owner ", "owner\n", "player,owner", None, 1, True),
    *(["owner"], {"owner": True}),
)
NO_TIMES: tuple[object, ...] = ("", "4102444800", "never", None, [], [FAR_OFF], {}, 0, -1, True)
OTHER_NAMES: tuple[object, ...] = ("", "Booking", "booking ", "other", "bookin", None, 5, {}, True)


@quick("A11", "without a token it is 401")
def no_token(subject: Subject) -> None:
    for fields in ([], [("Authorization", "Bearer ")], [("Authorization", "Bearer a.b.c")]):
        answer = get(subject, CLUBS, None, *fields)
        expect_problem(answer, "unauthenticated", f"with {fields}")


@check("A11", "each operation that needs a token is 401 without one")
def no_token_anywhere(subject: Subject) -> None:
    for method, target in NEEDS_A_TOKEN:
        answer = ask(subject, method, target)
        expect_problem(answer, "unauthenticated", f"of {method} {target} without a token")
        answer = ask(subject, method, target, None, bearer("a.b.c"), JSON, body=b"{}")
        expect_problem(answer, "unauthenticated", f"of {method} {target} with no token")
    for target in (LIVE, READY):
        for fields in ([], [bearer("a.b.c")], [("Authorization", "nothing")]):
            expect_status(get(subject, target, None, *fields), 200, f"{target} with {fields}")


@check("A11", "another scheme, and what is no token, are 401; the scheme has any case")
def schemes(subject: Subject) -> None:
    token = signed(GOOD())
    for scheme in ("Bearer", "bearer", "BEARER", "bEaReR"):
        _expect_accepted(subject, ("Authorization", f"{scheme} {token}"), scheme)
    header, payload, signature = token.split(".")
    wrong = (
        *(
            "",
            "Bearer",
            "Bearer ",
            "Basic",
            f"Basic {token}",
            f"Token {token}",
            f"JWT {token}",
            token,
        ),
        *(f"Bearer{token}", f"Bearer:{token}", f"Bearer {token} {token}", f"Bearer {token},"),
        *(f"Bearer {header}", f"Bearer {header}.{payload}", f"Bearer {header}.{payload}."),
        *(f"Bearer {token}.", f"Bearer .{token}", f"Bearer {token}.{signature}", "Bearer .."),
        *(f'Bearer "{token}"', f"Bearer token={token}", f"Bearers {token}", "Bearer ...."),
        *(f"Bearer {header}.{signature}.{payload}", f"Bearer {'a' * 3000}", "Bearer null"),
    )
    for value in wrong:
        _expect_refused(subject, ("Authorization", value), f"with {value[:40]!r}")
    for name in ("X-Authorization", "Proxy-Authorization", "Cookie", "X-Token"):
        _expect_refused(subject, (name, f"Bearer {token}"), f"with a token as {name}")
    answer = get(subject, f"{CLUBS}?access_token={token}&token={token}")
    expect_problem(answer, "unauthenticated", "with a token in the query")


@quick("A12", "an expired token is 401")
def expired(subject: Subject) -> None:
    _expect_no_token(subject, signed(GOOD(exp=int(time.time()) - 5)), "that expired 5 s ago")


@check("A12", "a token is 401 in its first second behind its time, and before that it is not")
def first_second(subject: Subject) -> None:
    for ago in (1, 2, 30, 59, 61, 3600):
        now = int(time.time())
        token = signed(GOOD(exp=now - ago, iat=now - 7200))
        _expect_no_token(subject, token, f"that expired {ago} s ago")
    for left in (10, 60, 86_400):
        token = signed(GOOD(exp=int(time.time()) + left))
        _expect_accepted(subject, bearer(token), f"a token of {left} s")
    for _ in range(3):
        # At the beginning of a second, so that its own second is still going on when it is asked.
        time.sleep(1.0 - time.time() % 1.0)
        _expect_no_token(subject, signed(GOOD(exp=int(time.time()))), "that expires now")


@check("A13", "a changed payload is 401")
def changed_payload(subject: Subject) -> None:
    header, payload, signature = signed(GOOD()).split(".")
    own = claims(1, OWNER)
    changed: tuple[dict[str, object], ...] = (
        *({**own, "sub": "2"}, {**own, "role": PLAYER}, {**own, "exp": FAR_OFF}, {**own, "x": 1}),
        *({**own, "sub": "11", "role": PLAYER}, {}),
    )
    for each in changed:
        _expect_no_token(subject, f"{header}.{part(each)}.{signature}", f"of the payload {each}")
    for at in (0, len(payload) // 2, len(payload) - 2):
        other = "A" if payload[at] != "A" else "B"
        text = payload[:at] + other + payload[at + 1 :]
        _expect_no_token(subject, f"{header}.{text}.{signature}", f"changed at {at}")


@check("A13", "a payload that is no object of claims is 401, however it is signed")
def no_payload(subject: Subject) -> None:
    for payload in ([], None, "text", 5, [GOOD()]):
        _expect_no_token(subject, signed(payload), f"of the payload {payload!r}")
    good = json.dumps(GOOD()).encode()
    for raw in (b"", b"{", good[:-1], good + good, b"\xff\xfe", b"nothing"):
        token = _signed_text(f"{part(HEADER)}.{base64url(raw)}")
        _expect_no_token(subject, token, f"of the payload {raw[:20]!r}")
    token = _signed_text(f"{part(HEADER)}.!!!")
    _expect_no_token(subject, token, "of a payload that is no base64url")


@quick("A14", "a signature by another key is 401")
def other_key(subject: Subject) -> None:
    _expect_no_token(subject, signed(GOOD(), key="x" * len(SECRET)), "by another key")


@check("A14", "a changed signature, and one by any other key, are 401")
def changed_signature(subject: Subject) -> None:
    token = signed(GOOD())
    text, _, signature = token.rpartition(".")
    for at in (0, 1, len(signature) // 2, len(signature) - 2):
        other = "A" if signature[at] != "A" else "B"
        changed = signature[:at] + other + signature[at + 1 :]
        _expect_no_token(subject, f"{text}.{changed}", f"whose signature is changed at {at}")
    others = (
        *(
            "",
            signature[:-1],
            signature[:10],
            signature * 2,
            signature[::-1],
            "A" * 43,
            f"{signature}AAAA",
        ),
        *(signature.swapcase(), f"A{signature}", base64url(b"\0" * 32), base64url(b"")),
    )
    for each in others:
        _expect_no_token(subject, f"{text}.{each}", f"whose signature is {each[:20]!r}")
    for key in (
        "",
        SECRET[:-1],
        f"{SECRET} ",
        f"{SECRET}\n",
        SECRET.upper(),
        "secret",
        SECRET[::-1],
    ):
        _expect_no_token(subject, signed(GOOD(), key=key), f"by the key {key!r}")
    _expect_accepted(subject, bearer(token), "the token itself")


@with_stand("A14", "the key is the bytes of JWT_SECRET")
def configured_key(subject: Subject) -> None:
    for secret in ("0123456789abcdef0123456789abcdef", "!~" * 128):
        with subject.stand.restarted({"JWT_SECRET": secret}, unready=True) as other:
            expect_status(patiently(partial(get, other, READY)), 200, "/readyz with another key")
            answer = get(other, CLUBS, None, bearer(signed(GOOD(), key=secret)))
            expect_status(answer, 200, f"a list with a token by {secret[:8]}...")
            _expect_no_token(other, signed(GOOD()), "by the key of another process")


@check("A15", "the algorithm none is 401, in any case of letters")
def no_algorithm(subject: Subject) -> None:
    for name in NO_ALGORITHMS:
        header = {**HEADER, "alg": name}
        text = f"{part(header)}.{part(GOOD())}"
        for token in (f"{text}.", text, signed(GOOD(), header), f"{text}.{base64url(b'none')}"):
            _expect_no_token(subject, token, f"of the algorithm {name!r}")
    without = {"typ": "JWT"}
    _expect_no_token(subject, signed(GOOD(), without), "without an algorithm")
    for raw in (b"", b"[]", b"null", b"{", b'"HS256"'):
        token = _signed_text(f"{base64url(raw)}.{part(GOOD())}")
        _expect_no_token(subject, token, f"of the header {raw!r}")


@check("A16", "other algorithms are 401, by the right key, too")
def other_algorithms(subject: Subject) -> None:
    for name, digest in (("HS512", "sha512"), ("HS384", "sha384"), ("HS224", "sha224")):
        header = {**HEADER, "alg": name}
        _expect_no_token(subject, signed(GOOD(), header, digest=digest), f"of {name}")
        _expect_no_token(subject, signed(GOOD(), digest=digest), f"of {name} that says HS256")
        _expect_no_token(subject, signed(GOOD(), header), f"that says {name}")
    for name in ("RS256", "ES256", "PS256", "EdDSA", "hs256", "HS256 ", "HS1", "SHA256"):
        _expect_no_token(subject, signed(GOOD(), {**HEADER, "alg": name}), f"that says {name}")


@check("A17", "another iss or aud is 401, and so is none")
def other_parties(subject: Subject) -> None:
    for name in ("iss", "aud"):
        _expect_no_token(subject, signed(GOOD(without=[name])), f"without {name}")
        for value in OTHER_NAMES:
            _expect_no_token(subject, signed({**GOOD(), name: value}), f"of the {name} {value!r}")


@check("A18", "sub, role and exp are needed, and each must be one")
def needed_claims(subject: Subject) -> None:
    wrong = {"sub": NO_IDS, "role": NO_ROLES, "exp": NO_TIMES}
    for name, values in wrong.items():
        _expect_no_token(subject, signed(GOOD(without=[name])), f"without {name}")
        for value in values:
            _expect_no_token(subject, signed({**GOOD(), name: value}), f"of the {name} {value!r}")
    longest = signed(claims(9_999_999_999_999_999, PLAYER))
    _expect_accepted(subject, bearer(longest), "a token whose sub has 16 digits")


@check("A18", "other claims and other fields of the header are not looked at")
def claims_not_looked_at(subject: Subject) -> None:
    accepted = {
        "no iat": GOOD(without=["iat"]),
        "an iat long ago": GOOD(iat=0),
        "others": GOOD(jti=5, name=None, scope=["a"], admin=True, azp="other", nonce={}),
        "exp of 2100": GOOD(exp=FAR_OFF),
    }
    for what, payload in accepted.items():
        _expect_accepted(subject, bearer(signed(payload)), f"a token with {what}")
    for header in ({"alg": "HS256"}, {"typ": "JWT", "alg": "HS256"}, {**HEADER, "kid": "1"}):
        _expect_accepted(subject, bearer(signed(GOOD(), header)), f"a token of the header {header}")
    spaced = [base64url(json.dumps(each, indent=1).encode()) for each in (HEADER, GOOD())]
    _expect_accepted(subject, bearer(_signed_text(".".join(spaced))), "a token with white space")


def _signed_text(text: str) -> str:
    """Header and payload as they are, with their right signature."""
    return f"{text}.{base64url(hmac.digest(SECRET.encode(), text.encode(), 'sha256'))}"


def _expect_no_token(subject: Subject, token: str, what: str) -> None:
    _expect_refused(subject, bearer(token), f"with a token {what}")


def _expect_refused(subject: Subject, field: tuple[str, str], what: str) -> None:
    for target in (CLUBS, ME):
        expect_problem(get(subject, target, None, field), "unauthenticated", f"of {target} {what}")


def _expect_accepted(subject: Subject, field: tuple[str, str], what: str) -> None:
    answer = get(subject, f"{CLUBS}?limit=1", None, field)
    expect_status(answer, 200, f"a list with {what}")
    same = get(subject, f"{CLUBS}?limit=1", caller(1, OWNER))
    expect_equal(answer.body, same.body, f"a list with {what}")
