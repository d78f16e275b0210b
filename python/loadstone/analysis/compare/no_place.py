"""Why an arm has no place among the others: withheld, not claimed, missing, or too few runs."""

from loadstone.analysis.answer_model import NoPlace
from loadstone.analysis.cells.cell import ExaminedCell
from loadstone.analysis.compare.pair_test import SHARED_BUILD, lacking_of
from loadstone.analysis.sentences.plain_reasons import plain_reason
from loadstone.metrics.model import MetricInfo
from loadstone.stats.comparison.verdict import MINIMUM_RUNS

_STATES = {
    "failed": "requests failed",
    "too few samples": "too few requests",
    "not measured": "not measured",
    "not reached": "not reached",
}


def too_few(cell: ExaminedCell, info: MetricInfo) -> str:
    """Why the runs of an arm that has a figure are not compared; empty where they are."""
    if info.of_build:
        return SHARED_BUILD
    values = cell.by_block(info.name).values()
    if len(values) < MINIMUM_RUNS:
        return f"fewer than {MINIMUM_RUNS} runs"
    if info.scale == "ratio" and 0 in values:
        return "a run's value is 0, so there is no ratio"
    return ""


def no_place(cell: ExaminedCell, info: MetricInfo, label: str) -> NoPlace | None:
    """The arm without a place and why; none where it has one."""
    figure = cell.figure(info.name)
    if not lacking_of(cell, info.name):
        reason = too_few(cell, info)
        if not reason:
            return None
        return NoPlace(
            arm=cell.cell.arm,
            label=label,
            reason=reason,
            value=figure.value,
            not_held=cell.cell.not_held,
        )
    codes = figure.no_claim or (figure.reason if figure.state == "withheld" else "")
    if codes:
        reason = plain_reason(codes)
    elif figure.pooled:
        reason = "too few requests in one run"
    else:
        why = figure.reason and f" ({figure.reason})"
        reason = f"{_STATES[figure.state]}{why}"
    return NoPlace(
        arm=cell.cell.arm,
        label=label,
        reason=reason,
        codes=codes.partition(" (")[0],
        value=figure.value,
        not_held=cell.cell.not_held,
    )
