"""The certificates that the lab makes are good for TLS between its own parts, and for nobody else."""

import socket
import ssl
import stat
from pathlib import Path
from threading import Thread

import pytest

from loadstone.machine.tls_material import TlsMaterial, make_tls_material


@pytest.fixture
def material(tmp_path: Path) -> TlsMaterial:
    return make_tls_material(tmp_path)


def shake_hands(server: TlsMaterial, client: ssl.SSLContext, name: str) -> str | None:
    """Shake hands over a pair of sockets, and return the version of TLS."""
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(server.certificate, server.key)
    ours, theirs = socket.socketpair()

    def accept() -> None:
        try:
            context.wrap_socket(theirs, server_side=True).close()
        except OSError:
            theirs.close()

    accepting = Thread(target=accept)
    accepting.start()
    try:
        with client.wrap_socket(ours, server_hostname=name) as spoken:
            return spoken.version()
    finally:
        ours.close()
        accepting.join()


@pytest.mark.parametrize("name", ["localhost", "127.0.0.1"])
def test_who_trusts_the_authority_verifies_the_server_by_name_and_by_address(
    material: TlsMaterial, name: str
) -> None:
    client = ssl.create_default_context(cafile=str(material.authority))
    client.verify_flags |= ssl.VERIFY_X509_STRICT
    assert shake_hands(material, client, name) == "TLSv1.3"


def test_the_address_of_its_machine_is_in_a_certificate_that_is_asked_for_it(
    tmp_path: Path,
) -> None:
    material = make_tls_material(tmp_path, "10.0.0.13")
    client = ssl.create_default_context(cafile=str(material.authority))
    for name in ("10.0.0.13", "127.0.0.1"):
        assert shake_hands(material, client, name) == "TLSv1.3"
    with pytest.raises(ssl.SSLCertVerificationError):
        shake_hands(material, client, "10.0.0.14")


def test_who_trusts_another_authority_refuses_it(material: TlsMaterial, tmp_path: Path) -> None:
    (tmp_path / "other").mkdir()
    other = make_tls_material(tmp_path / "other")
    client = ssl.create_default_context(cafile=str(other.authority))
    with pytest.raises(ssl.SSLCertVerificationError):
        shake_hands(material, client, "localhost")


def test_another_name_is_refused(material: TlsMaterial) -> None:
    client = ssl.create_default_context(cafile=str(material.authority))
    with pytest.raises(ssl.SSLCertVerificationError):
        shake_hands(material, client, "example.test")


def test_only_its_owner_may_read_the_key(material: TlsMaterial) -> None:
    assert stat.S_IMODE(material.key.stat().st_mode) == 0o600
