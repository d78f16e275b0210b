"""G1 to G6: which requests need a token, and which tokens are good."""

import json
import time
from collections.abc import Iterator
from functools import partial
from secrets import token_hex

from loadstone.contract import declare
from loadstone.contract.expect import expect_equal
from loadstone.contract.subject import Subject

from .lib.clock import expect_speed, undisturbed
from .lib.gateway_answers import expect_refused
from .lib.gateway_service import (
    LOGIN,
    MANY_SECONDS,
    STARTS_SECONDS,
    TOKEN,
    USERS,
    ask,
    expect_none_arrived,
    get,
    wait_for_status,
)
from .lib.gateway_tokens import FAR_OFF, ROLES, claims, signed_text, token_of, with_other_letter
from .lib.objects import JSON, expect_status
from .lib.tokens import HEADER, SECRET, VECTOR, base64url, bearer, part, signed

check = partial(declare.check, needs_upstream=True, seconds=MANY_SECONDS)
quick = partial(declare.check, quick=True)
with_stand = partial(declare.check, needs_stand=True, needs_upstream=True, seconds=STARTS_SECONDS)

MISSING, INVALID = "token-missing", "token-invalid"
NEEDS_A_TOKEN = (
    *(("GET", USERS), ("PUT", USERS), ("PATCH", USERS), ("DELETE", USERS), ("OPTIONS", USERS)),
    *(("GET", LOGIN), ("PUT", LOGIN), ("POST", "/users/"), ("POST", "/users/login/")),
    *(("POST", "/users/Login"), ("POST", "/users/%6Cogin"), ("POST", "/users/login/x")),
    *(("POST", "/users/coins"), ("GET", "/users/top-coins"), ("GET", "/users/5")),
    *(("PUT", "/users/5/status"), ("GET", "/users/5/vehicles"), ("GET", "/users/5/coins")),
    *(("PUT", "/users/5/vehicles/LA-00015"), ("GET", "/users/5/payment-method")),
    *(("PUT", "/users/5/payment-method"), ("GET", "/users/nothing/here"), ("GET", "/users//")),
)
NO_ALGORITHMS: tuple[object, ...] = ("none", "None", "NONE", "nOnE", "", None, [], {}, 0)
OTHER_ALGORITHMS = ("hs256", "HS256 ", "HS224", "RS256", "ES256", "PS256", "EdDSA", "SHA256")
NO_TIMES: tuple[object, ...] = ("", str(FAR_OFF), "never", None, [], [FAR_OFF], {}, True)
OTHER_ISSUERS: tuple[object, ...] = (
    *("", "park", "Park-Users", "park-users ", "park-user", None, 1, {}, True, ["park-users", 1]),
)
NO_SUBJECTS: tuple[object, ...] = (
    *("", "0", "01", "x", "1x", "-1", "+1", " 1", "1 ", "1\n", "1.0", "1e0", "12345678901234567"),
    *("\u0661", "1\u0000", "null", None, True, [], ["1"], {}),
)
"""The first of the last row is an Arabic digit."""
NO_ROLES: tuple[object, ...] = (
    *("", "ADMIN", "supervisor", "Supervisor", "SUPERVISOR ", "SUPERVISOR\n", None, 0, True),
    *(["SUPERVISOR"], {"SUPERVISOR": True}, "SUPERVISOR,CUSTOMER"),
)
LIFE_SECONDS = 3


@quick("G1", "without a token the list is 401")
def quick_without_token(subject: Subject) -> None:
    expect_refused(subject, get(subject, token=None), MISSING, "without a token")


@check("G1", "anything but the two open requests is 401 without a token, and does not arrive")
def needs_a_token(subject: Subject) -> None:
    for method, target in NEEDS_A_TOKEN:
        answer = ask(subject, method, target, token=None)
        expect_refused(subject, answer, MISSING, f"of {method} {target} without a token")
        answer = ask(subject, method, target, JSON, body=b"{}", token="a.b.c")
        expect_refused(subject, answer, INVALID, f"of {method} {target} with no token")
    answer = ask(subject, "HEAD", USERS, token=None)
    expect_equal((answer.status, answer.body), (401, b""), "HEAD without a token")
    expect_none_arrived(subject, "requests without a token")


@check("G1", "creating a user and logging in pass, whatever their Authorization says")
def open_requests(subject: Subject) -> None:
    expired = signed(claims(exp=int(time.time()) - 60))
    for target in (USERS, LOGIN):
        for fields in (
            *([], [bearer("a.b.c")], [bearer(TOKEN)], [bearer(expired)], [bearer(""), bearer("")]),
            *([("Authorization", "Basic eDp5")], [("Authorization", "")]),
        ):
            subject.upstream.forget()
            body = f'{{"email":"{token_hex(8)}"}}'.encode()
            answer = ask(subject, "POST", target, JSON, *fields, body=body, token=None)
            what = f"POST {target} with {fields}"
            expect_status(answer, 200, what)
            expect_equal(answer.body, body, f"the body of {what}")
            exchange = subject.upstream.only_exchange()
            expect_equal((exchange.method, exchange.target), ("POST", target), what)
            for name in ("Authorization", "X-User-Id", "X-User-Role"):
                expect_equal(exchange.head.values(name), (), f"{name} of {what} at the service")


@check("G2", "another scheme, and an empty token, are 401 token-missing")
def schemes(subject: Subject) -> None:
    for value in (
        *("Basic eDp5", f"Basic {TOKEN}", f"Token {TOKEN}", f"JWT {TOKEN}", f"Bearers {TOKEN}"),
        *("Bearer", "Bearer ", "bearer", f"Digest {TOKEN}", f"X-Bearer {TOKEN}"),
    ):
        answer = get(subject, USERS, ("Authorization", value), token=None)
        expect_refused(subject, answer, MISSING, f"with {value[:30]!r}")
    for value in (TOKEN, f"Bearer{TOKEN}", f"Bearer:{TOKEN}", ""):
        answer = get(subject, USERS, ("Authorization", value), token=None)
        expect_status(answer, 401, f"a request with {value[:30]!r}")
    for name in ("X-Authorization", "Proxy-Authorization", "Cookie", "X-Token"):
        answer = get(subject, USERS, (name, f"Bearer {TOKEN}"), token=None)
        expect_refused(subject, answer, MISSING, f"with a token as {name}")
    answer = get(subject, f"{USERS}?access_token={TOKEN}&token={TOKEN}", token=None)
    expect_refused(subject, answer, MISSING, "with a token in the query")
    expect_none_arrived(subject, "another scheme")


@check("G2", "two fields are 401 token-invalid, whatever they are")
def two_fields(subject: Subject) -> None:
    good, wrong = bearer(TOKEN), bearer("a.b.c")
    for fields in (
        (good, good),
        (good, wrong),
        (wrong, good),
        (good, ("Authorization", "Basic eA")),
    ):
        answer = get(subject, USERS, *fields, token=None)
        expect_refused(subject, answer, INVALID, f"with two fields, {fields[1][1][:20]}")
    expect_none_arrived(subject, "two fields")


@quick("G3", "a changed signature is 401")
def quick_changed(subject: Subject) -> None:
    token = with_other_letter(TOKEN, len(TOKEN) - 5)
    expect_refused(subject, get(subject, token=token), INVALID, "with a changed signature")


@check("G3", "one character that is changed anywhere is 401")
def changed(subject: Subject) -> None:
    for token in (TOKEN, VECTOR):
        for other in _changed(token):
            _expect_invalid(subject, other, "of which a character is changed")
    header, _, signature = TOKEN.split(".")
    changes = {"sub": "2", "role": "CUSTOMER", "exp": FAR_OFF + 1, "x": 1}
    for name, value in changes.items():
        others = {name: value}
        text = part({**claims(), **others})
        _expect_invalid(subject, f"{header}.{text}.{signature}", f"whose claims have {others}")
    expect_none_arrived(subject, "changed tokens")


@check("G3", "a token that is cut, or has two or four parts, is 401")
def parts(subject: Subject) -> None:
    header, payload, signature = TOKEN.split(".")
    for token in (
        *(TOKEN[:-1], TOKEN[:-5], TOKEN[:-20], TOKEN[1:], TOKEN[: len(TOKEN) // 2], header),
        *(f"{header}.{payload}", f"{header}.{payload}.", f".{payload}.{signature}", "..", "a"),
        *(f"{header}..{signature}", f"{TOKEN}.", f"{TOKEN}.{signature}", f".{TOKEN}", "..."),
        *(
            f"{payload}.{header}.{signature}",
            f"{header}.{signature}.{payload}",
            f"{TOKEN}=",
            "null",
        ),
        *(f"{TOKEN},", f"{TOKEN} {TOKEN}", f'"{TOKEN}"', f"{TOKEN}AAAA", "a" * 3000, "." * 300),
    ):
        _expect_invalid(subject, token, f"that is {token[:12]!r}... of {len(token)}")
    expect_none_arrived(subject, "cut tokens")


@check("G3", "claims that are no object are 401, however they are signed")
def no_claims(subject: Subject) -> None:
    for value in ([], None, "text", 5, [claims()], True):
        _expect_invalid(subject, signed(value), f"of the claims {value!r}")
    good = json.dumps(claims()).encode()
    for raw in (b"", b"{", good[:-1], good + good, b"\xff\xfe", b"nothing", good[1:-1]):
        token = signed_text(f"{part(HEADER)}.{base64url(raw)}")
        _expect_invalid(subject, token, f"of the claims {raw[:20]!r}")
    for text in ("!!!", "a", part(claims()) + "="):
        _expect_invalid(subject, signed_text(f"{part(HEADER)}.{text}"), f"of claims as {text[:9]}")
    for raw in (b"", b"[]", b"null", b"{", b'"HS256"', b"\xff"):
        token = signed_text(f"{base64url(raw)}.{part(claims())}")
        _expect_invalid(subject, token, f"of the header {raw!r}")
    expect_none_arrived(subject, "claims that are none")


@quick("G4", "the algorithm none is 401")
def quick_no_algorithm(subject: Subject) -> None:
    token = f"{part({**HEADER, 'alg': 'none'})}.{part(claims())}."
    expect_refused(subject, get(subject, token=token), INVALID, "of the algorithm none")


@check("G4", "no algorithm, and any other than HS256, is 401")
def algorithms(subject: Subject) -> None:
    for name in NO_ALGORITHMS:
        header = {**HEADER, "alg": name}
        text = f"{part(header)}.{part(claims())}"
        for token in (f"{text}.", text, signed(claims(), header), f"{text}.{base64url(b'none')}"):
            _expect_invalid(subject, token, f"of the algorithm {name!r}")
    _expect_invalid(subject, signed(claims(), {"typ": "JWT"}), "without an algorithm")
    for name, digest in (("HS512", "sha512"), ("HS384", "sha384")):
        header = {**HEADER, "alg": name}
        _expect_invalid(subject, signed(claims(), header, digest=digest), f"of {name}")
        _expect_invalid(subject, signed(claims(), digest=digest), f"of {name} that says HS256")
        _expect_invalid(subject, signed(claims(), header), f"that says {name}")
    for name in OTHER_ALGORITHMS:
        _expect_invalid(subject, signed(claims(), {**HEADER, "alg": name}), f"that says {name}")
    text = f"{part({**HEADER, 'alg': 'RS256'})}.{part(claims())}"
    _expect_invalid(subject, f"{text}.{base64url(bytes(256))}", "with a signature as long as RSA's")
    expect_none_arrived(subject, "other algorithms")


@check("G4", "an empty signature, one by another key, and crit are 401")
def signatures(subject: Subject) -> None:
    text, _, signature = TOKEN.rpartition(".")
    for other in (
        *("", base64url(b""), base64url(b"\0" * 32), "A" * 43, signature[::-1], signature * 2),
        *(signature.swapcase(), f"A{signature}", signature[:10]),
    ):
        _expect_invalid(subject, f"{text}.{other}", f"whose signature is {other[:20]!r}")
    for key in (
        "",
        SECRET[:-1],
        f"{SECRET} ",
        f"{SECRET}\n",
        SECRET.upper(),
        "secret",
        SECRET[::-1],
    ):
        _expect_invalid(subject, signed(claims(), key=key), f"by the key {key!r}")
    for critical in (["exp"], ["b64"], [], ["x"]):
        header = {**HEADER, "crit": critical, "b64": True, "x": 1}
        _expect_invalid(subject, signed(claims(), header), f"with crit {critical}")
    expect_none_arrived(subject, "other signatures")


@check("G4", "kid, jku, jwk and x5u never change the key, and nothing is fetched")
def keys_of_the_header(subject: Subject) -> None:
    other = "x" * 32
    keys = f"{subject.upstream.url}/users/keys"
    jwk = {"kty": "oct", "k": base64url(other.encode()), "alg": "HS256"}
    members: list[dict[str, object]] = [
        {"jku": keys},
        {"jwk": jwk},
        {"x5u": keys},
        {"jwk": jwk, "kid": other, "jku": keys, "x5u": keys},
    ]
    members += [{"kid": kid} for kid in ("1", "../../../../dev/null", "' OR '1'='1")]
    for each in members:
        header = {**HEADER, **each}
        for key in (other, "", "\0"):
            _expect_invalid(subject, signed(claims(), header, key=key), f"with {list(each)}")
    expect_none_arrived(subject, "other keys")
    for each in members:
        _expect_good(subject, signed(claims(), {**HEADER, **each}), f"with {list(each)}")


@quick("G5", "a token that expired is 401")
def quick_expired(subject: Subject) -> None:
    token = signed(claims(exp=int(time.time()) - 1))
    expect_refused(subject, get(subject, token=token), INVALID, "that expired 1 s ago")


@check("G5", "exp that is past, absent or no number, and nbf that is ahead, are 401")
def times(subject: Subject) -> None:
    for ago in (1, 2, 30, 59, 61, 3600):
        token = signed(claims(exp=int(time.time()) - ago))
        _expect_invalid(subject, token, f"that expired {ago} s ago")
    _expect_invalid(subject, signed(claims(without=["exp"])), "without exp")
    for value in (*NO_TIMES, 0, -1):
        _expect_invalid(subject, signed(claims(exp=value)), f"of the exp {value!r}")
    for ahead in (5, 30, 59, 3600):
        token = signed(claims(nbf=int(time.time()) + ahead))
        _expect_invalid(subject, token, f"that is not valid for another {ahead} s")
    for value in ("", "0", [], {}, True):
        _expect_invalid(subject, signed(claims(nbf=value)), f"of the nbf {value!r}")
    expect_none_arrived(subject, "other times")


@check("G5", "another iss, a sub that is no id and an unknown role are 401, and so is none of them")
def needed_claims(subject: Subject) -> None:
    wrong = {"iss": OTHER_ISSUERS, "sub": NO_SUBJECTS, "role": NO_ROLES}
    for name, values in wrong.items():
        _expect_invalid(subject, signed(claims(without=[name])), f"without {name}")
        for value in values:
            token = signed({**claims(), name: value})
            _expect_invalid(subject, token, f"of the {name} {value!r}")
    expect_none_arrived(subject, "other claims")


@quick("G6", "the token of the specification is served")
def token_of_the_spec(subject: Subject) -> None:
    expect_status(get(subject, token=VECTOR), 200, "the list by the token of the SPEC")


@check("G6", "every role and every id is served, the scheme in any case of letters")
def good_tokens(subject: Subject) -> None:
    for role in ROLES:
        _expect_good(subject, token_of(7, role), f"of a {role}", user="7", role=role)
    for user in ("1", "10", "9999999999999999"):
        _expect_good(subject, token_of(user), f"of user {user}", user=user)
    for scheme in ("Bearer", "bearer", "BEARER", "bEaReR"):
        answer = get(subject, USERS, ("Authorization", f"{scheme} {TOKEN}"), token=None)
        expect_status(answer, 200, f"the list by the scheme {scheme}")


@check("G6", "nothing else of a token is looked at")
def not_looked_at(subject: Subject) -> None:
    now = int(time.time())
    accepted = {
        "no iat": claims(without=["iat"]),
        "an iat that is ahead": claims(iat=FAR_OFF),
        "an nbf that is past": claims(nbf=now - 5),
        "others": claims(aud="other", jti=5, name=None, scope=["a"], azp={}, nonce=""),
        "another order": dict(sorted(claims().items())),
    }
    for what, payload in accepted.items():
        _expect_good(subject, signed(payload), f"with {what}")
    for header in ({"alg": "HS256"}, {"typ": "JWT", "alg": "HS256"}, {**HEADER, "typ": "at+jwt"}):
        _expect_good(subject, signed(claims(), header), f"of the header {header}")
    spaced = [base64url(json.dumps(each, indent=1).encode()) for each in (HEADER, claims())]
    _expect_good(subject, signed_text(".".join(spaced)), "with white space")


@check("G6", "a token is good until its last second, and not behind it")
def last_second(subject: Subject) -> None:
    undisturbed(partial(_expect_last_second, subject))


@with_stand("G6", "the key is the bytes of JWT_SECRET")
def configured_key(subject: Subject) -> None:
    for secret in ("0123456789abcdef0123456789abcdef", "!~" * 128):
        variables = {"JWT_SECRET": secret}
        with subject.stand.restarted(variables, unready=True) as other:
            wait_for_status(other, 401, 60.0, "by the key of another process")
            token = signed(claims(), key=secret)
            expect_status(get(other, token=token), 200, f"a list by {secret[:8]}...")


def _changed(token: str) -> Iterator[str]:
    """A token with another character at several places of each part, of the whole bytes alone."""
    began = 0
    for text in token.split("."):
        for at in (0, 1, 2, len(text) // 3, len(text) // 2, len(text) - 3, len(text) - 2):
            yield with_other_letter(token, began + at)
        began += len(text) + 1


def _expect_invalid(subject: Subject, token: str, what: str) -> None:
    answer = get(subject, token=token)
    expect_refused(subject, answer, INVALID, f"with a token {what}")


def _expect_good(
    subject: Subject, token: str, what: str, *, user: str = "1", role: str = "SUPERVISOR"
) -> None:
    subject.upstream.forget()
    expect_status(get(subject, token=token), 200, f"the list by a token {what}")
    head = subject.upstream.only_exchange().head
    told = (head.values("x-user-id"), head.values("x-user-role"))
    expect_equal(told, ((user,), (role,)), f"whom the service is told by a token {what}")


def _expect_last_second(subject: Subject) -> None:
    ends = int(time.time()) + LIFE_SECONDS
    token = signed(claims(exp=ends))
    answer = get(subject, token=token)
    expect_speed(time.time() < ends, "a token of 3 s was over before there was an answer")
    expect_status(answer, 200, "the list by a token of 3 s")
    time.sleep(max(0.0, ends - 0.6 - time.time()))
    answer = get(subject, token=token)
    expect_speed(time.time() < ends, "the last second was over before there was an answer")
    expect_status(answer, 200, "the list in the last second of a token")
    time.sleep(max(0.0, ends + 0.05 - time.time()))
    expect_refused(subject, get(subject, token=token), INVALID, "right behind its last second")
