"""`loadstone bench` over TLS, HTTP/2 and IPv6, against real servers: what was really spoken."""

import json
from typing import Any

import pytest
from lab import Ended, Lab
from servers import ROOT, Hello, http_server, node_server

TRUST = ("--ca", str(ROOT))
SHORT = ("--users", "2", "--duration", "1s", "--json")


def load_of(ended: Ended) -> dict[str, Any]:
    assert ended.stdout, ended.stderr
    load: dict[str, Any] = json.loads(ended.stdout)["load"]
    return load


def only(outcome: str, load: dict[str, Any]) -> bool:
    return {name for name, count in load["outcomes"].items() if count} == {outcome}


def test_https_is_http_1_over_tls_verified_by_a_root_of_ones_own(lab: Lab) -> None:
    with node_server("h1") as url:
        load = load_of(lab.run("bench", f"{url}/", *TRUST, *SHORT))
    assert only("ok", load)
    assert load["protocol"] == "h1"
    assert load["spoken"]["http"] == "1.1"
    assert load["spoken"]["tls_version"] == "1.3"
    assert load["connections"]["full_handshakes"] == 2
    assert load["connections"]["tls"]["ok"]["count"] == 2


def test_http_2_over_tls_has_many_requests_in_flight_on_a_connection(lab: Lab) -> None:
    with node_server("h2") as url:
        load = load_of(lab.run("bench", f"{url}/", *TRUST, "--http", "2", "--streams", "5", *SHORT))
    assert only("ok", load)
    assert (load["protocol"], load["streams"]) == ("h2", 5)
    assert (load["spoken"]["http"], load["spoken"]["alpn"]) == ("2", "h2")
    assert load["connections"]["opened"] == 2


def test_http_2_in_cleartext_is_spoken_by_prior_knowledge(lab: Lab) -> None:
    with node_server("h2c") as url:
        load = load_of(lab.run("bench", f"{url}/", "--http", "2", *SHORT))
    assert only("ok", load)
    assert load["spoken"] == {
        "http": "2",
        "alpn": None,
        "tls_version": None,
        "cipher_suite": None,
    }


def test_a_server_on_ipv6_is_verified_by_its_address(lab: Lab) -> None:
    with node_server("h2", "::1") as url:
        assert "[::1]" in url
        load = load_of(lab.run("bench", f"{url}/", *TRUST, "--http", "2", *SHORT))
    assert only("ok", load)


def test_a_certificate_that_nothing_vouches_for_fails_every_handshake(lab: Lab) -> None:
    with node_server("h1") as url:
        ended = lab.run("bench", f"{url}/", *SHORT)
        shown = lab.run("bench", f"{url}/", "--users", "1", "--duration", "1s")
    assert ended.code == shown.code == 1
    assert only("tls", load_of(ended))
    assert "certificate" in shown.stdout


def test_insecure_does_without_verifying(lab: Lab) -> None:
    with node_server("h1") as url:
        ended = lab.run("bench", f"{url}/", "--insecure", *SHORT)
    assert only("ok", load_of(ended))


def test_a_server_without_http_2_is_told_and_never_taken_for_one(lab: Lab) -> None:
    with node_server("h1") as url:
        ended = lab.run("bench", f"{url}/", *TRUST, "--http", "2", *SHORT)
    assert ended.code == 1
    assert only("protocol", load_of(ended)) or only("tls", load_of(ended))


def test_connections_resume_tls_sessions_where_asked_to(lab: Lab) -> None:
    words = ("--new-connections", "--rate", "50", "--duration", "1s", "--json")
    with node_server("h1") as url:
        load = load_of(lab.run("bench", f"{url}/", *TRUST, "--resume", "100%", *words))
    assert only("ok", load)
    seen = load["connections"]
    assert seen["full_handshakes"] + seen["resumed_handshakes"] == seen["opened"] == 50
    assert seen["resumed_handshakes"] > seen["full_handshakes"]


@pytest.mark.parametrize("loop", ["epoll", "auto"])
def test_the_event_loop_is_the_one_that_was_asked_for(lab: Lab, loop: str) -> None:
    with http_server(Hello) as url:
        load = load_of(lab.run("bench", f"{url}/", "--event-loop", loop, *SHORT))
    assert load["engine"]["loop"] == loop or loop == "auto"


def test_what_was_spoken_and_what_it_took_is_shown(lab: Lab) -> None:
    with node_server("h2") as url:
        words = ("--http", "2", "--streams", "3", "--users", "2", "--duration", "1s")
        ended = lab.run("bench", f"{url}/", *TRUST, *words)
    assert "0 failed" in ended.stdout
    assert "spoken        HTTP/2 · TLS 1.3" in ended.stdout
    assert "3 requests in flight a connection" in ended.stdout
    assert "TLS handshake" in ended.stdout
    assert "2 full and 0 resumed TLS handshakes" in ended.stdout
