"""What each answer asked of the stores of keys behind the services, and what those held."""

from loadstone.analysis.figures.figure_states import not_measured, untold, value
from loadstone.analysis.model import RunFigure
from loadstone.results.window import WindowedRun

_NO_STORE = "the lab started no store for it"


def store_work_figures(run: WindowedRun) -> dict[str, RunFigure]:
    """Of all stores together: what they were asked for each ok request, and what they held."""
    work = [each.store_work for each in run.stores if each.store_work is not None]
    figures = {
        "store_commands_per_ok": value(sum(each.commands for each in work) / run.whole_ok)
        if run.whole_ok
        else not_measured("no request was ok in the load"),
        "store_keys_added": value(sum(each.keys_after - each.keys_before for each in work)),
        "store_memory": value(sum(each.memory_bytes for each in work)),
    }
    none = no_store(run)
    return figures if none is None else dict.fromkeys(figures, none)


def no_store(run: WindowedRun) -> RunFigure | None:
    """Why a run has no figure of a store; none where it has one."""
    if run.record.source is not None:
        return untold(run.record.source, "dependencies")
    return None if run.stores else not_measured(_NO_STORE)
