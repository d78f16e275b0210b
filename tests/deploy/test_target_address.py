"""Where load may go: loopback, or what the author lists; decided before a packet is sent."""

import socket

import pytest
from hypothesis import given
from hypothesis import strategies as st

from loadstone.deploy import target_address
from loadstone.deploy.target_address import connect, resolve_targets
from loadstone.errors import LoadstoneError, TargetRefused


@pytest.mark.parametrize(
    ("url", "address"),
    [
        ("http://127.0.0.1:8080/x", "127.0.0.1:8080"),
        ("http://127.8.9.1/", "127.8.9.1:80"),
        ("http://[::1]:9000/", "[::1]:9000"),
    ],
)
def test_loopback_is_allowed(url: str, address: str) -> None:
    (target,) = resolve_targets(url, [])
    assert target.address == address


@pytest.mark.parametrize("allowed", ["192.0.2.1", "192.0.2.1:81"])
def test_an_address_of_ones_own_must_be_listed_by_host_or_host_and_port(allowed: str) -> None:
    (target,) = resolve_targets("http://192.0.2.1:81/", [allowed])
    assert target.address == "192.0.2.1:81"
    with pytest.raises(TargetRefused, match="nothing was sent"):
        resolve_targets("http://192.0.2.1:81/", ["192.0.2.2", "192.0.2.1:80"])


@given(st.ip_addresses(v=4).filter(lambda address: not address.is_loopback))
def test_no_other_address_is_allowed_without_being_listed(address: object) -> None:
    with pytest.raises(TargetRefused):
        resolve_targets(f"http://{address}/", [])


@given(st.text(), st.sampled_from(["", "http://[", "http://127.0.0.1:", "ftp://127.0.0.1/"]))
def test_any_text_is_a_loopback_address_or_a_told_error(text: str, before: str) -> None:
    try:
        targets = resolve_targets(before + text, [])
    except LoadstoneError:
        return
    assert all(each.address.startswith(("127.0.0.1:", "[::1]:")) for each in targets)


BOTH_ORDERS = pytest.mark.parametrize("ips", [("::1", "127.0.0.1"), ("127.0.0.1", "::1")])


@BOTH_ORDERS
@pytest.mark.parametrize("bound", ["::1", "127.0.0.1"])
def test_of_several_addresses_the_one_that_answers_is_taken(
    monkeypatch: pytest.MonkeyPatch, ips: tuple[str, ...], bound: str
) -> None:
    monkeypatch.setattr(target_address, "look_up", lambda *_: ips)
    family = socket.AF_INET6 if ":" in bound else socket.AF_INET
    with socket.create_server((bound, 0), family=family) as server:
        port = server.getsockname()[1]
        target, connection = connect(resolve_targets(f"http://localhost:{port}/", ()), 5)
        connection.close()
    assert (target.ip, target.port) == (bound, port)
    assert (target.host, target.name) == (f"localhost:{port}", "localhost")


@BOTH_ORDERS
def test_where_no_address_answers_the_connection_is_refused(
    monkeypatch: pytest.MonkeyPatch, ips: tuple[str, ...]
) -> None:
    monkeypatch.setattr(target_address, "look_up", lambda *_: ips)
    with socket.socket() as bound:
        bound.bind(("127.0.0.1", 0))  # nobody else gets the port, and nothing listens there
        targets = resolve_targets(f"http://localhost:{bound.getsockname()[1]}/", ())
        with pytest.raises(ConnectionRefusedError):
            connect(targets, 5)


def test_of_several_addresses_only_those_that_are_ones_own_are_taken(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(target_address, "look_up", lambda *_: ("192.0.2.1", "192.0.2.2", "::1"))
    url = "http://mine.example/"
    assert [each.ip for each in resolve_targets(url, [])] == ["::1"]
    assert [each.ip for each in resolve_targets(url, ["192.0.2.2:80"])] == ["192.0.2.2", "::1"]
    assert len(resolve_targets(url, ["mine.example"])) == 3
