import pytest

from users.config import Address, Config, DatabaseConfig, TokenConfig, read_config
from users.tls import ConfigurationError

LEAST = {
    "PORT": "0",
    "DATABASE_URL": "postgres://user:secret@127.0.0.1:5432/park",
    "JWT_SECRET": "0123456789abcdef0123456789abcdef",
    "INTERNAL_KEY": "0123456789abcdef",
}


def refusal(**variables: str) -> str:
    with pytest.raises(ConfigurationError) as caught:
        read_config(LEAST | variables)
    return str(caught.value)


def test_what_is_not_set_has_its_default() -> None:
    assert read_config(LEAST) == Config(
        port=0,
        protocol="h1c",
        key_pair=None,
        database=DatabaseConfig("127.0.0.1", 5432, "user", "secret", "park", 10),
        tokens=TokenConfig(LEAST["JWT_SECRET"], 600),
        internal_key=LEAST["INTERNAL_KEY"],
        registry=None,
    )


def test_every_variable_is_read() -> None:
    config = read_config(
        LEAST
        | {
            "PORT": "9090",
            "UPSTREAM_PROTOCOL": "h2c",
            "DISCOVERY_PROTOCOL": "h1c",
            "POOL_SIZE": "1000",
            "TOKEN_SECONDS": "86400",
            "REGISTRY": "eureka",
            "REGISTRY_URL": "http://127.0.0.1:8761",
        }
    )
    assert (config.port, config.protocol, config.is_http2, config.is_tls) == (
        *(9090, "h2c", True, False),
    )
    assert (config.database.pool_size, config.tokens.lifetime_seconds) == (1000, 86_400)
    assert config.registry == Address("127.0.0.1", 8761)


@pytest.mark.parametrize(
    ("name", "value"),
    [
        *[("PORT", ""), ("PORT", "+1"), ("PORT", "65536"), ("PORT", "٣")],
        *[("UPSTREAM_PROTOCOL", ""), ("UPSTREAM_PROTOCOL", "h3"), ("DISCOVERY_PROTOCOL", "h2c")],
        *[("POOL_SIZE", "0"), ("POOL_SIZE", " 5"), ("POOL_SIZE", "99999999999999999999")],
        *[("TOKEN_SECONDS", ""), ("TOKEN_SECONDS", "86401"), ("REGISTRY", "Eureka")],
    ],
)
def test_a_wrong_variable_is_named_with_its_value(name: str, value: str) -> None:
    text = refusal(**{name: value})
    assert text.startswith(f"{name} must be ")
    assert text.endswith(f', not "{value}"')


@pytest.mark.parametrize(
    "value",
    [
        *["", "127.0.0.1:8761", "http://127.0.0.1:8761/", "http://a:0", "http://"],
        *["http://u@a:1", "http://a:x", "https://a:1", "http://a:65536"],
    ],
)
def test_a_registry_is_needed_where_one_is_registered_at(value: str) -> None:
    assert refusal(REGISTRY="eureka", REGISTRY_URL=value).startswith("REGISTRY_URL must be ")


@pytest.mark.parametrize(
    ("name", "value"),
    [
        *[("DATABASE_URL", ""), ("DATABASE_URL", "http://user:secret@127.0.0.1:5432/park")],
        ("DATABASE_URL", "postgres://user:secret@127.0.0.1/park"),
        ("DATABASE_URL", "postgres://user:secret@127.0.0.1:70000/park"),
        ("DATABASE_URL", "postgres://user:%73ecret@127.0.0.1:5432/park"),
        ("JWT_SECRET", "secret-of-31-visible-characters"),
        ("JWT_SECRET", "secret with blanks in 33 characters"),
        ("INTERNAL_KEY", "secret-of-15-ch"),
        ("INTERNAL_KEY", "secret--" * 33),
    ],
)
def test_a_secret_is_refused_without_its_value(name: str, value: str) -> None:
    text = refusal(**{name: value})
    assert text.startswith(f"{name} must be ")
    assert "secret" not in text


def test_a_wrong_file_of_tls_is_named() -> None:
    for file in ("", "/nowhere/nothing.pem", "/etc/passwd"):
        text = refusal(UPSTREAM_PROTOCOL="h2", TLS_CERT=file, TLS_KEY=file)
        assert text.startswith("TLS_CERT must be ")
