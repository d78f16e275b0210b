"""The page of what gateways cost beside their yardsticks: from a study's results to the multiples."""

from pathlib import Path

import pytest
from lab import SIMULATE, Lab, study_of

from loadstone.generate import committed_files, kept_figures, yardsticks_page
from markdown_table import cells

STUDY = study_of("yardstick-go", "go", "nginx", blocks=3)


def rows(page: str) -> dict[str, dict[str, str]]:
    """Of the page's table, by server and column."""
    lines = page.splitlines()
    begin = next(index for index, line in enumerate(lines) if line.startswith("| language |"))
    header = cells(lines[begin])
    found = [dict(zip(header, cells(line), strict=True)) for line in lines[begin + 2 :] if line]
    return {row["server"]: row for row in found}


@pytest.fixture
def elsewhere(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A checkout to write into; the stacks are still those of the real one."""
    root = tmp_path / "elsewhere"
    (root / yardsticks_page.PAGE.page).parent.mkdir(parents=True)
    for module in (committed_files, kept_figures):
        monkeypatch.setattr(module, "CHECKOUT", root)
    return root


def test_the_committed_page_is_what_the_kept_figures_say() -> None:
    assert yardsticks_page.main(["--check"]) == 0


def test_a_gateway_is_told_as_a_multiple_of_its_languages_yardstick(
    lab: Lab, elsewhere: Path
) -> None:
    lab.behave("yardstick-go: {cpu_per_ok: 0.1ms}\ngo: {cpu_per_ok: 0.3ms}\nnginx: {}\n")
    lab.study(STUDY)
    assert lab.run("run", "trial", "--profile", "short", *SIMULATE).code == 0
    assert yardsticks_page.main(["--from", str(lab.results())]) == 0
    page = rows((elsewhere / yardsticks_page.PAGE.page).read_text("utf-8"))
    assert list(page) == ["yardstick-go", "go", "nginx"]
    assert page["yardstick-go"]["multiple"] == "1, the yardstick"
    assert page["nginx"]["multiple"] == "–"
    multiple = page["go"]["multiple"]
    assert 2.9 < float(multiple.split()[0]) < 3.1, multiple
    assert "[" in multiple, "with its interval"
