"""The window of a load, also of one that a stop rule ended."""

from pathlib import Path

import pytest

from loadstone.errors import StepFailed
from loadstone.measure.loading.window import fixed_window
from loadstone.results import folder
from loadstone.results.load_facts import LoadFacts, StopFacts
from loadstone.results.read import read_record
from results_builder import Behaviour, build_results

SECOND_NS = 10**9


def stopped_after(directory: Path, seconds: float) -> LoadFacts:
    (run,) = (build_results(directory, arms={"go": Behaviour()}, blocks=1) / folder.RUNS).iterdir()
    load = read_record(run / folder.RECORD).load
    assert load is not None
    at_ns = round(seconds * SECOND_NS)
    stop = StopFacts(reason="first_timeout", at_ns=at_ns, users=4)
    return load.model_copy(update={"load_ns": at_ns, "stop": stop})


def test_a_load_that_was_stopped_early_has_the_window_until_then(tmp_path: Path) -> None:
    window = fixed_window(stopped_after(tmp_path, 7.5), 2 * SECOND_NS)
    assert (window.start_ns, window.end_ns) == (2 * SECOND_NS, 7_500_000_000)


@pytest.mark.parametrize("seconds", [1.25, 2.0])
def test_a_load_that_was_stopped_in_its_warm_up_has_none(tmp_path: Path, seconds: float) -> None:
    with pytest.raises(StepFailed, match="first_timeout stopped it after") as caught:
        fixed_window(stopped_after(tmp_path, seconds), 2 * SECOND_NS)
    assert caught.value.step == "load"
    assert "warm-up of 2 s" in caught.value.reason
