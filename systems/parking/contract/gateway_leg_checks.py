"""G15, G16 and G34: what each leg speaks, and whom the gateway trusts."""

import socket
from collections.abc import Sequence
from contextlib import AbstractContextManager, suppress
from functools import partial
from pathlib import Path
from tempfile import TemporaryDirectory

from loadstone.contract import declare
from loadstone.contract.channel import client_context
from loadstone.contract.connect import connect_offering
from loadstone.contract.exchange import Exchange
from loadstone.contract.expect import expect, expect_equal
from loadstone.contract.subject import Subject
from loadstone.machine.tls_material import make_tls_material
from loadstone.study.values.model import Protocol

from .lib.at_once import timed
from .lib.gateway_answers import expect_refused
from .lib.gateway_chain import make_chain
from .lib.gateway_hello import OLD_VERSIONS, client_hello
from .lib.gateway_instances import WELL_SECONDS
from .lib.gateway_service import (
    MANY_SECONDS,
    STARTS_SECONDS,
    ask_on,
    expect_echo,
    expect_none_arrived,
    get,
    settle,
    wait_for_status,
)
from .lib.objects import expect_status

check = partial(declare.check, seconds=MANY_SECONDS)
quick = partial(declare.check, quick=True)

HTTP_1, HTTP_2 = "http/1.1", "h2"
SERVER_HELLO_RECORD, ALERT_RECORD = 22, 21
FAILED_SECONDS = 3.0
"""A failed attempt is over within a second; two more for a machine that is busy."""


@quick("G15", "a caller in the leg's protocol is served")
def speaks_its_protocol(subject: Subject) -> None:
    expect_status(get(subject), 200, "the list")


@quick("G15", "a caller that offers both versions gets the leg's", client="tls")
def both_versions(subject: Subject) -> None:
    # A server without ALPN agrees to nothing, and then speaks HTTP/1.1 (RFC 9112, 9.7).
    wanted = (HTTP_1, None) if subject.client is Protocol.H1 else (HTTP_2,)
    for offers in ((HTTP_2, HTTP_1), (HTTP_1, HTTP_2)):
        _expect_served(subject, offers, wanted)


@quick("G15", "on h2 a caller that offers http/1.1 alone is served with it", client=(Protocol.H2,))
def only_http_1(subject: Subject) -> None:
    _expect_served(subject, (HTTP_1,), (HTTP_1,))


@quick("G15", "TLS 1.3 is spoken, and the certificate is verified", client="tls")
def version(subject: Subject) -> None:
    # The caller has no older version, and verifies chain and address: both end the handshake.
    with subject.connect() as connection:
        handshake = connection.handshake
    expect_equal(handshake.version if handshake else None, "TLSv1.3", "the version")


@check("G15", "TLS below 1.2 is refused", client="tls")
def old_versions(subject: Subject) -> None:
    for name, number in OLD_VERSIONS.items():
        with socket.create_connection(subject.address, MANY_SECONDS) as connection:
            connection.settimeout(subject.deadline.remaining_seconds())
            answer = b""
            with suppress(ConnectionError):
                connection.sendall(client_hello(number))
                answer = connection.recv(1)
        kind = answer[0] if answer else ALERT_RECORD
        expect(kind != SERVER_HELLO_RECORD, f"a caller that speaks {name} at most is greeted")
        expect_equal(kind, ALERT_RECORD, f"the record that a caller of {name} gets")
    expect_status(get(subject), 200, "a request behind them")


@check("G15", "callers are shown the whole chain of TLS_CERT", client="tls", needs_stand=True)
def whole_chain(subject: Subject) -> None:
    with TemporaryDirectory() as directory:
        chain = make_chain(Path(directory))
        variables = {"TLS_CERT": str(chain.certificates), "TLS_KEY": str(chain.key)}
        with subject.stand.restarted(variables, unready=True) as other:
            context = client_context(chain.authority, (subject.client.alpn,))
            # Only who is shown the certificate in between can verify the last one.
            with connect_offering(other.address, other.deadline, context) as connection:
                answer = ask_on(connection, "GET", "/health", token=None)
    expect_status(answer, 200, "/health behind a chain of two certificates")


@check("G16", "the leg to the service speaks what it declares", needs_upstream=True)
def speaks_to_the_service(subject: Subject) -> None:
    exchange = _on_a_new_connection(subject)
    is_http2 = exchange.head.first_line.endswith("HTTP/2")
    expect_equal(is_http2, subject.upstream_protocol.is_http2, "whether HTTP/2 is spoken there")
    handshake = exchange.handshake
    expect_equal(handshake is not None, subject.upstream_protocol.is_tls, "whether it is over TLS")
    if handshake is not None:
        expect(handshake.version in ("TLSv1.2", "TLSv1.3"), f"{handshake.version} is spoken")
        offered = ", ".join(handshake.offered) or "nothing"
        is_right = (
            HTTP_2 in handshake.offered
            if subject.upstream_protocol is Protocol.H2
            else set(handshake.offered) <= {HTTP_1}
        )
        expect(is_right, f"the gateway offers {offered} on {subject.upstream_protocol}")


@check(
    "G16",
    "on h2 a service that does not agree to it is a failed attempt, and gets no request",
    upstream=(Protocol.H2,),
    needs_upstream=True,
)
def not_agreed(subject: Subject) -> None:
    for agrees in ((HTTP_1,), ()):
        disguise = subject.upstream.disguised(subject.deadline, agrees=agrees)
        _expect_no_request(subject, disguise, f"that agrees to {agrees or 'nothing'}")


@check(
    "G34",
    "a service that another authority vouches for is a failed attempt, and gets no request",
    upstream="tls",
    needs_upstream=True,
)
def other_authority(subject: Subject) -> None:
    with TemporaryDirectory() as directory:
        other = make_tls_material(Path(directory))
        disguise = subject.upstream.disguised(subject.deadline, material=other)
        _expect_no_request(subject, disguise, "of another authority")


@check(
    "G34",
    "a service of another address is a failed attempt, and gets no request",
    upstream="tls",
    needs_upstream=True,
)
def other_address(subject: Subject) -> None:
    right = subject.upstream.material
    other = right.elsewhere if right else None
    if other is None:
        raise RuntimeError("the recording upstream has no certificate for another name")
    disguise = subject.upstream.disguised(subject.deadline, material=other)
    _expect_no_request(subject, disguise, "of another address")


@check(
    "G34",
    "the authority is that of TLS_CA, and no other",
    upstream="tls",
    needs_upstream=True,
    needs_stand=True,
    seconds=STARTS_SECONDS,
)
def configured_authority(subject: Subject) -> None:
    with TemporaryDirectory() as directory:
        other = make_tls_material(Path(directory))
        variables = {"TLS_CA": str(other.authority)}
        with subject.stand.restarted(variables, unready=True) as trusting:
            wait_for_status(trusting, 502, WELL_SECONDS, "before a service of the usual authority")
            expect_none_arrived(subject, "a service that it does not trust")
            with subject.upstream.disguised(subject.deadline, material=other):
                wait_for_status(trusting, 200, WELL_SECONDS, "before a service of its authority")
    settle(subject)


def _expect_served(subject: Subject, offers: Sequence[str], wanted: Sequence[str | None]) -> None:
    with subject.connect_offering(offers) as connection:
        agreed = connection.handshake.agreed if connection.handshake else None
        offered = " and ".join(offers)
        expect(agreed in wanted, f"{agreed} is agreed on with a caller that offers {offered}")
        expect_status(ask_on(connection, "GET", "/users"), 200, f"the list in {agreed}")


def _on_a_new_connection(subject: Subject) -> Exchange:
    with subject.upstream.away(subject.deadline):
        pass
    expect_status(get(subject), 200, "a request on a new connection")
    return subject.upstream.only_exchange()


def _expect_no_request(subject: Subject, disguise: AbstractContextManager[None], what: str) -> None:
    try:
        with disguise:
            _expect_failed(subject, what)
    finally:
        settle(subject)
    expect_echo(subject, f"behind a service {what}")


def _expect_failed(subject: Subject, what: str) -> None:
    answer, seconds = timed(partial(get, subject))
    expect_refused(subject, answer, "upstream", f"of a service {what}")
    expect(seconds <= FAILED_SECONDS, f"a service {what} took {seconds:.1f} s to fail")
    expect_none_arrived(subject, f"a service {what}")
    # It is left out now, and there is no other.
    if (status := get(subject).status) != 502:
        expect_equal(status, 503, f"the status of a second request to a service {what}")
    expect_none_arrived(subject, f"a service {what}")
