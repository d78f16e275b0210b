import base64
import json
from collections.abc import Mapping

import jwt
import pytest

from booking.config import TokenConfig
from booking.tokens import Caller, Tokens

SECRET = "s" * 48
NOW = 2_000_000_000
CLAIMS = {
    "iss": "booking",
    "aud": "booking",
    "sub": "7",
    "role": "owner",
    "iat": NOW,
    "exp": NOW + 60,
}


def tokens(now: float = NOW + 0.5) -> Tokens:
    return Tokens(TokenConfig(SECRET, 60), lambda: now)


def signed(
    changes: Mapping[str, object] | None = None, algorithm: str = "HS256", secret: str = SECRET
) -> str:
    """Sign other claims, also those that the library would refuse; none is left out."""
    claims = {**CLAIMS, **(changes or {})}
    present = {name: value for name, value in claims.items() if value is not None}
    return jwt.PyJWS().encode(json.dumps(present).encode(), secret, algorithm)


def caller_of(token: str, now: float = NOW) -> Caller | None:
    return tokens(now).caller_in(f"Bearer {token}")


def test_a_token_has_its_claims_and_no_others() -> None:
    token = tokens().issue(Caller(7, "owner"))
    assert jwt.decode(token, options={"verify_signature": False}) == CLAIMS
    assert caller_of(token) == Caller(7, "owner")


@pytest.mark.parametrize("scheme", ["Bearer", "bearer", "BEARER"])
def test_the_scheme_is_of_any_case(scheme: str) -> None:
    assert tokens().caller_in(f"{scheme} {signed()}") == Caller(7, "owner")


def test_other_fields_have_no_token() -> None:
    for field in ("", "Bearer", "Bearer ", f"Basic {signed()}", f"Bearer{signed()}", signed()):
        assert tokens().caller_in(field) is None
    assert caller_of(signed() + " ") is None


def test_a_token_is_valid_up_to_its_second() -> None:
    assert caller_of(signed(), NOW + 59.999) is not None
    assert caller_of(signed(), NOW + 60) is None


@pytest.mark.parametrize(
    "claims",
    [
        {"iss": None},
        {"iss": "other"},
        {"iss": ["booking"]},
        {"aud": None},
        {"aud": "other"},
        {"aud": ["booking"]},
        {"sub": None},
        {"sub": 7},
        {"sub": "07"},
        {"sub": "x"},
        {"sub": "1" * 17},
        {"role": None},
        {"role": "admin"},
        {"role": ["owner"]},
        {"exp": None},
        {"exp": str(NOW + 60)},
        {"exp": True},
        {"exp": [NOW + 60]},
        {"exp": float("nan")},
    ],
)
def test_other_claims_are_refused(claims: dict[str, object]) -> None:
    assert caller_of(signed(claims)) is None


def test_claims_that_are_not_looked_at_may_be_anything() -> None:
    token = signed({"iat": "x", "nbf": NOW + 1000, "jti": 5, "more": 1})
    assert caller_of(token) == Caller(7, "owner")


@pytest.mark.filterwarnings("ignore:The HMAC key")
@pytest.mark.parametrize("algorithm", ["HS384", "HS512"])
def test_other_algorithms_by_the_right_key_are_refused(algorithm: str) -> None:
    assert caller_of(signed(algorithm=algorithm)) is None


@pytest.mark.parametrize("algorithm", ["none", "None", "NONE"])
def test_the_algorithm_none_is_refused(algorithm: str) -> None:
    header, payload = ({"alg": algorithm, "typ": "JWT"}, CLAIMS)
    parts = (
        base64.urlsafe_b64encode(json.dumps(part).encode()).rstrip(b"=").decode()
        for part in (header, payload)
    )
    unsigned = ".".join(parts)
    assert caller_of(f"{unsigned}.") is None
    assert caller_of(f"{unsigned}.{signed().rpartition('.')[2]}") is None


def test_another_signature_is_refused_also_where_its_bytes_are_the_same() -> None:
    token = signed()
    assert caller_of(signed(secret="t" * 48)) is None
    alphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_"
    for character in alphabet:
        if character != token[-1]:
            assert caller_of(token[:-1] + character) is None
    for junk in ("=", "!", "A"):
        assert caller_of(token + junk) is None


def test_a_header_that_is_nested_deeply_is_refused() -> None:
    header = base64.urlsafe_b64encode(b"[" * 30_000).rstrip(b"=").decode()
    assert caller_of(f"{header}.e30.{'A' * 43}") is None
