import pytest

from conference.paths import methods_of


def test_a_path_has_its_methods() -> None:
    assert methods_of(b"/conferences") == ("GET", "POST")
    assert methods_of(b"/conferences/a.b~c") == ("GET", "PUT", "DELETE")
    assert methods_of(b"/healthz") == ("GET",)


@pytest.mark.parametrize(
    "path",
    [
        b"/",
        b"/Conferences",
        b"/conferences/",
        b"/conferences/a/",
        b"/conferences/-a",
        b"/conferences/%41",
        b"/conferences/a\n",
        b"/conferences/" + b"a" * 65,
        b"/healthz/",
    ],
)
def test_other_paths_have_none(path: bytes) -> None:
    assert methods_of(path) == ()
