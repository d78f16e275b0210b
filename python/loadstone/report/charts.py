"""Which charts a report has: for each workload its percentiles, course, runs and ratios."""

from loadstone.analysis.model import Analysis
from loadstone.report.percentile_chart import percentile_picture
from loadstone.report.picture import Picture
from loadstone.report.ratio_chart import ratio_picture
from loadstone.report.runs_chart import runs_picture
from loadstone.report.time_chart import time_picture
from loadstone.report.verdicts import VerdictLine


def workload_pictures(
    analysis: Analysis, workload: str, lines: tuple[VerdictLine, ...]
) -> tuple[Picture, ...]:
    """The charts of one workload; those that would show nothing are left out."""
    pictures = (
        percentile_picture(analysis, workload),
        time_picture(analysis, workload),
        runs_picture(analysis, workload),
        ratio_picture(analysis, workload, lines),
    )
    return tuple(picture for picture in pictures if picture is not None)
