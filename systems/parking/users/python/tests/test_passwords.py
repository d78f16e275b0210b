import asyncio

import bcrypt

from users.passwords import Passwords

LONGEST = "é" * 36


def verify(password: str, hash_: str | None) -> bool:
    return asyncio.run(Passwords(4).verify(password, hash_))


def test_a_hash_has_its_cost_and_is_verified() -> None:
    hash_ = asyncio.run(Passwords(4).hash("Loadstone#Park-1"))
    assert hash_.startswith("$2b$04$")
    assert verify("Loadstone#Park-1", hash_)
    assert verify("Loadstone#Park-1", hash_.replace("$2b$", "$2a$", 1))
    assert not verify("Loadstone#Park-2", hash_)


def test_nobody_has_any_password() -> None:
    for password in ("", "x", "x" * 73, "\0"):
        assert not verify(password, None)


def test_what_bcrypt_would_not_tell_apart_is_another_password() -> None:
    hash_ = bcrypt.hashpw(LONGEST.encode(), bcrypt.gensalt(4)).decode()
    assert verify(LONGEST, hash_)
    assert not verify(LONGEST + "e", hash_)
    repeated = bcrypt.hashpw(b"p", bcrypt.gensalt(4)).decode()
    assert not verify("p\0p", repeated)
