"""What a person sees at the end of `bench`."""

from collections.abc import Callable

import pytest
from bench_builder import CPU_LIMIT, bench_figures, bench_record
from study_builder import finding, run_of

from loadstone.analysis.cells.run_alone import RunAlone
from loadstone.analysis.model import RunFigure
from loadstone.report.terminal.study_result import (
    print_run_result,
)
from loadstone.results.load_facts import SpokenFacts
from loadstone.results.record import SteadyBy, Window

Show = Callable[..., str]

BENCH_80 = """\
requests      12,345 offered · 12,300 ok · 45 failed (0.365 %)
failures      read 5 · timeout 40
              read: connection reset by peer
throughput    12.3 k/s · over 5.00 s
spoken        HTTP/2 · TLS 1.3 · TLS13_AES_256_GCM_SHA384 · ALPN h2
              10 requests in flight a connection

times            mean  median     p90     p95     p99   p99.9     max
response time 1.31 ms 1.12 ms 2.05 ms 2.61 ms 4.83 ms failed¹ failed¹
service time  1.22 ms 1.08 ms 1.92 ms 2.44 ms 4.31 ms 10.1 ms 30.9 ms
first byte    1.08 ms  870 µs                 3.64 ms
connect       92.4 µs 81.0 µs                                  214 µs
TLS handshake 1.05 ms  930 µs                                 2.71 ms
lag           8.42 µs                                          812 µs
  connection  2.70 µs                                          812 µs
  engine      5.72 µs                                         61.4 µs
  ¹ failed: 0.365 % of the requests failed
  Quantiles are over all offered requests, means over ok only. Response time
  counts from the intended time, service time and first byte from the write. Lag
  is what passes before it: waiting for a connection or a stream, and the
  engine's own lateness.

connections   50 requested · 52 opened · 0 failed · 2 closed by the server
              40 full and 12 resumed TLS handshakes
generator     CPU 12.0 % of 1 thread · 48.6 µs CPU per request
              longest stall 1.24 ms · memory 6.00 MiB · io_uring

findings
  warning   generator-saturated  001-target-bench
            The generator used 91 % of its CPU, more than 85 %.
            → Give the generator another CPU, or lower the number of users.
"""


def test_a_bench_at_80_columns(shown: Show) -> None:
    alone = RunAlone(
        bench_figures(),
        {"request": bench_figures()},
        (finding(subject=run_of("target", 1, "bench")),),
    )
    assert shown(80, print_run_result, bench_record(), alone) == BENCH_80


@pytest.mark.parametrize("width", [80, 160])
@pytest.mark.parametrize("state", ["withheld", "failed", "too few samples"])
def test_a_bench_without_any_figure_is_no_wider_than_the_terminal(
    shown: Show, width: int, state: str
) -> None:
    nothing = {
        name: RunFigure(value=None, state=state, reason="generator-stalled")
        for name in bench_figures()
    }
    text = shown(width, print_run_result, bench_record(), RunAlone(nothing, {}))
    assert max(map(len, text.splitlines())) <= width
    (row,) = (line for line in text.splitlines() if line.startswith("response time "))
    assert row.count("¹") == 7
    assert f"¹ {state}: generator-stalled" in text


def test_a_bench_shows_what_limited_the_engine(shown: Show) -> None:
    record = bench_record(limited=(CPU_LIMIT,))
    text = shown(80, print_run_result, record, RunAlone(bench_figures(), {}))
    assert "\nlimited by    cpu in 2 intervals\n" in text


def test_a_bench_that_reached_nobody_says_that_nothing_was_spoken(shown: Show) -> None:
    record = bench_record()
    silent = SpokenFacts(http=None, alpn=None, tls_version=None, cipher_suite=None)
    load = record.load.model_copy(update={"spoken": silent, "streams": 1})
    text = shown(
        80,
        print_run_result,
        record.model_copy(update={"load": load}),
        RunAlone(bench_figures(), {}),
    )
    assert "\nspoken        nothing\n" in text


def test_a_bench_of_two_operations_has_a_row_for_each(shown: Show) -> None:
    both = {"request": bench_figures(), "other": bench_figures()}
    text = shown(80, print_run_result, bench_record(), RunAlone(bench_figures(), both))
    assert "\nrequest " in text
    assert "\nother " in text


def test_a_failed_bench_shows_the_step_and_the_tail_of_its_log(shown: Show) -> None:
    record = bench_record().model_dump() | {
        "status": "failed",
        "load": None,
        "failure": {
            "step": "load",
            "reason": "the engine ended early",
            "log_tail": "panic:\nno \x1bmemory\n",
        },
    }
    text = shown(
        80, print_run_result, type(bench_record()).model_validate(record), RunAlone({}, {})
    )
    assert text == "failed in load: the engine ended early\n  panic:\n  no \ufffdmemory\n"


def test_an_error_text_of_a_server_cannot_command_the_terminal(shown: Show) -> None:
    record = bench_record(error_text="\x1b[31mred\x1b[0m")
    text = shown(80, print_run_result, record, RunAlone(bench_figures(), {}))
    assert "\x1b" not in text


@pytest.mark.parametrize(
    ("steady_by", "compiles", "told"),
    [
        ("idle", True, "after 1.00 s of warm-up: its compilers were idle"),
        ("idle", False, "after 1.00 s of warm-up: nothing to compile, and its cost did not fall"),
        ("level", False, "after 1.00 s of warm-up: its level held"),
        ("no-sign", False, "after 1.00 s of warm-up: nothing told of more"),
        ("cap", True, "after 1.00 s of warm-up, the most it may take: not seen to be steady"),
    ],
)
def test_a_bench_says_why_its_warm_up_ended(
    shown: Show, steady_by: SteadyBy, compiles: bool, told: str
) -> None:
    window = Window(
        start_ns=1_000_000_000, end_ns=5_000_000_000, warm_up="steady", steady_by=steady_by
    )
    record = bench_record().model_copy(update={"window": window})
    compiled = RunFigure(
        value=1e9 if compiles else None, state="value" if compiles else "not measured"
    )
    figures = {**bench_figures(), "compile_cpu": compiled}
    assert told in shown(160, print_run_result, record, RunAlone(figures, {}))


def test_a_bench_whose_warmth_nobody_can_tell_says_so_at_its_end(shown: Show) -> None:
    text = shown(
        160, print_run_result, bench_record(), RunAlone(bench_figures(), {}, (), "too few answers")
    )
    assert text.endswith("\nWhether the service was warm could not be judged: too few answers.\n")
