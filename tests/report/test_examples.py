"""The committed examples are reports of committed studies, and hold what is said of every report."""

import re
from pathlib import Path

import pytest

from markdown_table import cells

CHECKOUT = Path(__file__).parents[2]
EXAMPLES = CHECKOUT / "docs" / "examples"
REPORTS = sorted(path for path in EXAMPLES.glob("*.md") if path.stem != "README")
PAGES = sorted(EXAMPLES.glob("*.html"))
HTML_BYTES = 5_000_000
"""At most, of a page."""
OF_A_MACHINE = re.compile(r"(?<![\w.])/(?:home|root|tmp|work)/")
PUBLISHED = sorted(EXAMPLES.glob("mediation-release-*.md"))
"""Of the loads that were published: the profiles whose reports are kept."""
LOADS = [*PUBLISHED, *EXAMPLES.glob("*-saturation-*.md")]
NOTHING = "–"


def published_rows(report: Path) -> list[dict[str, str]]:
    """The rows of the published table, by column; marks of footnotes stay in their cells."""
    part = report.read_text().split("## Published rows\n")[1].split("\n## ")[0]
    heading, _, *rows = (line for line in part.splitlines() if line.startswith("|"))
    columns = cells(heading)
    return [dict(zip(columns, cells(row), strict=True)) for row in rows]


def is_published(row: dict[str, str]) -> bool:
    return row["stack"].endswith(" (published)")


@pytest.mark.parametrize("report", REPORTS, ids=lambda path: path.stem)
def test_an_example_is_of_the_study_that_it_is_named_after(report: Path) -> None:
    study, _, profile = report.stem.rpartition("-")
    text = report.read_text()
    assert text.startswith(f"# {study}\n")
    assert f", profile {profile}, " in text
    assert f"\n  {profile}:" in (CHECKOUT / "studies" / f"{study}.yaml").read_text()


@pytest.mark.parametrize("path", sorted(EXAMPLES.iterdir()), ids=lambda path: path.name)
def test_an_example_has_nothing_of_the_machine_s_folders(path: Path) -> None:
    assert not OF_A_MACHINE.findall(path.read_text())


@pytest.mark.parametrize("page", PAGES, ids=lambda path: path.stem)
def test_a_page_is_small_enough_to_be_kept(page: Path) -> None:
    assert page.stat().st_size <= HTML_BYTES
    assert page.with_suffix(".md") in REPORTS


def test_each_system_has_one_page_at_most() -> None:
    systems = [page.stem.partition("-")[0] for page in PAGES]
    assert len(set(systems)) == len(systems)


@pytest.mark.parametrize("report", PUBLISHED, ids=lambda path: path.stem)
def test_no_row_with_failures_has_a_place(report: Path) -> None:
    rows = [row for row in published_rows(report) if not is_published(row)]
    assert rows
    for row in rows:
        if row["failures"] != "0 %":
            assert row["place by throughput"].startswith(NOTHING), row


@pytest.mark.parametrize("report", LOADS, ids=lambda path: path.stem)
def test_an_example_ranks_nothing_that_was_not_warm(report: Path) -> None:
    told = report.read_text()
    assert "could not be judged" not in told
    for line in told.splitlines():
        if line.startswith("| ") and "no place: still warming up" in line:
            assert line.startswith(f"| {NOTHING} |"), line
    steady = told.split("## From start to steady\n")[1].split("\n## ")[0]
    assert steady.count("Steady after") >= 8  # of the report with the fewest arms


@pytest.mark.parametrize("report", PUBLISHED, ids=lambda path: path.stem)
def test_published_rows_stand_beside_the_measured_ones(report: Path) -> None:
    rows = published_rows(report)
    assert {row["scenario"] for row in rows if is_published(row)} == {
        row["scenario"] for row in rows if not is_published(row)
    }
