import jwt

from users.config import TokenConfig
from users.instants import shown
from users.tokens import Tokens

SECRET = "loadstone-park-secret-for-tests-only"


def test_a_token_has_five_claims_and_no_others() -> None:
    token = Tokens(TokenConfig(SECRET, 600), lambda: 1_700_000_000.9).issue(5, "CUSTOMER")
    assert jwt.get_unverified_header(token.text)["alg"] == "HS256"
    claims = jwt.decode(token.text, SECRET, ["HS256"], options={"verify_exp": False})
    assert claims == {
        "iss": "park-users",
        "sub": "5",
        "role": "CUSTOMER",
        "iat": 1_700_000_000,
        "exp": 1_700_000_600,
    }
    assert shown(token.expires) == "2023-11-14T22:23:20.000Z"
