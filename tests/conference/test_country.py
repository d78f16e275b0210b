"""The service `country` holds its clauses, and the rules that no port shows."""

import signal
from pathlib import Path

import pytest
from conference_stacks import COUNTRY, held, ready

from held_stacks import Variant
from loadstone.contract.connect import connect
from loadstone.contract.deadline import Deadline
from loadstone.contract.model import Contract
from loadstone.measure.prepare.prepared import Prepared
from stack_processes import END_SECONDS, refused, refused_at_a_taken_port, started

pytestmark = pytest.mark.slow

WRONG = {
    "PORT": ("", "x", "-1", "65536"),
    "DELAY_MS": ("", "-1", "60001", "5ms"),
    "LOOKUP_PROTOCOL": ("", "h2"),
}


@pytest.fixture(scope="module")
def country(contract: Contract, tmp_path_factory: pytest.TempPathFactory) -> Prepared:
    variant = Variant(COUNTRY, COUNTRY.runtimes[0])
    return ready(variant, "country", contract, tmp_path_factory.mktemp("country"))


def test_it_holds_its_clauses(country: Prepared, contract: Contract, tmp_path: Path) -> None:
    results = held(COUNTRY, "country", country, contract, tmp_path)
    assert {each.clause for each in results} == {"C1", "C2", "C3", "C4"}
    assert [each for each in results if each.state != "passed"] == []


def test_it_says_where_it_listens_and_ends_in_order(country: Prepared, tmp_path: Path) -> None:
    with started(country.launch, tmp_path, {"DELAY_MS": "200"}) as service:
        assert service.before == ()
        with (
            connect(("127.0.0.1", service.port), Deadline(END_SECONDS)) as idle,
            connect(("127.0.0.1", service.port), Deadline(END_SECONDS)) as waiting,
        ):
            idle.send_request("/stats", method="GET").receive_answer()
            waiting.send_request("/conferences/QCon/country", method="GET")
            while b'"peak_in_flight":1' not in stats(service.port):
                pass
            service.process.send_signal(signal.SIGTERM)
            idle.wait_for_end()
            assert waiting.receive_answer().body == b'{"name":"USA"}'
        assert service.process.wait(END_SECONDS) == 0
        assert service.error_lines() == []


def stats(port: int) -> bytes:
    with connect(("127.0.0.1", port), Deadline(END_SECONDS)) as connection:
        return connection.send_request("/stats", method="GET").receive_answer().body


@pytest.mark.parametrize("name", WRONG)
def test_a_wrong_variable_is_named(country: Prepared, name: str, tmp_path: Path) -> None:
    for value in WRONG[name]:
        ended = refused(country.launch, tmp_path, {"PORT": "0", name: value})
        assert (ended.returncode, ended.stdout) == (2, ""), value
        (line,) = ended.stderr.splitlines()
        assert line.startswith(f"country: {name} must be "), value
        assert line.endswith(f'not "{value}"')


def test_a_port_that_is_taken_is_told(country: Prepared, tmp_path: Path) -> None:
    ended = refused_at_a_taken_port(country.launch, tmp_path, {})
    assert ended.returncode == 1
    assert "in use" in ended.stderr
