import asyncio

import bcrypt
import pytest

from booking.passwords import Passwords

COST = 4


async def hashed(password: bytes) -> str:
    passwords = Passwords(COST)
    try:
        return await passwords.hash(password)
    finally:
        passwords.close()


async def verified(password: bytes, hash_: str) -> bool:
    passwords = Passwords(COST)
    try:
        return await passwords.verify(password, hash_)
    finally:
        passwords.close()


def test_a_hash_has_the_cost_and_is_of_its_password_alone() -> None:
    hash_ = asyncio.run(hashed(b"court-side-2040"))
    assert hash_.startswith("$2b$04$")
    assert asyncio.run(verified(b"court-side-2040", hash_))
    assert not asyncio.run(verified(b"court-side-2041", hash_))


@pytest.mark.parametrize("prefix", [b"2a", b"2b"])
def test_hashes_of_both_kinds_and_of_another_cost_are_verified(prefix: bytes) -> None:
    hash_ = bcrypt.hashpw(b"court-side-2040", bcrypt.gensalt(5, prefix)).decode()
    assert asyncio.run(verified(b"court-side-2040", hash_))


def test_all_72_bytes_count_and_more_are_of_no_hash() -> None:
    longest = "é".encode() * 36
    hash_ = asyncio.run(hashed(longest))
    assert asyncio.run(verified(longest, hash_))
    assert not asyncio.run(verified(longest[:-1] + b"a", hash_))
    assert not asyncio.run(verified(longest + b"a", hash_))
