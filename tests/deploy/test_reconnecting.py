"""A service whose connections a reset has ended has others before it is loaded."""

import urllib.error
import urllib.request
from collections.abc import Iterator
from pathlib import Path

import pytest

from loadstone.deploy import reconnecting
from loadstone.deploy.dependencies.postgres.programs import find_programs
from loadstone.deploy.deployed_system import DeployedSystem
from loadstone.study.values.manifest import Service, System
from postgres_seed import SCHEMA
from private_servers import require
from telling_server import READY, conditions_in, deployed

CONNECTIONS = 4
SERVER = f"""
import http.server, os, queue
import psycopg

def connect():
    host, _, port = os.environ["DATABASE"].partition(":")
    return psycopg.connect(
        host=host, port=int(port), user="app", password="secret", dbname="database", autocommit=True
    )

pool = queue.Queue()
for _ in range({CONNECTIONS}):
    pool.put(connect())

class Handler(http.server.BaseHTTPRequestHandler):
    def do_GET(self):
        status, connection = 200, pool.get()
        try:
            connection.execute("SELECT 1")
        except psycopg.OperationalError:
            status, connection = 503, connect()
        pool.put(connection)
        self.send_response(status)
        self.send_header("content-length", "0")
        self.end_headers()
    def log_message(self, *words):
        pass
http.server.HTTPServer((os.environ["HOST"], int(os.environ["PORT"])), Handler).serve_forever()
"""
"""It tests no connection when it lends it, as many a pool."""


@pytest.fixture
def system(tmp_path: Path) -> Iterator[DeployedSystem]:
    require(find_programs)
    tables = tmp_path / "seed" / "database" / "1-tables.sql"
    tables.parent.mkdir(parents=True)
    tables.write_text(SCHEMA)
    shop = System(
        system="shop",
        title="A shop",
        directory=tmp_path,
        entry="shop",
        dependencies={"database": "postgres"},
        services=(
            Service(
                service="shop",
                legs=("client",),
                needs=("database",),
                variables={"DATABASE": "{database}"},
                ready=READY,
            ),
        ),
    )
    logs = tmp_path / "logs"
    logs.mkdir()
    with deployed(shop, conditions_in(logs, shop), server_text=SERVER) as found:
        yield found


def failures(system: DeployedSystem) -> int:
    failed = 0
    for _ in range(3 * CONNECTIONS):
        try:
            with urllib.request.urlopen(system.base_url):
                pass
        except urllib.error.HTTPError:
            failed += 1
    return failed


def test_no_request_behind_a_reset_meets_an_ended_connection(system: DeployedSystem) -> None:
    assert failures(system) == 0
    system.reset()
    assert failures(system) == 0
    assert system.dependencies[0].open_connections() == CONNECTIONS


def test_without_waiting_for_them_each_would(
    system: DeployedSystem, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(reconnecting, "RECONNECTING_SECONDS", 0.0)
    system.reset()
    assert failures(system) == CONNECTIONS
