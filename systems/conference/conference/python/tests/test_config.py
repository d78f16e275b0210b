import pytest

from conference.config import (
    Config,
    ConfigurationError,
    CountryConfig,
    DatabaseConfig,
    LookupConfig,
    Strategy,
    read_config,
)

RIGHT = {
    "PORT": "9090",
    "DATABASE_URL": "mysql://reader:secret@127.0.0.1:3306/conferencedb",
    "COUNTRY_URL": "http://127.0.0.1:9000",
}


def test_the_environment_is_read_once_with_the_defaults_of_the_specification() -> None:
    assert read_config(RIGHT) == Config(
        port=9090,
        log_level="warn",
        database=DatabaseConfig(
            host="127.0.0.1",
            port=3306,
            user="reader",
            password="secret",
            database="conferencedb",
            pool_size=10,
            timeout_seconds=1.0,
        ),
        country=CountryConfig(
            origin="http://127.0.0.1:9000",
            timeout_seconds=2.0,
            connections=64,
            retries=0,
            retry_interval_seconds=0.1,
            has_breaker=False,
        ),
        lookups=LookupConfig(strategy=Strategy.SEQUENTIAL, width=8, batch_size=100),
    )


def test_what_is_said_counts() -> None:
    config = read_config({**RIGHT, "STRATEGY": "batched", "BREAKER": "on"})
    assert config.lookups.strategy is Strategy.BATCHED
    assert config.country.has_breaker


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("PORT", ""),
        ("PORT", "65536"),
        ("PORT", "-1"),
        ("PORT", " 1"),
        ("PORT", "²"),
        ("COUNTRY_URL", ""),
        ("COUNTRY_URL", "127.0.0.1:9000"),
        ("COUNTRY_URL", "https://127.0.0.1:9000"),
        ("COUNTRY_URL", "http://127.0.0.1:9000/path"),
        ("COUNTRY_URL", "http://127.0.0.1:nine"),
        ("COUNTRY_URL", "http://user@127.0.0.1:9000"),
        ("POOL_SIZE", "0"),
        ("POOL_SIZE", ""),
        ("POOL_SIZE", "1.5"),
        ("DB_TIMEOUT_MS", "60001"),
        ("COUNTRY_TIMEOUT_MS", "0"),
        ("COUNTRY_CONNECTIONS", "1001"),
        ("STRATEGY", "Batched"),
        ("WIDTH", "0"),
        ("BATCH_SIZE", "1001"),
        ("RETRIES", "11"),
        ("RETRY_INTERVAL_MS", "1e3"),
        ("BREAKER", "yes"),
        ("CLIENT_PROTOCOL", "h2"),
        ("LOOKUP_PROTOCOL", "h2c"),
        ("LOG_LEVEL", "trace"),
    ],
)
def test_a_wrong_variable_is_named_with_its_value(name: str, value: str) -> None:
    with pytest.raises(ConfigurationError, match=f"^{name} must be ") as caught:
        read_config({**RIGHT, name: value})
    assert str(caught.value).endswith(f', not "{value}"')


@pytest.mark.parametrize("name", RIGHT)
def test_a_variable_without_a_default_has_to_be_there(name: str) -> None:
    environment = {each: value for each, value in RIGHT.items() if each != name}
    with pytest.raises(ConfigurationError, match=f"^{name} must be "):
        read_config(environment)


@pytest.mark.parametrize(
    "value",
    [
        "",
        "mysql://reader:secret@127.0.0.1/conferencedb",
        "mysql://reader:secret@127.0.0.1:0/conferencedb",
        "mysql://reader:secret@127.0.0.1:65536/conferencedb",
        "mysql://reader:secret@127.0.0.1:3306/",
        "mysql://reader:secret%41@127.0.0.1:3306/conferencedb",
        "postgres://reader:secret@127.0.0.1:3306/conferencedb",
    ],
)
def test_a_wrong_database_url_is_named_and_not_shown(value: str) -> None:
    with pytest.raises(ConfigurationError, match=r"^DATABASE_URL must be ") as caught:
        read_config({**RIGHT, "DATABASE_URL": value})
    assert "secret" not in str(caught.value)
