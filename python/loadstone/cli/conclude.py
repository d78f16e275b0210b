"""What `run`, `quickstart` and `report` end with: the analysis of a results folder, shown and
written.
"""

import sys
from pathlib import Path

from loadstone.analysis.analyse import write
from loadstone.analysis.figures.run_figures import USUAL_APDEX
from loadstone.analysis.model import Analysis, ApdexThresholds
from loadstone.cli.app import messages, output, say_line
from loadstone.cli.reading import reading, reading_study
from loadstone.errors import ExitCode
from loadstone.report.charts.images import images
from loadstone.report.terminal.study_result import print_result
from loadstone.report.write import write_images, write_report
from loadstone.results import folder
from loadstone.results.read import read_environment, read_plan, read_published


def conclude(
    results: Path,
    apdex: ApdexThresholds = USUAL_APDEX,
    *,
    as_json: bool = False,
    with_images: bool = False,
) -> int:
    """Analyse a results folder, write the analysis and the report, print the result, in words or as
    the bytes of `analysis.json`; return the exit code.
    """
    with reading_study(messages()) as progress:
        analysis, findings = write(results, apdex, progress.on_read)
        plan = read_plan(results / folder.PLAN)
        environment = read_environment(results / folder.ENVIRONMENT)
        published = read_published(results / folder.PUBLISHED)
        with progress.step("making the report"):
            report = write_report(results, analysis, findings, plan, environment, published)
    if with_images:
        with reading(messages(), "charts", "drawing") as say:
            write_images(results, images(analysis, findings, plan, environment), say)
    if as_json:
        sys.stdout.write((results / folder.ANALYSIS).read_text(encoding="utf-8"))
        say_line(f"report: {report}")
    else:
        print_result(output(), analysis, findings, report)
    return exit_code(analysis)


def exit_code(analysis: Analysis) -> int:
    """Return 1 where a run failed, or a figure that a question asks for is withheld; else 0."""
    asked = {
        (arm, comparison.workload, comparison.metric)
        for comparison in analysis.comparisons
        for arm in (comparison.baseline, comparison.other)
    }
    withheld = {
        (cell.arm, cell.workload, figure.metric)
        for cell in analysis.cells
        for figure in cell.figures
        if figure.state == "withheld"
    }
    return ExitCode.DOES_NOT_HOLD if asked & withheld or analysis.failed_runs else ExitCode.OK
