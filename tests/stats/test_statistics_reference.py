"""`docs/reference/statistics.md` has a row for each statistic, and no other."""

import re
from pathlib import Path

import loadstone.stats
from markdown_table import cells

ROOT = Path(__file__).parents[2]


def test_every_module_of_statistics_is_in_the_reference_with_what_it_is_held_against() -> None:
    page = (ROOT / "docs/reference/statistics.md").read_text()
    named: set[str] = set()
    for row in re.findall(r"^\| .*\|$", page, flags=re.MULTILINE)[1:]:
        _, modules, source, against = cells(row)
        named |= set(re.findall(r"`(\w+)`", modules))
        assert source
        assert against
    modules = {path.stem for path in Path(loadstone.stats.__path__[0]).rglob("[!_]*.py")}
    assert named == modules
