"""Which charts a report has: for each workload what its kind of workload measures."""

from loadstone.analysis.model import Analysis
from loadstone.report.box_chart import MOST_OPERATIONS, box_picture, operations
from loadstone.report.course_chart import COURSES, course_picture
from loadstone.report.percentile_chart import percentile_picture
from loadstone.report.picture import Picture
from loadstone.report.ratio_chart import ratio_picture
from loadstone.report.runs_chart import runs_picture, starts_picture
from loadstone.report.verdicts import VerdictLine


def workload_pictures(
    analysis: Analysis, workload: str, lines: tuple[VerdictLine, ...]
) -> tuple[Picture, ...]:
    """The charts of one workload; those that would show nothing are left out."""
    boxed = operations(analysis, workload)[:MOST_OPERATIONS]
    pictures = (
        percentile_picture(analysis, workload),
        *(course_picture(analysis, workload, course) for course in COURSES),
        *(box_picture(analysis, workload, operation) for operation in boxed),
        runs_picture(analysis, workload),
        starts_picture(analysis, workload),
        ratio_picture(analysis, workload, lines),
    )
    return tuple(picture for picture in pictures if picture is not None)
