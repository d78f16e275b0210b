"""LaTeX tables: nothing that a stranger wrote is a command, and the same values give the same bytes."""

import re
import shutil
import string
import subprocess
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from made_up_figures import without_value
from study_builder import StudyBuilder, comparison

from loadstone.report.latex.tabular import MOST_ROWS, LatexRow, escaped, tabular
from loadstone.report.tables.csv_tables import render_tables

HOSTILE = (
    "\\input{/etc/passwd}\\write18{id}\n\\end{tabular}[1ex]*--''``!`?`"
    + string.punctuation
    + "".join(map(chr, range(0xA0, 0x180)))
    + "中\N{RIGHT-TO-LEFT OVERRIDE}"
)
OURS = re.compile(
    r"\\(textbackslash|textasciicircum|textasciitilde|textless|textgreater|textbar|textmu|ldots)\{\}"
    r"|\\[{}$&#%_]|\{\\char(34|96)\}|\{\\ttfamily U\+[0-9A-F]+\}|\$\\(times|cdot|geq|leq|diamond)\$"
    r"|``|\$-\$|\{[-',*[]\}"
)
"""Every command and group that escaping makes."""
PDFLATEX = shutil.which("pdflatex")


def tex_of(builder: StudyBuilder) -> dict[str, str]:
    tables = render_tables(builder.analysis(), builder.findings)
    return {name: text for name, text in tables.items() if name.endswith(".tex")}


def hostile() -> StudyBuilder:
    return StudyBuilder(
        arms={HOSTILE: 1.0, "[node": 1.42},
        operations=(HOSTILE, "*book"),
        comparisons=(comparison(baseline=HOSTILE, other="[node"),),
    ).with_figure("[node", without_value("rss_peak", "withheld", HOSTILE))


@given(st.text())
def test_no_character_keeps_a_meaning_for_tex(text: str) -> None:
    left = OURS.sub("", escaped(text))
    assert not set(left) & set('\\{}$&#%_^"`[]*|<>') - {"]"}
    assert "-" * 2 not in left.replace("--", "", text.count("–"))


@given(st.text(alphabet=string.ascii_letters + string.digits + " .,:;()/=+@"))
def test_ordinary_text_stays_as_it_is(text: str) -> None:
    assert escaped(text).replace("{,}", ",") == text


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("50_%", "50\\_\\%"),
        ("a--b", "a-{-}b"),
        ("1.10–1.14 µs", "1.10--1.14 \\textmu{}s"),
        ("[1.3, 1.5]", "{[}1.3, 1.5]"),
        ("café", "café"),
        ("中", "{\\ttfamily U+4E2D}"),
        ("Łą", "{\\ttfamily U+0141}{\\ttfamily U+0105}"),
    ],
)
def test_cases_by_hand(text: str, expected: str) -> None:
    assert escaped(text) == expected


def test_every_line_of_a_table_has_the_cells_of_its_heading() -> None:
    for text in tex_of(hostile()).values():
        for table in re.findall(r"\\begin\{tabular\}.*?\\end\{tabular\}", text, re.DOTALL):
            lines = [line for line in table.splitlines() if line.endswith(r"\\")]
            counts = {
                len(re.findall(r"(?<!\\)&", line)) for line in lines if "\\multicolumn" not in line
            }
            assert len(counts) == 1


def test_a_long_table_goes_over_pages() -> None:
    rows = [LatexRow((str(number), "1")) for number in range(MOST_ROWS + 1)]
    assert "longtable" not in tabular(["arm", "value"], rows[1:])
    text = tabular(["arm", "value"], rows)
    assert "\\begin{longtable}" in text
    assert "\\endhead" in text
    assert "\\usepackage{longtable}" in text


def test_the_same_values_give_the_same_bytes() -> None:
    assert tex_of(hostile()) == tex_of(hostile())


def test_a_simulated_study_has_no_comparisons_in_latex() -> None:
    assert "comparisons.tex" not in tex_of(StudyBuilder(simulated=True))
    assert "comparisons.tex" in tex_of(StudyBuilder())


def test_workloads_whose_names_are_alike_have_files_of_their_own() -> None:
    names = tex_of(StudyBuilder(workloads=("../a b", "..-a-b", "c")))
    assert all(re.fullmatch(r"[a-z0-9-]+\.tex", name) for name in names)
    assert len([name for name in names if name.startswith("figures-")]) == 3


@pytest.mark.skipif(PDFLATEX is None, reason="pdflatex is not installed: texlive-latex-recommended")
@pytest.mark.parametrize("builder", [StudyBuilder(), hostile()], ids=["ordinary", "hostile"])
def test_a_paper_with_the_tables_compiles(tmp_path: Path, builder: StudyBuilder) -> None:
    tables = tex_of(builder)
    for name, text in tables.items():
        (tmp_path / name).write_text(text, encoding="utf-8")
    inputs = "\n\\clearpage\n".join(f"\\input{{{name}}}" for name in sorted(tables))
    (tmp_path / "paper.tex").write_text(
        "\\documentclass{article}\n\\usepackage{booktabs,longtable}\n"
        f"\\begin{{document}}\n{inputs}\n\\end{{document}}\n"
    )
    assert PDFLATEX is not None
    done = subprocess.run(
        [PDFLATEX, "-interaction=nonstopmode", "-halt-on-error", "-no-shell-escape", "paper.tex"],
        cwd=tmp_path,
        capture_output=True,
        timeout=120,
    )
    assert done.returncode == 0, done.stdout.decode(errors="replace")[-2000:]
    assert (tmp_path / "paper.pdf").is_file()
