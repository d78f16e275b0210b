"""The contract's caller against a server of other making: the lab's own backend."""

import subprocess
from collections.abc import Iterator
from contextlib import contextmanager

import pytest

from loadstone.contract.deadline import Deadline
from loadstone.contract.subject import Subject
from loadstone.deploy.binaries import find_binary
from loadstone.machine.tls_material import TlsMaterial
from loadstone.study.values.model import Protocol

SPOKEN = [each for each in Protocol if each is not Protocol.H2_DOWNGRADE]
"""HTTP/2 is offered in vain to a server of HTTP/1.1, so the backend needs no word for it."""


@contextmanager
def echo(protocol: Protocol, material: TlsMaterial, delay: str) -> Iterator[str]:
    """Start the backend, and give its URL."""
    words = ["--listen", "127.0.0.1:0", "--protocol", protocol, "--delay", delay]
    if protocol.is_tls:
        words += ["--tls-certificate", str(material.certificate), "--tls-key", str(material.key)]
    with subprocess.Popen(
        [find_binary("loadstone-echo"), *words], stdout=subprocess.PIPE, text=True
    ) as process:
        assert process.stdout is not None
        try:
            yield f"{protocol.scheme}://{process.stdout.readline().split()[-1]}"
        finally:
            process.kill()


@pytest.mark.parametrize("protocol", SPOKEN)
def test_bodies_come_back_whole_whatever_their_size(
    protocol: Protocol, material: TlsMaterial
) -> None:
    with echo(protocol, material, "0ms") as url:
        subject = Subject(url, None, Deadline(10), {"client": protocol}, material.authority)
        for size in (0, 1, 70_000, 1 << 20):
            body = bytes(size)
            answer = subject.ask("/any", [("Content-Type", "text/plain")], body)
            assert (answer.status, answer.body) == (200, body)


@pytest.mark.parametrize("protocol", [Protocol.H2C, Protocol.H2])
def test_requests_on_one_connection_wait_for_their_answers_together(
    protocol: Protocol, material: TlsMaterial
) -> None:
    # One after the other they would need longer than the deadline allows.
    with echo(protocol, material, "200ms") as url:
        subject = Subject(url, None, Deadline(10), {"client": protocol}, material.authority)
        with subject.connect_http2() as connection:
            calls = [connection.send_request("/", body=b"%d" % number) for number in range(100)]
            bodies = [call.receive_answer().body for call in calls]
    assert bodies == [b"%d" % number for number in range(100)]
