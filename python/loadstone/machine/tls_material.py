"""Certificates of one lab: an authority of its own, and one server certificate that it vouches for.

They are made anew for each deployment, into a folder that is removed with it, and nobody else trusts
the authority. One certificate serves gateway and backend, since both are this machine.
"""

import datetime
import ipaddress
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.x509.oid import ExtendedKeyUsageOID, NameOID

from loadstone.machine import ownership

VALID_DAYS = 30
"""Longer than any study; the clock of a machine may be off by a day."""

ELSEWHERE = "elsewhere.invalid"
"""A name that nobody has (RFC 2606)."""

KEY = "ECDSA P-256"
"""Of authority and server: what most public sites show today, and cheap to sign with."""


@dataclass(frozen=True)
class TlsMaterial:
    """PEM files."""

    authority: Path
    """The certificate by which clients verify."""
    certificate: Path
    """The server's chain, without the authority, for `localhost`, 127.0.0.1 and where else it is
    called."""
    key: Path
    """The server's key, PKCS #8; only its owner may read it."""
    elsewhere: "TlsMaterial | None" = None
    """Vouched for by the same authority, but for another name: who verifies must refuse it."""


@contextmanager
def tls_material(*, is_needed: bool, address: str | None = None) -> Iterator[TlsMaterial | None]:
    """Make what legs over TLS need, for the length of the block; none where it is not needed.

    `address` is one more of this machine's at which it is called.
    """
    if not is_needed:
        yield None
        return
    with ownership.scratch_directory() as directory:
        yield make_tls_material(directory, address)


def make_tls_material(directory: Path, address: str | None = None) -> TlsMaterial:
    """Make authority and server certificates in an existing folder. Raises OSError."""
    authority_key = ec.generate_private_key(ec.SECP256R1())
    name = _name("Loadstone authority of one deployment")
    authority = (
        _builder(name, name, authority_key.public_key())
        .add_extension(x509.BasicConstraints(ca=True, path_length=0), critical=True)
        .add_extension(_usage(authority=True), critical=True)
        .sign(authority_key, hashes.SHA256())
    )
    path = directory / "authority.pem"
    path.write_bytes(authority.public_bytes(serialization.Encoding.PEM))
    addresses = dict.fromkeys(("127.0.0.1", address or "127.0.0.1"))
    here = [
        x509.DNSName("localhost"),
        *(x509.IPAddress(ipaddress.ip_address(each)) for each in addresses),
    ]
    certificate, key = _vouch(name, authority_key, here, directory / "server")
    elsewhere = _vouch(name, authority_key, [x509.DNSName(ELSEWHERE)], directory / "elsewhere")
    return TlsMaterial(path, certificate, key, TlsMaterial(path, *elsewhere))


def _vouch(
    authority: x509.Name,
    authority_key: ec.EllipticCurvePrivateKey,
    names: list[x509.GeneralName],
    path: Path,
) -> tuple[Path, Path]:
    """Write a server's certificate for these names, and its key."""
    server_key = ec.generate_private_key(ec.SECP256R1())
    issuer_key = x509.AuthorityKeyIdentifier.from_issuer_public_key(authority_key.public_key())
    server = (
        _builder(_name(str(names[0].value)), authority, server_key.public_key())
        .add_extension(x509.BasicConstraints(ca=False, path_length=None), critical=True)
        .add_extension(_usage(authority=False), critical=True)
        .add_extension(x509.ExtendedKeyUsage([ExtendedKeyUsageOID.SERVER_AUTH]), critical=False)
        .add_extension(x509.SubjectAlternativeName(names), critical=False)
        .add_extension(issuer_key, critical=False)
        .sign(authority_key, hashes.SHA256())
    )
    certificate, key = path.with_suffix(".pem"), path.with_suffix(".key")
    certificate.write_bytes(server.public_bytes(serialization.Encoding.PEM))
    key.touch(mode=0o600)
    key.write_bytes(
        server_key.private_bytes(
            serialization.Encoding.PEM,
            serialization.PrivateFormat.PKCS8,
            serialization.NoEncryption(),
        )
    )
    return certificate, key


def _name(text: str) -> x509.Name:
    return x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, text)])


def _builder(
    subject: x509.Name, issuer: x509.Name, key: ec.EllipticCurvePublicKey
) -> x509.CertificateBuilder:
    now = datetime.datetime.now(datetime.UTC)
    return (
        x509.CertificateBuilder()
        .subject_name(subject)
        .issuer_name(issuer)
        .public_key(key)
        .serial_number(x509.random_serial_number())
        .not_valid_before(now - datetime.timedelta(days=1))
        .not_valid_after(now + datetime.timedelta(days=VALID_DAYS))
        .add_extension(x509.SubjectKeyIdentifier.from_public_key(key), critical=False)
    )


def _usage(*, authority: bool) -> x509.KeyUsage:
    return x509.KeyUsage(
        digital_signature=not authority,
        key_cert_sign=authority,
        crl_sign=authority,
        content_commitment=False,
        key_encipherment=False,
        data_encipherment=False,
        key_agreement=False,
        encipher_only=False,
        decipher_only=False,
    )
