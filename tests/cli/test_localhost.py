"""`localhost` may have two addresses: the one that answers is asked and loaded, whichever it is."""

import json
from dataclasses import dataclass
from pathlib import Path
from urllib.parse import urlsplit

import own_gateway
import pytest
from lab import NEVER_WITHHELD, Lab, study_of

ADDRESSES = ("::1", "127.0.0.1")

RESOLVER = """
import socket
look_up = socket.getaddrinfo

def of_both_versions(host, port, *others, **options):
    ips = {ips!r} if host == "localhost" else (host,)
    return [found for ip in ips for found in look_up(ip, port, *others, **options)]

socket.getaddrinfo = of_both_versions
"""
"""A resolver that knows `localhost` by both versions of IP, whatever this machine's says."""


@dataclass(frozen=True)
class Own:
    """A gateway that listens at one address alone."""

    ip: str
    program: Path


@pytest.fixture(scope="module", params=ADDRESSES)
def own(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Own:
    return Own(request.param, own_gateway.build(tmp_path_factory.mktemp("own"), request.param))


@pytest.mark.parametrize("first", ADDRESSES)
def test_bench_loads_the_address_that_answers(lab: Lab, own: Own, first: str) -> None:
    ips = sorted(ADDRESSES, key=lambda ip: ip != first)
    with own_gateway.running(own.program) as (_, url):
        ended = lab.run(
            "bench",
            f"http://localhost:{urlsplit(url).port}/passthrough",
            *("--body", "{}", "--users", "1", "--duration", "1s", "--json"),
            changed=RESOLVER.format(ips=ips),
        )
    outcomes = json.loads(ended.stdout)["outcomes"]  # whatever a busy machine withholds of times
    assert outcomes["ok"] > 0
    assert outcomes["connect"] == 0


def test_a_study_loads_the_address_that_answered(lab: Lab, own: Own) -> None:
    others_first = sorted(ADDRESSES, key=lambda ip: ip == own.ip)
    with own_gateway.running(own.program) as (_, url):
        level = f"{{{{label: {{}}, url: 'http://localhost:{urlsplit(url).port}'}}}}"
        lab.study(study_of(level.format("own"), level.format("again"), metrics=NEVER_WITHHELD))
        changed = RESOLVER.format(ips=others_first)
        ended = lab.run("run", "trial", "--profile", "moment", changed=changed)
    assert ended.code == 0, ended.stderr
    for path in lab.results().glob("runs/*/run.json"):
        record = json.loads(path.read_text())
        assert record["status"] == "completed", record["failure"]
        assert record["outcomes"]["ok"] > 0
