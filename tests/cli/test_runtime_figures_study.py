"""What runtimes tell of themselves, from a study to its answer."""

import json
import shutil
from typing import Any

import pytest
from lab import CHECKOUT, Lab, study_of

from loadstone.errors import Unavailable
from loadstone.results.ticks import read_ticks, rows_of
from loadstone.study.systems.availability import require_runtime
from loadstone.study.systems.catalogue import Catalogue

ASKED = "gc_share, heap_after_gc"
"""No rule withholds them for what else the machine does meanwhile."""


def figures_of(lab: Lab) -> dict[str, dict[str, Any]]:
    """Arm's level of the gateway to what its runtime told."""
    found = {}
    for path in lab.results().glob("runs/*/run.json"):
        record = json.loads(path.read_text())
        assert record["status"] == "completed", record["failure"]
        service = next(each for each in record["processes"] if each["role"] == "service")
        found[record["run"]["factors"]["gateway"]] = service["runtime_figures"]
    return found


def compile_run_ns(lab: Lab) -> dict[str, int | None]:
    """Arm's level of the gateway to what the probe saw last of its compile threads."""
    found = {}
    for path in lab.results().glob("runs/*/run.json"):
        level = json.loads(path.read_text())["run"]["factors"]["gateway"]
        ticks = read_ticks(path.parent / "resources.parquet")
        assert ticks is not None
        seen = rows_of(ticks, "gateway")["compile_run_ns"].drop_nulls()
        found[level] = None if seen.is_empty() else seen[-1]
    return found


def test_go_tells_its_pauses_and_node_has_a_reason_for_none(lab: Lab) -> None:
    lab.study(study_of("go", "node", metrics=ASKED))
    ended = lab.run("run", "trial", "--profile", "short")
    assert ended.code == 0, ended.stderr
    told = figures_of(lab)
    assert told["go"]["source"] == "go-gctrace"
    assert told["go"]["collections"] > 0
    assert 0 < told["go"]["gc_pauses"]["share"] < 0.5
    assert told["node"]["gc_pauses"] is None
    assert compile_run_ns(lab) == {"go": None, "node": None}
    assert "Node has no place: not measured (V8's log" in " ".join(ended.stdout.split())


@pytest.mark.slow
def test_jvms_tell_pauses_and_heap_with_the_archives_that_were_trained_without(lab: Lab) -> None:
    wanted = ("openjdk-17", "openjdk-17-cds", "openjdk-25-aot-cache")
    for name in wanted:
        try:
            require_runtime(Catalogue(CHECKOUT).runtime(name))
        except Unavailable as error:
            pytest.skip(error.message)
    if shutil.which("mvn") is None:
        pytest.skip("there is no Maven to build the gateway with")
    lab.study(study_of(*(f"netty@{name}" for name in wanted), metrics=ASKED))
    ended = lab.run("run", "trial", "--profile", "short")
    assert ended.code == 0, ended.stderr
    told = figures_of(lab)
    assert len(told) == len(wanted)
    for figures in told.values():
        assert figures["gc_not_measured"] is None
        assert figures["heap_not_measured"] is None
        # A large machine's heap may need no collection in two seconds: then 0 is what was seen.
        assert 0 <= figures["gc_pauses"]["share"] < 0.5
        assert figures["gc_pauses"]["total_ns"] <= figures["safepoints"]["total_ns"]
        assert 2**20 < figures["heap_after_full_gc_bytes"] < 2**27
    assert all(ran_ns is not None and ran_ns > 0 for ran_ns in compile_run_ns(lab).values())
    assert lab.left_behind() == []
