"""What each answer costs, on both sides: the service's CPU time, and the database's and its work, or
those of a store of keys.

Behind these the cost of one side alone says little: work moves from one to the other. How full the
CPUs of both were tells whose limit a throughput is.
"""

from loadstone.analysis.model import Analysis
from loadstone.metrics.labels import metric_label
from loadstone.report.tables.costs import CostTable
from loadstone.report.tables.result_table import Notes, figure_of, figure_text

ANSWER_COSTS_READING = (
    "CPU time is of the windows, statements, rows read and commands are of whole loads; all are for "
    "each request that ended ok. Rows and keys added are how much more there was behind the load. "
    "The last two columns are how full the CPUs of both sides were: where "
    "those of the service were not full and the bench's were, the throughput is not the service's."
)
_METRICS = (
    "throughput",
    "cpu_per_ok",
    "cpu_per_purpose",
    "bench_service_cpu_per_ok",
    "database_cpu_per_ok",
    "database_statements_per_ok",
    "database_rows_per_ok",
    "database_other_commands_per_ok",
    "database_rows_added",
    "store_cpu_per_ok",
    "store_commands_per_ok",
    "store_keys_added",
    "store_memory",
    "service_cpu_share",
    "bench_cpu_share",
)
_OF_WHAT_COUNTS = ("database_statements_per_ok", "store_commands_per_ok")


def answer_cost_table(analysis: Analysis) -> CostTable | None:
    """Every arm under every load behind a database or a store; none where there is neither."""
    notes = Notes()
    cells = [
        cell
        for workload in analysis.workloads
        for cell in analysis.cells
        if cell.workload == workload
        and cell.kind == "load"
        and _counts_something(analysis, workload)
    ]
    if not cells:
        return None
    metrics = [
        name
        for name in _METRICS
        if any(
            figure and figure.value is not None for figure in (figure_of(c, name) for c in cells)
        )
    ]
    rows = tuple(
        (
            cell.arm,
            cell.workload,
            tuple(
                figure_text(figure_of(cell, name), name, notes, cell.not_held) for name in metrics
            ),
        )
        for cell in cells
    )
    return CostTable(tuple(map(metric_label, metrics)), rows, notes.texts)


def _counts_something(analysis: Analysis, workload: str) -> bool:
    figures = (
        figure_of(cell, name)
        for cell in analysis.cells
        if cell.workload == workload
        for name in _OF_WHAT_COUNTS
    )
    return any(figure is not None and figure.value is not None for figure in figures)
