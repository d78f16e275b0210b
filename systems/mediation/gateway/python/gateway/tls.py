"""The TLS material: the contexts of the upstream leg, and a look at what callers will be shown."""

import ssl
from pathlib import Path

from gateway.config import Certificate, Config, Protocol, wrong

_OFFERED_UPSTREAM = {
    Protocol.H1: ["http/1.1"],
    Protocol.H2: ["h2"],
    Protocol.H2_DOWNGRADE: ["h2", "http/1.1"],
}


def check_certificate(certificate: Certificate) -> None:
    """Raise ConfigurationError if no chain with its key can be made of the files.

    The server loads them itself, but would not say which variable is wrong.
    """
    _load_authority(certificate.chain, "TLS_CERT")
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    try:
        context.load_cert_chain(certificate.chain, certificate.key)
    except (ssl.SSLError, OSError):
        raise wrong("TLS_KEY", certificate.key, "a PEM file with the key of TLS_CERT") from None


def upstream_context(config: Config) -> ssl.SSLContext | None:
    """Return how the upstream is met over TLS; none where that leg is cleartext.

    Such a context trusts nothing but what is loaded, and compares the host's name or address.
    """
    if config.authority is None:
        return None
    context = _load_authority(config.authority, "TLS_CA")
    context.minimum_version = ssl.TLSVersion.TLSv1_3
    context.set_alpn_protocols(_OFFERED_UPSTREAM[config.upstream_protocol])
    return context


def _load_authority(path: Path, name: str) -> ssl.SSLContext:
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
    try:
        context.load_verify_locations(path)
    except (ssl.SSLError, OSError):
        raise wrong(name, path, "a PEM file with a certificate") from None
    return context
