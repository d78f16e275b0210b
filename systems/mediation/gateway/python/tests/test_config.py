from pathlib import Path

import pytest

from gateway.config import Certificate, Config, ConfigurationError, Origin, Protocol, read_config

RIGHT = {
    "PORT": "9090",
    "UPSTREAM_URL": "http://127.0.0.1:8688",
    "CLIENT_PROTOCOL": "h1c",
    "UPSTREAM_PROTOCOL": "h1c",
}


def test_the_environment_is_read_once() -> None:
    assert read_config(RIGHT) == Config(
        port=9090,
        client_protocol=Protocol.H1C,
        certificate=None,
        upstream=Origin("http", "127.0.0.1", 8688, "127.0.0.1:8688"),
        upstream_protocol=Protocol.H1C,
        authority=None,
    )


def test_both_legs_are_cleartext_http1_where_nothing_is_said() -> None:
    config = read_config({"PORT": "0", "UPSTREAM_URL": "http://localhost/"})
    assert (config.client_protocol, config.upstream_protocol) == (Protocol.H1C, Protocol.H1C)
    assert config.upstream == Origin("http", "localhost", 80, "localhost")


def test_the_files_of_tls_are_taken_where_a_leg_needs_them(tmp_path: Path) -> None:
    names = {"TLS_CERT": "chain.pem", "TLS_KEY": "key.pem", "TLS_CA": "authority.pem"}
    files = {variable: tmp_path / name for variable, name in names.items()}
    for path in files.values():
        path.touch()
    config = read_config(
        {
            "PORT": "1",
            "UPSTREAM_URL": "https://localhost:2",
            "CLIENT_PROTOCOL": "h2-downgrade",
            "UPSTREAM_PROTOCOL": "h2",
            **{variable: str(path) for variable, path in files.items()},
        }
    )
    assert config.certificate == Certificate(files["TLS_CERT"], files["TLS_KEY"])
    assert config.authority == files["TLS_CA"]
    assert config.upstream.scheme == "https"


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("PORT", ""),
        ("PORT", "http"),
        ("PORT", "65536"),
        ("PORT", "-1"),
        ("PORT", "²"),
        ("UPSTREAM_URL", ""),
        ("UPSTREAM_URL", "127.0.0.1:8688"),
        ("UPSTREAM_URL", "https://127.0.0.1:8688"),
        ("UPSTREAM_URL", "http://127.0.0.1:8688/path"),
        ("UPSTREAM_URL", "http://127.0.0.1:8688?query"),
        ("UPSTREAM_URL", "http://127.0.0.1:eighty"),
        ("UPSTREAM_URL", "http://user@127.0.0.1:8688"),
        ("UPSTREAM_URL", "http://"),
        ("CLIENT_PROTOCOL", "h3"),
        ("UPSTREAM_PROTOCOL", "H2C"),
    ],
)
def test_a_wrong_variable_is_named_with_its_value(name: str, value: str) -> None:
    with pytest.raises(ConfigurationError, match=f"^{name} must be ") as caught:
        read_config({**RIGHT, name: value})
    assert f'"{value}"' in str(caught.value)


@pytest.mark.parametrize(
    ("protocol", "file"),
    [
        ("CLIENT_PROTOCOL", "TLS_CERT"),
        ("CLIENT_PROTOCOL", "TLS_KEY"),
        ("UPSTREAM_PROTOCOL", "TLS_CA"),
    ],
)
def test_a_file_that_a_leg_needs_and_cannot_be_read_is_named(
    protocol: str, file: str, tmp_path: Path
) -> None:
    there = tmp_path / "there.pem"
    there.touch()
    missing = tmp_path / "missing.pem"
    environment = {
        **RIGHT,
        "UPSTREAM_URL": "https://localhost" if file == "TLS_CA" else "http://localhost",
        protocol: "h1",
        "TLS_CERT": str(there),
        "TLS_KEY": str(there),
        "TLS_CA": str(there),
        file: str(missing),
    }
    with pytest.raises(ConfigurationError, match=f"^{file} must be .*missing.pem"):
        read_config(environment)
