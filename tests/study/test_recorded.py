"""What the recording upstream stands in for by a system's file, and how a wrong one is refused."""

import pytest
from small_lab import SmallLab

from loadstone.errors import InputError

FILE = "systems/shop/system.yaml"

SYSTEM = """\
system: shop
title: A shop
dependencies: {backend: echo, database: postgres}
recorded: [users]
services:
  gateway:
    legs: [client, look-up, upstream]
    needs: [users, backend]
    ready: {operation: buy, get: /buy}
  users:
    legs: [look-up]
    needs: [database]
    ready: {operation: look, get: /user}
"""


@pytest.fixture
def shop(lab: SmallLab) -> SmallLab:
    lab.write(FILE, SYSTEM)
    return lab


@pytest.mark.parametrize(
    ("typed", "meant"),
    [
        ("recorded: [users]\n", ("users",)),
        ("recorded: [backend, users]\n", ("backend", "users")),
        ("recorded: []\n", ()),
        ("", None),
    ],
    ids=["a service", "a dependency too", "nobody", "not said"],
)
def test_it_is_what_the_file_says(
    shop: SmallLab, typed: str, meant: tuple[str, ...] | None
) -> None:
    shop.change(FILE, "recorded: [users]\n", typed)
    assert shop.catalogue.system("shop").recorded == meant


CASES = {
    "what is not there": (
        "[user]",
        ":4: recorded[0]: user is not a dependency or a service",
        "did you mean users? known: backend, users",
    ),
    "the entry": (
        "[users, gateway]",
        ":4: recorded[1]: gateway is the entry, which nothing stands in for",
        "take it out",
    ),
    "a database": (
        "[database]",
        ":4: recorded[0]: database is of kind postgres, and the recording upstream speaks HTTP",
        "take it out: a check that is declared with needs_stand has a hand on it",
    ),
    "one twice": (
        "[users, users]",
        ":4: recorded[1]: users is there twice",
        "keep one of the two",
    ),
    "a word": (
        "users",
        ":4: recorded: must be a list, not 'users'",
        "write a list",
    ),
}


@pytest.mark.parametrize(("typed", "message", "remedy"), CASES.values(), ids=CASES.keys())
def test_a_wrong_one_is_refused_with_line_and_key(
    shop: SmallLab, typed: str, message: str, remedy: str
) -> None:
    path = shop.change(FILE, "recorded: [users]", f"recorded: {typed}")
    with pytest.raises(InputError) as caught:
        shop.catalogue.system("shop")
    assert caught.value.message.removeprefix(str(path)).startswith(message)
    assert (caught.value.remedy or "").startswith(remedy)
