import pytest

from booking.config import Config, ConfigurationError, DatabaseConfig, TokenConfig, read_config

SECRET = "s" * 31 + "!"
RIGHT = {
    "PORT": "9090",
    "DATABASE_URL": "postgres://reader:hidden@127.0.0.1:5432/bookingdb",
    "JWT_SECRET": SECRET,
}


def test_the_environment_is_read_once_with_the_defaults_of_the_specification() -> None:
    assert read_config(RIGHT) == Config(
        port=9090,
        log_level="warn",
        database=DatabaseConfig(
            host="127.0.0.1",
            port=5432,
            user="reader",
            password="hidden",
            database="bookingdb",
            pool_size=10,
            pool_wait_seconds=1.0,
        ),
        tokens=TokenConfig(secret=SECRET, ttl_seconds=3600),
        password_cost=10,
    )


def test_what_is_said_counts() -> None:
    config = read_config({**RIGHT, "POOL_WAIT_MS": "60000", "PASSWORD_COST": "4"})
    assert config.database.pool_wait_seconds == 60.0
    assert config.password_cost == 4


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("PORT", ""),
        ("PORT", "65536"),
        ("PORT", "-1"),
        ("PORT", " 1"),
        ("PORT", "²"),
        ("POOL_SIZE", "0"),
        ("POOL_SIZE", ""),
        ("POOL_SIZE", "1.5"),
        ("POOL_SIZE", "1001"),
        ("POOL_WAIT_MS", "0"),
        ("POOL_WAIT_MS", "60001"),
        ("JWT_TTL", "0"),
        ("JWT_TTL", "86401"),
        ("JWT_TTL", "1e3"),
        ("PASSWORD_COST", "3"),
        ("PASSWORD_COST", "15"),
        ("CLIENT_PROTOCOL", "h2"),
        ("CLIENT_PROTOCOL", ""),
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
        "postgres://reader:hidden@127.0.0.1/bookingdb",
        "postgres://reader:hidden@127.0.0.1:0/bookingdb",
        "postgres://reader:hidden@127.0.0.1:65536/bookingdb",
        "postgres://reader:hidden@127.0.0.1:5432/",
        "postgres://reader:hidden%41@127.0.0.1:5432/bookingdb",
        "mysql://reader:hidden@127.0.0.1:5432/bookingdb",
    ],
)
def test_a_wrong_database_url_is_named_and_not_shown(value: str) -> None:
    with pytest.raises(ConfigurationError, match=r"^DATABASE_URL must be ") as caught:
        read_config({**RIGHT, "DATABASE_URL": value})
    assert "hidden" not in str(caught.value)


@pytest.mark.parametrize("value", ["", "s" * 31, "s" * 257, "s" * 32 + " ", "s" * 32 + "é"])
def test_a_wrong_secret_is_named_and_not_shown(value: str) -> None:
    with pytest.raises(ConfigurationError, match=r"^JWT_SECRET must be ") as caught:
        read_config({**RIGHT, "JWT_SECRET": value})
    assert "sss" not in str(caught.value)
