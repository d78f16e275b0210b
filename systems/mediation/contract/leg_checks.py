"""LG-1 to LG-5: which protocol a leg speaks over TLS, and whom it trusts."""

from collections.abc import Sequence
from contextlib import AbstractContextManager
from functools import partial
from pathlib import Path
from secrets import token_hex
from tempfile import TemporaryDirectory

from loadstone.contract import declare
from loadstone.contract.exchange import Exchange
from loadstone.contract.expect import expect, expect_equal
from loadstone.contract.subject import Subject
from loadstone.machine.tls_material import make_tls_material
from loadstone.study.values.model import Protocol

from .lib.gateway import JSON, expect_next_echo

check = partial(declare.check, operation="passthrough")

PATH = "/passthrough"
HTTP_1, HTTP_2 = "http/1.1", "h2"


@check("LG-1", "a caller that offers both versions gets the leg's", client="tls", quick=True)
def both_versions(subject: Subject) -> None:
    # A server without ALPN agrees to nothing, and then speaks HTTP/1.1 (RFC 9112, 9.7).
    wanted = (HTTP_1, None) if subject.client is Protocol.H1 else (HTTP_2,)
    for offers in ((HTTP_2, HTTP_1), (HTTP_1, HTTP_2)):
        _expect_served(subject, offers, wanted)


@check(
    "LG-2",
    "a caller that offers only HTTP/1.1 is served with it",
    client=(Protocol.H2_DOWNGRADE,),
    quick=True,
)
def only_http_1(subject: Subject) -> None:
    _expect_served(subject, (HTTP_1,), (HTTP_1,))


@check("LG-3", "TLS 1.3 is spoken with callers", client="tls", quick=True)
def version_for_callers(subject: Subject) -> None:
    # A caller has no older version, and verifies chain and address: both end the handshake.
    with subject.connect() as connection:
        expect(connection.handshake is not None, "the leg is in cleartext")
        if connection.handshake is not None:
            expect_equal(connection.handshake.version, "TLSv1.3", "the version")


@check("LG-3", "TLS 1.3 is spoken with the upstream", upstream="tls", needs_upstream=True)
def version_for_the_upstream(subject: Subject) -> None:
    handshake = _on_a_new_connection(subject).handshake
    expect_equal(handshake.version if handshake else None, "TLSv1.3", "the version")


@check(
    "LG-4",
    "what the protocol names is offered to the upstream",
    upstream="tls",
    needs_upstream=True,
)
def offers(subject: Subject) -> None:
    handshake = _on_a_new_connection(subject).handshake
    offered = handshake.offered if handshake else ()
    match subject.upstream_protocol:
        case Protocol.H1:
            holds = set(offered) <= {HTTP_1}
        case Protocol.H2:
            holds = HTTP_2 in offered
        case _:
            holds = {HTTP_1, HTTP_2} <= set(offered)
    expect(holds, f"the gateway offers {', '.join(offered) or 'nothing'}")


@check(
    "LG-4",
    "an upstream that does not agree to HTTP/2 is a failed one",
    upstream=(Protocol.H2,),
    needs_upstream=True,
)
def not_agreed(subject: Subject) -> None:
    for agrees in ((HTTP_1,), ()):
        with subject.upstream.disguised(subject.deadline, agrees=agrees):
            _expect_failed(subject)
    expect_next_echo(subject, PATH)


@check(
    "LG-5",
    "an upstream that another authority vouches for receives no request",
    upstream="tls",
    needs_upstream=True,
)
def other_authority(subject: Subject) -> None:
    with TemporaryDirectory() as directory:
        other = make_tls_material(Path(directory))
        _expect_refused(subject, subject.upstream.disguised(subject.deadline, material=other))


@check(
    "LG-5", "an upstream of another name receives no request", upstream="tls", needs_upstream=True
)
def other_name(subject: Subject) -> None:
    right = subject.upstream.material
    other = right.elsewhere if right else None
    if other is None:
        raise RuntimeError("the recording upstream has no certificate for another name")
    _expect_refused(subject, subject.upstream.disguised(subject.deadline, material=other))


def _expect_served(subject: Subject, offers: Sequence[str], wanted: Sequence[str | None]) -> None:
    body = token_hex(8).encode()
    with subject.connect_offering(offers) as connection:
        agreed = connection.handshake.agreed if connection.handshake else None
        offered = " and ".join(offers)
        expect(agreed in wanted, f"{agreed} is agreed on with a caller that offers {offered}")
        answer = connection.send_request(PATH, [JSON], body).receive_answer()
    expect_equal((answer.status, answer.body), (200, body), f"the answer in {agreed}")


def _on_a_new_connection(subject: Subject) -> Exchange:
    with subject.upstream.away(subject.deadline):
        pass
    expect_equal(subject.ask(PATH, [JSON], b"{}").status, 200, "the status")
    return subject.upstream.only_exchange()


def _expect_refused(subject: Subject, disguise: AbstractContextManager[None]) -> None:
    with disguise:
        _expect_failed(subject)
    expect_next_echo(subject, PATH)


def _expect_failed(subject: Subject) -> None:
    expect_equal(subject.ask(PATH, [JSON], b"{}").status, 502, "the status")
    expect_equal(len(subject.upstream.exchanges), 0, "requests at the upstream")
