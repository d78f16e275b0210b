"""Which charts a workload has: what its kind measures. Those of comparisons belong to questions."""

from loadstone.analysis.model import Analysis
from loadstone.report.charts.box_chart import MOST_OPERATIONS, box_picture, operations
from loadstone.report.charts.group_users_chart import group_users_picture
from loadstone.report.charts.percentile_chart import percentile_picture
from loadstone.report.charts.picture import Picture
from loadstone.report.charts.runs_chart import runs_picture, starts_picture
from loadstone.report.charts.time_chart import QUANTITIES, time_picture


def workload_pictures(analysis: Analysis, workload: str) -> tuple[Picture, ...]:
    """The charts of one workload; those that would show nothing are left out."""
    boxed = operations(analysis, workload)[:MOST_OPERATIONS]
    pictures = (
        percentile_picture(analysis, workload),
        *(time_picture(analysis, workload, quantity) for quantity in QUANTITIES),
        group_users_picture(analysis, workload),
        *(box_picture(analysis, workload, operation) for operation in boxed),
        runs_picture(analysis, workload),
        starts_picture(analysis, workload),
    )
    return tuple(picture for picture in pictures if picture is not None)
