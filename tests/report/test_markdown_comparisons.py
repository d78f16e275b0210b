"""Comparisons as a comment on a change: the gate's word first, a table that any Markdown shows."""

from pathlib import Path

from loadstone.analysis.compare.one_folder import compare_results
from loadstone.errors import ExitCode
from loadstone.report.page.markdown_comparisons import COLUMNS, render_comparisons
from markdown_table import cells
from results_builder import Behaviour, build_results

SLOWER = Behaviour(median_ms=26)
METRICS = ("response_time.median", "cpu_per_ok")


def comment(directory: Path, branch: Behaviour, code: ExitCode, meaning: str) -> str:
    arms = {"base": Behaviour(), "branch": branch}
    results = build_results(directory, arms=arms, metrics=METRICS)
    return render_comparisons(compare_results(results, baseline="base"), code, meaning)


def rows(text: str) -> list[list[str]]:
    return [cells(line) for line in text.splitlines() if line.startswith("| ")]


def test_each_comparison_is_a_row_and_what_fails_the_gate_stands_out(tmp_path: Path) -> None:
    text = comment(tmp_path, SLOWER, ExitCode.DOES_NOT_HOLD, "worse than the baseline: branch")
    assert text.startswith("### Loadstone: does not hold\n\nWorse than the baseline: branch.\n")
    heading, line, median, cpu = rows(text)
    assert tuple(heading) == COLUMNS
    assert set(line) == {"---"}
    assert median[:2] == ["SLOWER", "response time median"]
    assert cpu[1] == "CPU per ok"
    assert median[3] == "branch against base"
    assert median[4].startswith("1.3")
    assert all(len(row) == len(COLUMNS) for row in (median, cpu))


def test_what_holds_says_so(tmp_path: Path) -> None:
    text = comment(tmp_path, Behaviour(), ExitCode.OK, "no arm is told to be worse")
    assert text.startswith("### Loadstone: holds\n\nNo arm is told to be worse.\n")
    assert "SLOWER" not in text


def test_doubts_are_folded_and_counted(tmp_path: Path) -> None:
    text = comment(tmp_path, Behaviour(), ExitCode.OK, "fine")
    assert "<summary>" in text
    assert "doubt" in text
    assert text.count("<details>") == text.count("</details>")


def test_names_of_strangers_are_nothing_but_text(tmp_path: Path) -> None:
    text = comment(tmp_path, Behaviour(), ExitCode.OK, "<b>@everyone</b> | [x](http://y)\n# no")
    opening = text.splitlines()[2]
    assert "<b>" not in opening
    assert "@" not in opening.replace("&#64;", "")
    assert "\\|" in opening
    assert "\\[x\\]" in opening
