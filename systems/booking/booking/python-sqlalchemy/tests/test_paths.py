import pytest

from booking.paths import methods_of


def test_a_path_has_its_methods() -> None:
    assert methods_of(b"/accounts") == ("POST",)
    assert methods_of(b"/accounts/me") == ("GET",)
    assert methods_of(b"/clubs/1") == ("GET", "PUT")
    assert methods_of(b"/facilities/9999999999999999") == ("GET", "PUT", "DELETE")
    assert methods_of(b"/reservations/10/accept") == ("POST",)


@pytest.mark.parametrize(
    "path",
    [
        b"/",
        b"/Clubs",
        b"/clubs/",
        b"/clubs/0",
        b"/clubs/01",
        b"/clubs/x",
        b"/clubs/1/",
        b"/clubs/12345678901234567",
        b"/clubs/%31",
        b"/clubs/1\n",
        b"/clubs/1/slots",
        b"/clubs/1/facilities/2",
        b"/accounts/1",
        b"/reservations/1/Accept",
        b"/healthz/",
    ],
)
def test_other_paths_have_none(path: bytes) -> None:
    assert methods_of(path) == ()
