from pathlib import Path

import pytest

from gateway.config import Certificate, ConfigurationError, read_config
from gateway.tls import check_certificate, upstream_context


def no_certificate(directory: Path, name: str) -> Path:
    path = directory / name
    path.write_text("-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----\n")
    return path


def test_a_leg_in_cleartext_has_no_context() -> None:
    config = read_config({"PORT": "0", "UPSTREAM_URL": "http://localhost"})
    assert upstream_context(config) is None


def test_an_authority_that_is_no_certificate_is_named(tmp_path: Path) -> None:
    environment = {
        "PORT": "0",
        "UPSTREAM_URL": "https://localhost",
        "UPSTREAM_PROTOCOL": "h2",
        "TLS_CA": str(no_certificate(tmp_path, "authority.pem")),
    }
    with pytest.raises(ConfigurationError, match=r"^TLS_CA must be .*authority\.pem"):
        upstream_context(read_config(environment))


def test_a_chain_that_is_no_certificate_is_named(tmp_path: Path) -> None:
    chain = no_certificate(tmp_path, "chain.pem")
    with pytest.raises(ConfigurationError, match=r"^TLS_CERT must be .*chain\.pem"):
        check_certificate(Certificate(chain, chain))
