"""The committed examples are reports of committed studies, and hold what is said of every report."""

import re
from pathlib import Path

import pytest

CHECKOUT = Path(__file__).parents[2]
EXAMPLES = CHECKOUT / "docs" / "examples"
REPORTS = sorted(EXAMPLES.glob("mediation-*.md"))
OF_A_MACHINE = re.compile(r"(?<![\w.])/(?:home|root|tmp|work)/")


@pytest.mark.parametrize("report", REPORTS, ids=lambda path: path.stem)
def test_an_example_is_of_the_study_that_it_is_named_after(report: Path) -> None:
    assert report.read_text().startswith(f"# {report.stem}\n")
    assert (CHECKOUT / "studies" / f"{report.stem}.yaml").is_file()


@pytest.mark.parametrize("path", sorted(EXAMPLES.iterdir()), ids=lambda path: path.name)
def test_an_example_has_nothing_of_the_machine_s_folders(path: Path) -> None:
    assert not OF_A_MACHINE.findall(path.read_text())
