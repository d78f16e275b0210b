"""`machines.yaml`: read, and refused with file, line, key and remedy."""

import json
from pathlib import Path

import jsonschema
import pytest
import yaml
from hypothesis import given
from hypothesis import strategies as st

from loadstone.errors import InputError
from loadstone.generate.schemas import schema
from loadstone.study.files.machines_file import read_machines, split_head

GOOD = """head: 10.0.0.10:6379
token: keys/token
tls: {certificate: c.pem, key: k.pem, authority: /etc/ca.pem}
machines:
  a: {address: 10.0.0.11}
  b: {address: node-b.lab}
  spare: {address: "fd00::3"}
sites: [b, a]
"""


def written(folder: Path, text: str) -> Path:
    path = folder / "machines.yaml"
    path.write_text(text)
    return path


def test_a_file_says_which_machines_do_blocks_and_how_they_are_reached(tmp_path: Path) -> None:
    machines = read_machines(written(tmp_path, GOOD))
    assert machines.sites == ("b", "a")
    assert machines.addresses == {"a": "10.0.0.11", "b": "node-b.lab", "spare": "fd00::3"}
    assert machines.token == Path("keys/token")
    assert machines.tls is not None
    assert machines.tls.certificate == tmp_path / "c.pem"
    assert machines.tls.authority == Path("/etc/ca.pem")
    jsonschema.validate(yaml.safe_load(GOOD), schema("machines"))
    json.dumps(schema("machines"))


def test_a_site_may_be_several_machines_by_role(tmp_path: Path) -> None:
    roles = "[{engine: [b, spare], service: a}]"
    text = GOOD.replace("[b, a]", roles)
    machines = read_machines(written(tmp_path, text))
    assert machines.sites == ("a",)
    assert machines.engines == {"a": ("b", "spare")}
    assert machines.members == ("a", "b", "spare")
    jsonschema.validate(yaml.safe_load(text), schema("machines"))
    apart = GOOD.replace("[b, a]", "[{service: b, dependency: a}]")
    machines = read_machines(written(tmp_path, apart))
    assert (machines.engines, machines.dependencies) == ({}, {"b": "a"})
    assert machines.members == ("b", "a")
    jsonschema.validate(yaml.safe_load(apart), schema("machines"))
    alone = read_machines(written(tmp_path, GOOD.replace("[b, a]", "[{engine: b, service: a}]")))
    assert alone.engines == {"a": ("b",)}


def test_services_of_a_site_may_have_machines_of_their_own(tmp_path: Path) -> None:
    roles = "[{engine: spare, service: {gateway: a, discovery: a, users: c}, dependency: d}]"
    text = GOOD.replace("[b, a]", roles)
    text = text.replace("  spare", "  c: {address: 10.0.0.13}\n  d: {address: 10.0.0.14}\n  spare")
    machines = read_machines(written(tmp_path, text))
    assert machines.sites == ("a",)
    assert machines.services == {"a": {"gateway": "a", "discovery": "a", "users": "c"}}
    assert machines.services_apart("a") == {"users": "c"}
    assert machines.members == ("a", "spare", "c", "d")
    jsonschema.validate(yaml.safe_load(text), schema("machines"))


def test_token_and_tls_may_be_left_out(tmp_path: Path) -> None:
    text = "head: lab:6379\nmachines: {a: {address: 10.0.0.11}}\nsites: [a]\n"
    machines = read_machines(written(tmp_path, text))
    assert machines.tls is None
    assert machines.token == Path.home() / ".config/loadstone/token"


@pytest.mark.parametrize(
    ("old", "new", "message", "remedy"),
    [
        ("head: 10.0.0.10:6379", "head: 10.0.0.10", "1: head: '10.0.0.10' is not an addre", "6379"),
        ("10:6379", "10:99999", "1: head: '10.0.0.10:99999' is not an address with", "cluster up"),
        ("10.0.0.11", "10.0.0.11:22", "5: machines.a.address: '10.0.0.11:22' is neither", "port"),
        ("10.0.0.11", "10.0.0.999", "5: machines.a.address: '10.0.0.999' is neither", "10.0.0.11"),
        (
            "node-b.lab",
            "10.0.0.11",
            "6: machines.b.address: 10.0.0.11 is the machine a",
            "keep one",
        ),
        ("[b, a]", "[b, c]", "8: sites[1]: there is no machine c", "known: a, b, spare"),
        ("[b, a]", "[b, b]", "8: sites[1]: b is a site already", "once"),
        ("[b, a]", "[]", "8: sites: must not be empty", "at least one"),
        ("[b, a]", "[{engine: a}]", "8: sites[0].service: is missing", "add the key"),
        ("[b, a]", "[{engine: [], service: a}]", "8: sites[0].engine: must not be em", "at least"),
        ("[b, a]", "[{engine: 3, service: a}]", "8: sites[0].engine: must be text", "quotes"),
        (
            "[b, a]",
            "[{engine: b, service: c}]",
            "8: sites[0].service: there is no machine c",
            "known: a, b, spare",
        ),
        (
            "[b, a]",
            "[{engine: [b, c], service: a}]",
            "8: sites[0].engine[1]: there is no machine c",
            "known: a, b, spare",
        ),
        (
            "[b, a]",
            "[{engine: a, service: a}]",
            "8: sites[0].engine: a is a site already",
            "once",
        ),
        (
            "[b, a]",
            "[{engine: [b, b], service: a}]",
            "8: sites[0].engine[1]: b is an engine of a already",
            "once",
        ),
        (
            "[b, a]",
            "[{engine: spare, service: a}, {engine: spare, service: b}]",
            "6: machines.b.address: node-b.lab is no IPv4 address",
            "write the address",
        ),
        (
            "[b, a]",
            "[{engine: b, service: a}, {engine: b, service: d}]",
            "8: sites[1].service: there is no machine d",
            "known: a, b, spare",
        ),
        (
            "sites: [b, a]",
            "  d: {address: 10.0.0.14}\nsites: [{engine: b, service: a}, {engine: b, service: d}]",
            "9: sites[1].engine: b is an engine of a already",
            "once",
        ),
        (
            "[b, a]",
            "[{engine: spare, service: a}, b]",
            "8: sites[1]: has its engine with its service, and the first site has 1 machine of eng",
            "as many, or none",
        ),
        (
            "[b, a]",
            "[{engine: a, service: b}]",
            "6: machines.b.address: node-b.lab is no IPv4 address, and a service that is called",
            "write the address",
        ),
        (
            "[b, a]",
            "[{engine: b, service: a, dependency: spare}]",
            "7: machines.spare.address: fd00::3 is no IPv4 address, and a dependency that is called",
            "write the address",
        ),
        (
            "[b, a]",
            "[{service: a}]",
            "8: sites[0]: has neither engine, services nor dependencies on a machine of their own",
            "write a alone",
        ),
        (
            "[b, a]",
            "[{service: b, dependency: b}]",
            "8: sites[0].dependency: b is a site already",
            "once",
        ),
        (
            "sites: [b, a]",
            "  d: {address: 10.0.0.14}\n  e: {address: 10.0.0.15}\n"
            "sites: [{service: b, dependency: a}, {service: d, dependency: e}, spare]",
            "10: sites[2]: has its dependencies with its service, and the first site on a machine of",
            "alike",
        ),
        (
            "[b, a]",
            "[{engine: b, service: a, dependencies: spare}]",
            "8: sites[0].dependencies: has no machine of its own so far",
            "write `dependency`",
        ),
        (
            "[b, a]",
            "[{engine: b, service: {gateway: a, users: spare}}]",
            "7: machines.spare.address: fd00::3 is no IPv4 address, and a service that is called",
            "write the address",
        ),
        (
            "[b, a]",
            "[{service: {gateway: a, users: c}}]",
            "8: sites[0].service.users: there is no machine c",
            "known: a, b, spare",
        ),
        (
            'node-b.lab}\n  spare: {address: "fd00::3"}\nsites: [b, a]',
            "10.0.0.12}\nsites: [{engine: b, service: {gateway: a, users: b}}]",
            "7: sites[0].engine: b is services of a already",
            "name each machine once",
        ),
        (
            "[b, a]",
            "[{service: {gateway: a, users: a}}]",
            "8: sites[0]: has neither engine, services nor dependencies on a machine of their own",
            "write a alone",
        ),
        ("[b, a]", "[{service: {}}]", "8: sites[0].service: must not be empty", "at least one"),
        (
            "[b, a]",
            "[{service: {gateway: 3}}]",
            "8: sites[0].service.gateway: must be text",
            "quotes",
        ),
        (
            "sites: [b, a]",
            "  d: {address: 10.0.0.14}\n  e: {address: 10.0.0.15}\n  f: {address: 10.0.0.16}\n"
            "sites: [{service: {gateway: a, users: d}}, {service: {gateway: e, orders: f}}]",
            "11: sites[1]: has its services on other machines than the first site",
            "let all sites be alike",
        ),
        ("  a: {address: 10.0.0.11}", "  A: {address: 10.0.0.11}", "machines", "lower-case"),
        (", key: k.pem", "", "3: tls.key: is missing", "add the key"),
        ("sites:", "site:", "8: site: is not a known key", "did you mean sites?"),
    ],
)
def test_what_is_wrong_is_told_with_its_place_and_remedy(
    tmp_path: Path, old: str, new: str, message: str, remedy: str
) -> None:
    assert old in GOOD
    path = written(tmp_path, GOOD.replace(old, new, 1))
    with pytest.raises(InputError) as told:
        read_machines(path)
    assert str(told.value).startswith(f"{path}:")
    assert message in str(told.value)
    assert remedy in (told.value.remedy or "")


@given(st.integers(1, 65535), st.ip_addresses())
def test_every_address_and_port_is_read_back(port: int, address: object) -> None:
    text = f"[{address}]:{port}" if ":" in str(address) else f"{address}:{port}"
    assert split_head(text) == (str(address), port)
