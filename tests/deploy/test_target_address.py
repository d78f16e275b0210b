"""Where load may go: loopback, or what the author lists; decided before a packet is sent."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from loadstone.deploy.target_address import resolve_target
from loadstone.errors import LoadstoneError, TargetRefused
from loadstone.measure.engine_plan import masked


@pytest.mark.parametrize(
    ("url", "address"),
    [
        ("http://127.0.0.1:8080/x", "127.0.0.1:8080"),
        ("http://127.8.9.1/", "127.8.9.1:80"),
        ("http://[::1]:9000/", "[::1]:9000"),
    ],
)
def test_loopback_is_allowed(url: str, address: str) -> None:
    assert resolve_target(url, [])[1] == address


@pytest.mark.parametrize("allowed", ["192.0.2.1", "192.0.2.1:81"])
def test_an_address_of_ones_own_must_be_listed_by_host_or_host_and_port(allowed: str) -> None:
    assert resolve_target("http://192.0.2.1:81/", [allowed])[1] == "192.0.2.1:81"
    with pytest.raises(TargetRefused, match="nothing was sent"):
        resolve_target("http://192.0.2.1:81/", ["192.0.2.2", "192.0.2.1:80"])


@given(st.ip_addresses(v=4).filter(lambda address: not address.is_loopback))
def test_no_other_address_is_allowed_without_being_listed(address: object) -> None:
    with pytest.raises(TargetRefused):
        resolve_target(f"http://{address}/", [])


@given(st.text(), st.sampled_from(["", "http://[", "http://127.0.0.1:", "ftp://127.0.0.1/"]))
def test_any_text_is_a_loopback_address_or_a_told_error(text: str, before: str) -> None:
    try:
        _, address = resolve_target(before + text, [])
    except LoadstoneError:
        return
    assert address.startswith(("127.0.0.1:", "[::1]:"))


def test_secrets_are_masked_in_the_plan_that_is_kept_and_not_in_the_one_that_is_sent() -> None:
    headers = [["Authorization", "Bearer 1"], ["accept", "text/plain"]]
    plan = {"groups": [{"session": [{"headers": headers}]}]}
    assert masked(plan)["groups"][0]["session"][0]["headers"] == [
        ["Authorization", "(masked)"],
        ["accept", "text/plain"],
    ]
    assert plan["groups"][0]["session"][0]["headers"] == headers
