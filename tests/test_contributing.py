"""The map of the tree in CONTRIBUTING.md names what there is."""

import re
from pathlib import Path

import pytest

CHECKOUT = Path(__file__).parents[1]
PACKAGE = CHECKOUT / "python" / "loadstone"
PAGE = (CHECKOUT / "CONTRIBUTING.md").read_text()
MAP, ANSWERS = (
    PAGE.partition(heading)[2].partition("\n## ")[0]
    for heading in ("## Map of the tree", "## Where is ...?")
)
PATH = re.compile(r"`([\w./-]+/[\w./-]*|[\w]+\.py)`")


def place_of(path: str) -> Path:
    return next((each for each in (PACKAGE / path, CHECKOUT / path) if each.exists()), Path(path))


@pytest.mark.parametrize("path", sorted(set(PATH.findall(MAP + ANSWERS))))
def test_a_path_on_the_map_is_there(path: str) -> None:
    assert place_of(path).exists()


def test_every_package_is_on_the_map() -> None:
    packages = {path.parent.name for path in PACKAGE.glob("*/__init__.py")}
    assert packages <= set(re.findall(r"`python/loadstone/(\w+)`", MAP))


def test_the_map_has_the_order_of_the_layers() -> None:
    layers = re.search(r"layers = \[(.*?)\]", (CHECKOUT / "pyproject.toml").read_text(), re.DOTALL)
    assert layers is not None
    order = re.findall(r"\w+", re.sub(r"#.*", "", layers[1]))[::-1]
    on_map = re.findall(r"^\| `python/loadstone/(\w+)`", MAP, re.MULTILINE)
    beside = {"cli": "generate"}  # neither is below the other
    assert [beside.get(name, name) for name in on_map] == [
        beside.get(name, name) for name in order if name in on_map
    ]


def test_at_least_twelve_questions_are_answered() -> None:
    assert len(re.findall(r"^\| (?!question|---)", ANSWERS, re.MULTILINE)) >= 12
