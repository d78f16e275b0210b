"""When the service of an arm was steady, and how it did until then, in words."""

from collections import Counter
from collections.abc import Sequence

from loadstone.analysis.model import ArmFigure, Cell, RunFigure
from loadstone.results.record import SteadyBy
from loadstone.text import units
from loadstone.text.words import capitalized, counted

_NEVER_COMPILES = "nothing to compile"
_WHY: dict[SteadyBy, str] = {
    "idle": "compilers idle",
    "level": "cost level",
    "no-sign": "no sign of a warm-up",
    "cap": "longest warm-up",
}
_WHOLE_PERCENT = 0.1
"""From here on a share needs no decimals to be told apart from another."""


def is_watched(cells: Sequence[Cell]) -> bool:
    """Whether the warm-up of a run was watched."""
    return any(run.steady_by is not None for cell in cells for run in cell.series)


def is_closed(cells: Sequence[Cell]) -> bool:
    """Whether the load are closed users, whose throughput tells how they are served."""
    return any(run.users for cell in cells for run in cell.series)


def reasons_text(cell: Cell) -> str:
    """`compilers idle`, or of runs that differ `5 compilers idle, 1 longest warm-up`."""
    idle = _WHY["idle"] if has_compilers(cell.by_metric.get("compile_cpu")) else _NEVER_COMPILES
    words = {**_WHY, "idle": idle}
    counts = Counter(words[run.steady_by] for run in cell.series if run.steady_by)
    if len(counts) == 1:
        return next(iter(counts))
    return ", ".join(f"{count} {why}" for why, count in counts.most_common())


def has_compilers(compile_cpu: ArmFigure | RunFigure | None) -> bool:
    """Whether a service that is `idle` has compilers that rest; else its runtime never compiles."""
    return compile_cpu is not None and compile_cpu.state != "not measured"


def steady_text(cell: Cell) -> str:
    """`steady after 58 to 64 s`, with the runs that were not; empty where the figure is withheld."""
    figure = cell.by_metric.get("time_to_steady")
    if figure is None or figure.state not in ("value", "not reached"):
        return ""
    found = [run.value / 1e9 for run in figure.runs if run.value is not None]
    capped = [run for run in cell.series if run.steady_by == "cap"]
    steady = f"steady after {_seconds(found)}" if found else ""
    if not capped:
        return steady
    longest = max(run.window_start_ns for run in capped) / 1e9
    never = f"not seen to be steady within {longest:.0f} s"
    if not found:
        return never
    of_runs = f"{len(capped)} of {counted(len(cell.series), 'run')}"
    return f"{steady}, in {of_runs} {never}"


def first_text(cell: Cell, *, closed: bool) -> str:
    """`first 10 s: 15 % of its throughput`; of a rate the medians; empty where one has no value."""
    if closed:
        share = first_share(cell)
        return f"first 10 s: {share} of its throughput" if share else ""
    medians = _medians(cell)
    return f"first 10 s: median {medians[0]}, then {medians[1]}" if medians else ""


def steady_sentence(cell: Cell, *, closed: bool) -> str:
    """Both as a sentence: `Steady after 69 s; in its first 10 s it answered ...`."""
    is_capped = any(run.steady_by == "cap" for run in cell.series)
    then = "in its window" if is_capped else "when warm"
    if closed:
        share = first_share(cell)
        first = f"in its first 10 s it answered {share} of what it does {then}" if share else ""
    else:
        medians = _medians(cell)
        first = (
            f"half of its answers took {medians[0]} in its first 10 s, {medians[1]} {then}"
            if medians
            else ""
        )
    told = "; ".join(filter(None, (steady_text(cell), first)))
    return f"{capitalized(told)}." if told else ""


def late_sentence(cell: Cell) -> str:
    """`No late step in the 180 s behind it.`; empty where nobody looked."""
    return f"{capitalized(cell.late_look)}." if cell.late_look else ""


def first_share(cell: Cell) -> str:
    """`15 %`: the first ten seconds' throughput over the window's; empty where one is not known."""
    first, then = (cell.by_metric.get(name) for name in ("first_10s.throughput", "throughput"))
    if first is None or then is None or first.value is None or not then.value:
        return ""
    share = first.value / then.value
    return f"{100 * share:.0f} %" if share >= _WHOLE_PERCENT else f"{100 * share:.2g} %"


def _medians(cell: Cell) -> tuple[str, str] | None:
    names = ("first_10s.response_time.median", "response_time.median")
    found = [cell.by_metric[name].value for name in names if name in cell.by_metric]
    first, then = found if len(found) == len(names) else (None, None)
    return None if first is None or then is None else (units.duration(first), units.duration(then))


def _seconds(values: Sequence[float]) -> str:
    low, high = f"{min(values):.0f}", f"{max(values):.0f}"
    return f"{low} s" if low == high else f"{low} to {high} s"
