"""The certificates of one test run, made in its own folder and gone with it."""

import datetime
from dataclasses import dataclass
from pathlib import Path

import trustme
from cryptography import x509
from cryptography.hazmat.primitives.asymmetric.ec import EllipticCurvePrivateKey
from cryptography.hazmat.primitives.serialization import (
    BestAvailableEncryption,
    load_pem_private_key,
    pkcs12,
)

KEYSTORE_PASSWORD = b"conformance"


@dataclass(frozen=True)
class Certificates:
    """A folder with server.pem, server.key, server-whole.pem (both) and server.p12."""

    folder: Path

    @property
    def roots_pem(self) -> str:
        """The certificate of who signed them."""
        return (self.folder / "roots.pem").read_text()


def make(folder: Path) -> Certificates:
    """Write a certificate for loopback that is valid today."""
    authority = trustme.CA()
    return _write(folder, authority, authority.issue_cert("127.0.0.1", "::1", "localhost"))


def make_expired(folder: Path) -> Certificates:
    """Write a certificate for loopback that was valid until yesterday."""
    authority = trustme.CA()
    now = datetime.datetime.now(datetime.UTC)
    expired = authority.issue_cert(
        "127.0.0.1",
        "localhost",
        not_before=now - datetime.timedelta(days=30),
        not_after=now - datetime.timedelta(days=1),
    )
    return _write(folder, authority, expired)


def _write(folder: Path, authority: trustme.CA, leaf: trustme.LeafCert) -> Certificates:
    folder.mkdir(parents=True, exist_ok=True)
    chain_pem = b"".join(part.bytes() for part in leaf.cert_chain_pems)
    key_pem = leaf.private_key_pem.bytes()
    (folder / "server.pem").write_bytes(chain_pem)
    (folder / "server.key").write_bytes(key_pem)
    (folder / "server-whole.pem").write_bytes(chain_pem + key_pem)
    first, *others = x509.load_pem_x509_certificates(chain_pem)
    key = load_pem_private_key(key_pem, None)
    assert isinstance(key, EllipticCurvePrivateKey)
    keystore = pkcs12.serialize_key_and_certificates(
        b"server", key, first, others, BestAvailableEncryption(KEYSTORE_PASSWORD)
    )
    (folder / "server.p12").write_bytes(keystore)
    (folder / "roots.pem").write_bytes(authority.cert_pem.bytes())
    return Certificates(folder)
