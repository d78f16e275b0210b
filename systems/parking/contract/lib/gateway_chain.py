"""A chain of two certificates, so that it can be seen whether a server shows all of it."""

import datetime
import ipaddress
from dataclasses import dataclass
from pathlib import Path

from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.x509.oid import ExtendedKeyUsageOID, NameOID

_VALID = datetime.timedelta(days=1)


@dataclass(frozen=True)
class Chain:
    """PEM files."""

    authority: Path
    """By which a client verifies; it is not in the chain."""
    certificates: Path
    """The server's, for 127.0.0.1, and then the one that vouches for it."""
    key: Path
    """The server's key, PKCS #8."""


def make_chain(directory: Path) -> Chain:
    """Make an authority, one in between, and a server's certificate, in an existing folder."""
    root_key, middle_key, server_key = (ec.generate_private_key(ec.SECP256R1()) for _ in range(3))
    root = _authority("root", "root", root_key, root_key, path_length=1)
    middle = _authority("middle", "root", middle_key, root_key, path_length=0)
    here = [x509.DNSName("localhost"), x509.IPAddress(ipaddress.ip_address("127.0.0.1"))]
    server = (
        _builder("server", "middle", server_key)
        .add_extension(x509.BasicConstraints(ca=False, path_length=None), critical=True)
        .add_extension(_usage(is_authority=False), critical=True)
        .add_extension(x509.ExtendedKeyUsage([ExtendedKeyUsageOID.SERVER_AUTH]), critical=False)
        .add_extension(x509.SubjectAlternativeName(here), critical=False)
        .add_extension(_issued_by(middle_key), critical=False)
        .sign(middle_key, hashes.SHA256())
    )
    chain = Chain(directory / "root.pem", directory / "chain.pem", directory / "server.key")
    chain.authority.write_bytes(_pem(root))
    chain.certificates.write_bytes(_pem(server) + _pem(middle))
    chain.key.write_bytes(
        server_key.private_bytes(
            serialization.Encoding.PEM,
            serialization.PrivateFormat.PKCS8,
            serialization.NoEncryption(),
        )
    )
    return chain


def _authority(
    name: str,
    issuer: str,
    key: ec.EllipticCurvePrivateKey,
    issuer_key: ec.EllipticCurvePrivateKey,
    *,
    path_length: int,
) -> x509.Certificate:
    builder = (
        _builder(name, issuer, key)
        .add_extension(x509.BasicConstraints(ca=True, path_length=path_length), critical=True)
        .add_extension(_usage(is_authority=True), critical=True)
    )
    if issuer != name:
        builder = builder.add_extension(_issued_by(issuer_key), critical=False)
    return builder.sign(issuer_key, hashes.SHA256())


def _builder(name: str, issuer: str, key: ec.EllipticCurvePrivateKey) -> x509.CertificateBuilder:
    now = datetime.datetime.now(datetime.UTC)
    return (
        x509.CertificateBuilder()
        .subject_name(_name(name))
        .issuer_name(_name(issuer))
        .public_key(key.public_key())
        .serial_number(x509.random_serial_number())
        .not_valid_before(now - _VALID)
        .not_valid_after(now + _VALID)
        .add_extension(x509.SubjectKeyIdentifier.from_public_key(key.public_key()), critical=False)
    )


def _issued_by(key: ec.EllipticCurvePrivateKey) -> x509.AuthorityKeyIdentifier:
    return x509.AuthorityKeyIdentifier.from_issuer_public_key(key.public_key())


def _name(name: str) -> x509.Name:
    return x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, f"Loadstone check, {name}")])


def _pem(certificate: x509.Certificate) -> bytes:
    return certificate.public_bytes(serialization.Encoding.PEM)


def _usage(*, is_authority: bool) -> x509.KeyUsage:
    return x509.KeyUsage(
        digital_signature=not is_authority,
        key_cert_sign=is_authority,
        crl_sign=is_authority,
        content_commitment=False,
        key_encipherment=False,
        data_encipherment=False,
        key_agreement=False,
        encipher_only=False,
        decipher_only=False,
    )
