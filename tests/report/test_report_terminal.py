from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from made_up_figures import without_value
from study_builder import StudyBuilder, comparison, finding

from loadstone.analysis.answer_model import Answer, Standing
from loadstone.analysis.compare.compare_output import Compared, Design
from loadstone.analysis.model import Adaptive, Analysis, Comparison
from loadstone.analysis.multi_arm_model import RankedArm, Ranking, UnrankedArm
from loadstone.report.terminal.answers import ROWS_AT_MOST
from loadstone.report.terminal.study_result import (
    print_comparisons,
    print_result,
)
from standing_builder import cold, standing

RESULT_80 = """\
is node slower than go?
  No winner can be named: only go has a response time p99 that stands, 4.83 ms
  [4.73 to 4.93].
  Node has no place: 2.1 % of the requests failed.
  2 doubts, the gravest generator-saturated (warning): Give it another CPU.
  1  go    4.83 ms [4.73 to 4.93]  the only one
  –  node  no place: 2.1 % of the requests failed
  Pair by pair: loadstone compare

closed-50 · 6 blocks
Mean over the runs, with the smallest and the largest run; times are response
times.
arm      median        p99  throughput       failures
go      1.12 ms    4.83 ms    12.3 k/s        0.120 %
      1.10–1.14  4.74–4.94   12.1–12.6    0.118–0.123
node    1.59 ms    failed²    8.69 k/s       0.0845 %
      1.56–1.63              8.53–8.88  0.0829–0.0864

arm   CPU per ok   RSS peak   start-up
go       61.3 µs   18.2 MiB         –¹
       60.1–62.6  17.9–18.6
node     87.0 µs  withheld³    33.2 ms
       85.4–89.0             32.6–34.0
  ¹ not measured: a URL has no process
  ² failed: 2.1 % of the requests failed
  ³ withheld: memory-unread

1 failed run
  007-node-closed-50: start-up: no correct response within 10 s

findings
  warning   generator-saturated  go under closed-50 (2 runs)
            The generator used 91 % of its CPU, more than 85 %.
            The generator used 93 % of its CPU.
            → Give the generator another CPU, or lower the number of users.
  note      too-few-runs  study
            6 blocks detect differences of 4 % or more.
            → Add blocks if smaller differences matter.

Report: /results/a-study/report.html
"""

RESULT_160 = """\
is node slower than go?
  No winner can be named: only go has a response time p99 that stands, 4.83 ms [4.73 to 4.93].
  Node has no place: 2.1 % of the requests failed.
  2 doubts, the gravest generator-saturated (warning): Give it another CPU.
  1  go    4.83 ms [4.73 to 4.93]  the only one
  –  node  no place: 2.1 % of the requests failed
  Pair by pair: loadstone compare

closed-50 · 6 blocks
Mean over the runs, with the smallest and the largest run; times are response times.
arm              median                p99          throughput                failures         \
CPU per ok            RSS peak           start-up
go    1.12 ms 1.10–1.14  4.83 ms 4.74–4.94  12.3 k/s 12.1–12.6     0.120 % 0.118–0.123  \
61.3 µs 60.1–62.6  18.2 MiB 17.9–18.6                 –¹
node  1.59 ms 1.56–1.63            failed²  8.69 k/s 8.53–8.88  0.0845 % 0.0829–0.0864  \
87.0 µs 85.4–89.0           withheld³  33.2 ms 32.6–34.0
"""


def doubtful_study() -> StudyBuilder:
    failed = ("007-node-closed-50: start-up: no correct response within 10 s",)
    return (
        StudyBuilder(failed_runs=failed)
        .with_figure(
            "node", without_value("response_time.p99", "failed", "2.1 % of the requests failed")
        )
        .with_figure("node", without_value("rss_peak", "withheld", "memory-unread"))
        .with_figure("go", without_value("startup", "not measured", "a URL has no process"))
    )


Show = Callable[..., str]


def result_of(builder: StudyBuilder, report: Path | None = None) -> tuple[Any, ...]:
    return print_result, builder.analysis(), builder.findings, report


def test_a_result_at_80_columns(shown: Show) -> None:
    report = Path("/results/a-study/report.html")
    assert shown(80, *result_of(doubtful_study(), report)) == RESULT_80


def test_a_result_at_160_columns_has_one_line_for_each_arm(shown: Show) -> None:
    assert shown(160, *result_of(doubtful_study())).startswith(RESULT_160)


@pytest.mark.parametrize("width", [40, 60, 80, 100, 160, 200])
def test_no_line_is_wider_than_the_terminal_and_nothing_is_cut(shown: Show, width: int) -> None:
    text = shown(width, *result_of(doubtful_study()))
    assert max(map(len, text.splitlines())) <= width
    assert "…" not in text
    assert "8.69 k/s" in text


ANSWER_80 = """\
is node slower than go?
  Go is faster by response time p99: node takes 1.42 times as long.
  Response time p99 is 4.83 ms [4.73 to 4.93] for go and 6.86 ms [6.72 to 7.00]
  for node.
  2 doubts, the gravest generator-saturated (warning): Give it another CPU.
  1  go    4.83 ms [4.73 to 4.93]  best
  2  node  6.86 ms [6.72 to 7.00]  1.42 × behind
  Pair by pair: loadstone compare
"""


def test_the_answer_stands_first(shown: Show) -> None:
    assert shown(80, *result_of(StudyBuilder())).startswith(ANSWER_80)


def test_a_winner_is_told_with_and_without_colour(shown: Show) -> None:
    plain, coloured = (
        shown(80, *result_of(StudyBuilder()), colour=colour) for colour in (False, True)
    )
    assert "Go is faster" in plain
    assert "\x1b" not in plain
    assert "\x1b[1;32mGo is faster" in coloured


def compared(*comparisons: Comparison) -> Compared:
    return Compared(
        designs=(Design(results="a", adaptive=None, order="random"),),
        comparisons=comparisons,
        rankings=(),
        findings=(finding(),),
        withheld=(),
    )


def test_a_verdict_is_spelled_with_and_without_colour(shown: Show) -> None:
    plain, coloured = (
        shown(80, print_comparisons, compared(comparison()), colour=colour)
        for colour in (False, True)
    )
    assert "SLOWER" in plain
    assert "\x1b" not in plain
    assert "\x1b[1;31m" in coloured
    assert "SLOWER" in coloured


def test_cannot_tell_gives_its_reason(shown: Show) -> None:
    unsure = comparison(
        verdict="cannot tell", words="cannot tell", reason="2 runs, fewer than 3", method="none"
    )
    text = shown(80, print_comparisons, compared(unsure))
    assert "CANNOT TELL  node against go" in text
    assert "2 runs, fewer than 3" in text


def test_a_withheld_figure_shows_its_reason_and_no_number(shown: Show) -> None:
    builder = StudyBuilder(findings=()).with_figure(
        "node", without_value("response_time.p99", "withheld", "generator-limit")
    )
    text = shown(80, *result_of(builder))
    assert "No winner can be named" in text
    assert "Node has no place: generator-limit." in text
    assert "1.42" not in text
    assert "slower" not in text.replace("is node slower", "")


def test_a_simulated_study_has_no_verdict(shown: Show) -> None:
    text = shown(80, *result_of(StudyBuilder(simulated=True)))
    assert text.startswith("Simulated:")
    assert "faster" not in text


def test_text_of_a_server_cannot_command_the_terminal(shown: Show) -> None:
    hostile = finding(evidence="\x1b[2J\x1b]0;owned\x07 [bold red]x[/]", advice="\x9b31m")
    text = shown(80, *result_of(StudyBuilder(findings=(hostile,))))
    assert "\x1b" not in text
    assert "\x9b" not in text
    assert "[bold red]x[/]" in text


def test_comparisons_alone_are_lines_by_every_metric(shown: Show) -> None:
    text = shown(100, print_comparisons, compared(*StudyBuilder().comparisons))
    assert "SLOWER " in text
    assert "LOWER " in text
    assert "-0.0400 points · 95 % interval [-0.120, +0.0300] points" in text
    assert "generator-saturated" in text


def test_an_adaptive_study_in_a_fixed_order_says_both_between_verdicts_and_tables(
    shown: Show,
) -> None:
    builder = StudyBuilder()
    adaptive = Adaptive(looks=(6, 12, 24), stopped_after=6, level=1 - 0.05 / 3)
    analysis = builder.analysis().model_copy(update={"adaptive": adaptive, "order": "as-listed"})
    text = " ".join(shown(80, print_result, analysis, (), None).split())
    notes = (
        "Adaptive: stopped after 6 of at most 24 blocks, intervals at level 98.33 % before Holm. "
        "Order as listed, not random: in every block the arms came in the order of the study's file. "
        "closed-50"
    )
    assert text.index("Go is faster") < text.index(notes)


def test_of_many_arms_the_first_are_shown_and_of_many_cases_a_line_each(shown: Show) -> None:
    analysis = StudyBuilder().analysis()
    (answer,) = analysis.answers
    figures = {f"a{n:02}": 1e6 * (n + 1) for n in range(ROWS_AT_MOST + 8)}
    many = standing(figures, "response_time.p99", missing=[cold("bad")])
    text = shown(80, print_result, with_standings(analysis, answer, (many,)), (), None)
    assert "\n  1   a00  1.00 ms [0.980 to 1.02]  best\n" in text
    assert "and 9 more, in the report" in text
    cases = tuple(
        many.model_copy(update={"workload": f"closed-{n}"}) for n in range(ROWS_AT_MOST + 3)
    )
    text = shown(80, print_result, with_standings(analysis, answer, cases), (), None)
    assert (
        "\n  closed-0: a00 best · a01 2.00 × behind · a19 20.0 × behind · no place: bad\n" in text
    )
    assert "and 3 more, in the report" in text


def with_standings(analysis: Analysis, answer: Answer, found: tuple[Standing, ...]) -> Analysis:
    return analysis.model_copy(
        update={"answers": (answer.model_copy(update={"standings": found}),)}
    )


def test_comparisons_are_printed_one_by_one_with_ranks(shown: Show) -> None:
    many = tuple(comparison(other=f"a{n:02}", baseline="go") for n in range(13))
    ranked = Ranking(
        question=many[0].question,
        workload="closed-50",
        metric="response_time.p99",
        level=0.95,
        arms=tuple(
            RankedArm(arm=f"a{n:02}", rank=n + 1, low=max(1, n), high=20, value=1e6 * (n + 1))
            for n in range(20)
        ),
        best=("a00", "a01"),
        pairs=190,
        told=18,
        unranked=(UnrankedArm(arm="bad", reason="withheld: failures"),),
    )
    all_of_them = Compared(
        designs=(), comparisons=many, rankings=(ranked,), findings=(), withheld=()
    )
    text = shown(80, print_comparisons, all_of_them)
    assert text.count("SLOWER") == 13
    assert "\n  1 [1 to 20]    1.00 ms  a00\n" in text
    assert "not ranked: bad: withheld: failures" in text
