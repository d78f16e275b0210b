"""How each generator is called, and how its output is read; texts are of the versions installed."""

import json
from pathlib import Path

import jsonschema
import numpy as np
import pytest

from benchmarks.engine.generators.bare import ClosedLoop, Sender
from benchmarks.engine.generators.engine import Engine, count_above, plan, quantiles_ms
from benchmarks.engine.generators.h2load import LOG, H2load
from benchmarks.engine.generators.k6 import K6
from benchmarks.engine.generators.oha import Oha
from benchmarks.engine.generators.wrk import Wrk
from benchmarks.engine.load import Load
from loadstone.errors import LoadstoneError
from loadstone.results.histograms import Histogram

CHECKOUT = Path(__file__).parents[2]
CLOSED = Load("127.0.0.1:8080", "h1c", connections=64, seconds=4)
OPEN = Load("127.0.0.1:8080", "h2", 10, 5, streams=10, rate=100, timeout_seconds=1)

H2LOAD = """\
finished in 5.00s, 99.80 req/s, 12.95KB/s
requests: 500 total, 500 started, 499 done, 498 succeeded, 2 failed, 1 errored, 1 timeout
status codes: 498 2xx, 0 3xx, 0 4xx, 1 5xx
"""


@pytest.mark.parametrize(
    "load",
    [
        CLOSED,
        OPEN,
        Load("127.0.0.1:1", "h1c", 50, 30, rate=1000, poisson=True, event_loop="epoll"),
        Load("127.0.0.1:1", "h1c", 50, 30, rate=1000, real_time=True),
    ],
)
def test_every_plan_is_one_that_the_engine_knows(load: Load) -> None:
    schema = json.loads((CHECKOUT / "schemas" / "engine-plan.schema.json").read_text())
    jsonschema.validate(plan(load), schema)


def test_a_plan_asks_for_users_or_for_a_rate_over_as_many_connections() -> None:
    closed, opened = plan(CLOSED), plan(OPEN)
    assert closed["groups"][0]["arrivals"]["users"]["stages"][0]["to"] == 64
    assert "tls" not in closed
    rate = opened["groups"][0]["arrivals"]["rate"]
    assert (rate["stages"][0]["from"], rate["connections"], opened["streams"]) == (100, 10, 10)
    assert opened["timeout_ns"] == 1_000_000_000


def test_the_engine_is_read_from_its_last_line_and_its_doubts_are_notes(tmp_path: Path) -> None:
    times = {"ok": {"count": 9, "min_ns": 1, "mean_ns": 2.0, "max_ns": 3_000_000}, "failed": None}
    summary = {
        "outcomes": {"ok": 9, "timeout": 1, "status": 0},
        "operations": {"get": {"clocks": {"response_time": times}}},
        "engine": {"limited": [{"cause": "stall", "intervals": 1}]},
    }
    lines = [{"event": "started"}, {"event": "finished", "summary": summary}]
    output = "\n".join(json.dumps(line) for line in lines)
    seen = Engine(Path("engine")).read(output, tmp_path)
    assert (seen.requests, seen.failures) == (9, {"timeout": 1})
    assert (seen.highest_ms, seen.notes) == (3.0, ("limited by stall",))
    with pytest.raises(LoadstoneError, match="the engine failed: why"):
        Engine(Path("engine")).read('{"event": "failed", "error": "why"}', tmp_path)


def test_quantiles_of_a_histogram_are_by_nearest_rank_in_milliseconds() -> None:
    counts = np.zeros(101, dtype=np.int64)
    counts[[10, 20, 100]] = 1
    histogram = Histogram(counts, unit_magnitude=0, half_magnitude=10)
    found = quantiles_ms(histogram)
    assert found[0.5] == pytest.approx(20 / 1e6)
    assert found[0.75] == pytest.approx(100 / 1e6)
    assert count_above(histogram, 20 / 1e6) == 1


def test_wrk_is_read_from_the_line_that_its_script_writes(tmp_path: Path) -> None:
    words = Wrk("wrk").command(CLOSED, tmp_path).words
    assert words[:4] == ["wrk", "-t1", "-c64", "-d4s"]
    script = (tmp_path / "report.lua").read_text()
    assert "{50, 75, 90, 95, 99, 99.9}" in script
    output = (
        'Running 4s test\n{"requests": 100, "connect": 0, "read": 2, "write": 0, "status": 1, '
        '"timeout": 3, "max_us": 1500, "quantiles_us": {"50": 500, "75": 600, "90": 700, '
        '"95": 800, "99": 900, "99.9": 1000}}\n'
    )
    seen = Wrk("wrk").read(output, tmp_path)
    assert seen.requests == 99
    assert seen.failures == {"read": 2, "status": 1, "timeout": 3}
    assert (seen.quantiles_ms[0.5], seen.quantiles_ms[0.999], seen.highest_ms) == (0.5, 1.0, 1.5)


def test_h2load_is_read_from_its_report_and_its_log(tmp_path: Path) -> None:
    generator = H2load("h2load", logs=True)
    words = generator.command(OPEN, tmp_path).words
    assert "--rps=10" in words
    assert "--h1" not in words
    assert "--h1" in generator.command(CLOSED, tmp_path).words
    (tmp_path / LOG).write_text("1\t200\t3000\n2\t200\t1000\n3\t-1\t9000\n4\t200\t2000\n")
    seen = generator.read(H2LOAD, tmp_path)
    assert seen.requests == 498
    assert seen.failures == {"failed": 2, "errored": 1, "timeout": 1}
    assert (seen.quantiles_ms[0.5], seen.highest_ms) == (2.0, 3.0)
    with pytest.raises(LoadstoneError, match="did not report"):
        generator.read("nothing", tmp_path)


def test_oha_is_read_from_its_json_whose_times_are_seconds(tmp_path: Path) -> None:
    words = Oha("oha", corrects=True).command(OPEN, tmp_path).words
    assert {"--http2", "-p10", "-q100", "--latency-correction", "-t1s"} <= set(words)
    percentiles = dict.fromkeys(("p50", "p75", "p90", "p95", "p99"), 0.25) | {"p99.9": None}
    output = {
        "summary": {"slowest": 0.5},
        "latencyPercentiles": percentiles,
        "statusCodeDistribution": {"200": 40, "503": 1},
        "errorDistribution": {"timeout": 9},
    }
    seen = Oha("oha").read(json.dumps(output), tmp_path)
    assert (seen.requests, seen.failures) == (40, {"timeout": 9})
    assert seen.quantiles_ms == dict.fromkeys((0.5, 0.75, 0.9, 0.95, 0.99), 250.0)
    assert seen.highest_ms == 500.0


def test_k6_is_read_from_its_metrics_and_dropped_arrivals_are_failures(tmp_path: Path) -> None:
    K6("k6").command(OPEN, tmp_path)
    script = (tmp_path / "script.js").read_text()
    assert '"executor": "constant-arrival-rate", "rate": 100' in script
    assert "'https://127.0.0.1:8080/'" in script
    times = {f"p({p})": 1.0 for p in ("50", "75", "90", "95", "99", "99.9")} | {"max": 2.0}
    metrics = {
        "http_req_duration": {"values": times},
        "http_reqs": {"values": {"count": 50}},
        "http_req_failed": {"values": {"passes": 5, "fails": 45}},
        "dropped_iterations": {"values": {"count": 450}},
    }
    seen = K6("k6").read(f"\n{json.dumps(metrics)}\n", tmp_path)
    assert (seen.requests, seen.failures) == (45, {"failed": 5, "dropped": 450})
    assert seen.quantiles_ms[0.999] == 1.0


def test_the_bare_loops_are_called_with_what_the_load_says(tmp_path: Path) -> None:
    workbench = Path("workbench")
    closed = ClosedLoop(workbench).command(CLOSED, tmp_path).words
    assert closed[1:] == [
        *("closed-loop", "--target", "127.0.0.1:8080"),
        *("--connections", "64", "--seconds", "4"),
    ]
    assert ClosedLoop(workbench).read('{"requests": 7}', tmp_path).requests == 7
    output = '{"requests": 7, "never_sent": 1, "unanswered": 0, "lag_ns": null}'
    assert Sender(workbench).read(output, tmp_path).failures == {"never_sent": 1}
