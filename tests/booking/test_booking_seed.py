"""What the seed holds: rows by arithmetic, the same everywhere, and constants and tokens that fit."""

import base64
import csv
import hashlib
import hmac
import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import LiteralString

import psycopg
import pytest
import yaml

from held_stacks import CATALOGUE, database_place
from loadstone.deploy.dependencies.postgres.programs import find_programs
from loadstone.deploy.dependencies.postgres.server import Postgres
from postgres_seed import started
from private_servers import require

SYSTEM = CATALOGUE.system("booking")
SEED = SYSTEM.directory / "seed"
SIZES = ("small", "medium", "large")
COSTS = ("4", "8", "10")
COUNTED = ("owners", "clubs", "facilities", "players", "reservations")
CALL = re.compile(r"CALL fill\((.*), '(\$2b\$(\d\d)\$[./A-Za-z0-9]{53})'\);")

RESERVATIONS: LiteralString = """
    SELECT id, facility_id, player_id, to_char(starts_at, 'YYYY-MM-DD"T"HH24:MI:SS"Z"'), status,
        price_cents
    FROM reservation ORDER BY id"""
RESERVATIONS_MD5 = "80a29af3178d203dc43bf0c5d0f0c64a"
FACILITIES_MD5 = "c17ce402f63d49b3687241cd296c14f8"


@pytest.fixture(scope="module")
def small(tmp_path_factory: pytest.TempPathFactory) -> Iterator[psycopg.Cursor[tuple[object, ...]]]:
    """A session of the stacks' user, who sees times as they are shown."""
    require(find_programs)
    place = database_place(SYSTEM, "small-4", tmp_path_factory.mktemp("database"))
    with started(place) as database, _session(database) as connection:
        yield connection.cursor()


def _session(database: Postgres) -> psycopg.Connection[tuple[object, ...]]:
    address = f"postgresql://booking:booking@{database.url}/{database.name}"
    return psycopg.connect(address, options="-c timezone=UTC", autocommit=True)


def _md5(rows: list[tuple[object, ...]]) -> str:
    text = "\n".join("|".join(str(each) for each in row) for row in rows)
    return hashlib.md5(text.encode(), usedforsecurity=False).hexdigest()


def test_rows_are_those_of_the_arithmetic(small: psycopg.Cursor[tuple[object, ...]]) -> None:
    assert _md5(small.execute(RESERVATIONS).fetchall()) == RESERVATIONS_MD5
    facilities = "SELECT id, club_id, name, sport, price_cents FROM facility ORDER BY id"
    assert _md5(small.execute(facilities).fetchall()) == FACILITIES_MD5
    stars = small.execute("SELECT sum(stars), count(*) FROM rating").fetchone()
    assert stars == (14400, 4800)


def test_slots_behind_the_last_reservation_are_free(
    small: psycopg.Cursor[tuple[object, ...]],
) -> None:
    facilities, reservations = 100, 9600
    taken = {
        (facility, str(start))
        for _, facility, _, start, *_ in small.execute(RESERVATIONS).fetchall()
    }
    for number in range(reservations + 1, 960 * facilities):
        place = 48271 * number % (960 * facilities)
        day, hour = divmod(place // facilities, 16)
        month, of_month = divmod(day, 31)
        start = f"2040-{3 + month:02}-{1 + of_month:02}T{6 + hour:02}:00:00Z"
        assert (1 + place % facilities, start) not in taken


def test_the_stacks_may_change_rows_alone(small: psycopg.Cursor[tuple[object, ...]]) -> None:
    with pytest.raises(psycopg.errors.InsufficientPrivilege):
        small.execute("CREATE TABLE another (id integer)")
    limits = small.execute(
        "SELECT current_setting('statement_timeout'), current_setting('lock_timeout')"
    )
    assert limits.fetchone() == ("2s", "1s")


@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("cost", COSTS)
def test_a_level_has_the_rows_and_the_cost_of_its_name(size: str, cost: str) -> None:
    (level,) = [each for each in SYSTEM.seed_levels_of("database") if each.stem == f"{size}-{cost}"]
    found = CALL.search(level.read_text())
    assert found is not None
    constants = yaml.safe_load((SEED / size / "seed.yaml").read_text())
    assert [int(each) for each in found[1].split(",")] == [constants[name] for name in COUNTED]
    assert int(found[3]) == int(cost)


def _secret() -> bytes:
    manifest = yaml.safe_load((SYSTEM.directory / "system.yaml").read_text())
    return str(manifest["services"]["booking"]["variables"]["JWT_SECRET"]).encode()


def _decoded(part: str) -> bytes:
    return base64.urlsafe_b64decode(part + "=" * (-len(part) % 4))


def _claims(token: str) -> dict[str, object]:
    """What a token says, once its signature has been found good."""
    head, payload, signature = token.split(".")
    expected = hmac.new(_secret(), f"{head}.{payload}".encode(), hashlib.sha256).digest()
    assert hmac.compare_digest(_decoded(signature), expected)
    claims = json.loads(_decoded(payload))
    assert isinstance(claims, dict)
    return claims


@pytest.mark.parametrize("file", sorted(SEED.glob("*/*-tokens.csv")), ids=lambda path: path.stem)
def test_stored_tokens_are_of_accounts_of_the_seed(file: Path) -> None:
    constants = yaml.safe_load((file.parent / "seed.yaml").read_text())
    role = file.name.removesuffix("-tokens.csv")
    first = 1 if role == "owner" else constants["owners"] + 1
    rows = [row["token"] for row in csv.DictReader(file.read_text().splitlines())]
    told = [_claims(token) for token in rows]
    assert [each["sub"] for each in told] == [str(first + i) for i in range(len(rows))]
    assert {(each["role"], each["iss"], each["aud"]) for each in told} == {
        (role, "booking", "booking")
    }


def test_the_token_of_the_first_request_is_good() -> None:
    manifest = yaml.safe_load((SYSTEM.directory / "system.yaml").read_text())
    scheme, token = manifest["services"]["booking"]["ready"]["headers"]["authorization"].split()
    assert scheme == "Bearer"
    assert _claims(token)["role"] == "owner"
