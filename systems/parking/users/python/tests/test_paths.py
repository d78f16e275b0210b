import pytest

from users.paths import methods_of


@pytest.mark.parametrize(
    ("path", "methods"),
    [
        *[(b"/users", ("GET", "POST")), (b"/users/login", ("POST",)), (b"/users/4", ("GET",))],
        *[(b"/users/top-coins", ("GET",)), (b"/users/coins", ("POST",)), (b"/health", ("GET",))],
        (b"/users/9999999999999999/coins", ("GET",)),
        (b"/users/4/vehicles/LA-00012", ("PUT",)),
        (b"/users/4/payment-method", ("GET", "PUT")),
        (b"/internal/coins/debits", ("POST",)),
    ],
)
def test_a_path_has_its_methods(path: bytes, methods: tuple[str, ...]) -> None:
    assert methods_of(path) == methods


@pytest.mark.parametrize(
    "path",
    [
        *[b"/", b"/Users", b"/users/", b"//users", b"/users/0", b"/users/01", b"/users/x"],
        *[b"/users/10000000000000000", b"/users/4/", b"/users/4/status/LA-00012", b"/users/%34"],
        *[b"/users/4/vehicles/", b"/users/4/vehicles/LA-0001", b"/users/4/vehicles/la-00012"],
        *[b"/users/4/login", b"/users/4/vehicles/LA-00012/", b"/internal/coins", b"/users\n"],
    ],
)
def test_another_path_is_unknown(path: bytes) -> None:
    assert methods_of(path) == ()
