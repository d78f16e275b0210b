"""A load that goes on behind its window: how far it is, and what of its ticks is used."""

import numpy as np
import polars as pl
import pytest

from loadstone.measure.loading.late_look import LateLook
from loadstone.measure.loading.probe import SCHEMA
from loadstone.measure.loading.steady_watch import WarmingUp
from loadstone.measure.loading.usage import machine, resources
from loadstone.measure.told import LoadSecond
from loadstone.report.terminal.load_progress import phase_text
from loadstone.results.record import Window

SECOND_NS = 10**9
START_NS = 40 * SECOND_NS
TICK_NS = SECOND_NS // 5


def test_progress_says_how_far_the_look_is_once_the_window_is_over() -> None:
    look = LateLook(window_ns=20 * SECOND_NS, lasts_ns=180 * SECOND_NS)

    def phase(second: int) -> str:
        elapsed_ns = second * SECOND_NS
        return phase_text(
            {"elapsed_ns": elapsed_ns, "in_window": second > 40, "late_look": look.at(elapsed_ns)}
        )

    assert phase(30).startswith("warming up 0:00:30")
    look.window_began(START_NS)
    assert phase(60) == "measuring; "
    assert phase(61) == "looking for a late step 0:01 of 3:00; "
    assert phase(100) == "looking for a late step 0:40 of 3:00; "
    assert phase(240) == "looking for a late step 3:00 of 3:00; "


def test_what_a_load_tells_of_itself_is_the_same_on_another_machine() -> None:
    warming = WarmingUp(cost_change=-0.25, is_compiling=True)
    look = LateLook(window_ns=20 * SECOND_NS, lasts_ns=180 * SECOND_NS)
    look.window_began(START_NS)
    for event in (
        {"in_window": False, "warming_up": warming},
        {"in_window": True, "late_look": look.at(61 * SECOND_NS)},
    ):
        told = LoadSecond(run="1", event={"elapsed_ns": SECOND_NS, **event})
        heard = LoadSecond.model_validate_json(told.model_dump_json())
        assert phase_text(heard.event) == phase_text(told.event)
    assert "cost -25%" in phase_text({"elapsed_ns": 0, "in_window": False, "warming_up": warming})


def ticks(seconds: int) -> pl.DataFrame:
    """Of a service that takes more memory and threads from 30 s on, on a clock that is set at 40 s."""
    times = np.arange(-1, seconds * 5 + 1) * TICK_NS
    late = times > 30 * SECOND_NS
    process = {
        "kind": "process",
        "name": "gateway",
        "cpu_ns": times // 2,
        "rss_bytes": np.where(late, 900, 100) * 2**20,
        "threads": np.where(late, 90, 10),
    }
    whole = {
        "kind": "machine",
        "name": "machine",
        "runnable": np.where(late, 9, 2),
        **dict.fromkeys(("load_1", "load_5", "load_15"), np.where(late, 9.0, 1.0)),
        **dict.fromkeys(("disk_read_bytes", "disk_written_bytes", "swapped_bytes"), times // 1000),
    }
    unix_ns = times + (times > 40 * SECOND_NS) * SECOND_NS
    return pl.concat(
        _rows(each | {"unix_ns": unix_ns, "monotonic_ns": times}, len(times))
        for each in (process, whole)
    )


def _rows(known: dict[str, object], count: int) -> pl.DataFrame:
    return pl.DataFrame(
        {
            name: np.broadcast_to(np.asarray(known[name]), count)
            if name in known
            else [None] * count
            for name in SCHEMA
        },
        schema=SCHEMA,
    )


@pytest.mark.parametrize("of", ["service", "machine"])
def test_what_was_used_is_that_of_a_load_that_ended_with_the_window(of: str) -> None:
    def used(seconds: int, late: int) -> object:
        window = Window(
            start_ns=10 * SECOND_NS,
            end_ns=30 * SECOND_NS,
            warm_up="steady",
            late_look_ns=late * SECOND_NS,
        )
        table = ticks(seconds)
        if of == "machine":
            return machine(table, window, 0)
        return resources(table, "gateway", window, 0, cpus=1)

    went_on, ended = used(90, 60), used(30, 0)
    assert went_on == ended
    assert used(90, 0) != ended
