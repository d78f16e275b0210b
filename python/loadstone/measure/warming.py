"""A load whose users do not pause, before a load that asks too little to make a service warm."""

from collections.abc import Callable

from loadstone.errors import StepFailed
from loadstone.measure.loading.window import steady_window
from loadstone.measure.offered import offered
from loadstone.measure.run_context import RunContext
from loadstone.measure.system_under_test import SystemUnderTest
from loadstone.metrics.outcomes import Outcome
from loadstone.results import folder
from loadstone.results.record import WarmedFacts
from loadstone.study.values.model import Workload


def warm(
    run: RunContext, workload: Workload, system: SystemUnderTest, on_poll: Callable[[], None]
) -> WarmedFacts:
    """Load the system until it is steady, with files of its own that no figure is made of.

    `on_poll` is called again and again meanwhile. Raises StepFailed('load').
    """
    directory = run.directory / folder.WARMING
    directory.mkdir(exist_ok=True)

    def watch() -> None:
        on_poll()
        system.refuse_ended("load", "while it was made warm")

    run_id = f"{run.run_id}-{folder.WARMING}"
    loaded = offered(run, workload.warming(), system, directory, watch, run_id=run_id)
    if loaded.load.stop.reason == "signal":
        raise StepFailed("load", "a signal stopped the engine before the service was warm")
    window = steady_window(loaded)
    assert window.steady_by is not None, "a window behind a watched warm-up says why it began"
    return WarmedFacts(
        steady_by=window.steady_by,
        length_ns=window.start_ns,
        ok=loaded.load.outcomes[Outcome.OK],
    )
