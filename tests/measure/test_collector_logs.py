"""Logs of garbage collectors, captured from real programs beside what these counted themselves."""

import re
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from loadstone.measure.runtime_figures.collector_log import Pause, facts, within
from loadstone.measure.runtime_figures.go_trace import parse_go_trace
from loadstone.measure.runtime_figures.heap_info import used_bytes
from loadstone.measure.runtime_figures.jvm_log import JvmLog, parse_jvm_log

LOGS = Path(__file__).parent / "gc_logs"
MEBIBYTE = 1 << 20
MILLISECOND_NS = 10**6

# Of which lines each bean counts the collections.
BEANS = {
    "17-serial": {"Copy": "Pause Young", "MarkSweepCompact": "Pause Full"},
    "25-serial": {"Copy": "Pause Young", "MarkSweepCompact": "Pause Full"},
    "17-parallel": {"PS Scavenge": "Pause Young", "PS MarkSweep": "Pause Full"},
    "25-parallel": {"PS Scavenge": "Pause Young", "PS MarkSweep": "Pause Full"},
    "17-g1": {"G1 Young Generation": "Pause Young", "G1 Old Generation": "Pause Full"},
    "25-g1": {
        "G1 Young Generation": "Pause Young",
        "G1 Old Generation": "Pause Full",
        "G1 Concurrent GC": "Pause (Remark|Cleanup)",
    },
    "17-z": {"ZGC Pauses": "Pause"},
    "25-z": {"ZGC Major Pauses": "Pause"},
    "17-shenandoah": {"Shenandoah Pauses": "Pause"},
    "25-shenandoah": {"Shenandoah Pauses": "Pause"},
}
CAPTURED = pytest.mark.parametrize("name", BEANS)
FULL_BUT_CONCURRENT = {"17-z", "25-z", "17-shenandoah", "25-shenandoah"}


def parsed(name: str) -> JvmLog:
    return parse_jvm_log((LOGS / f"{name}.log").read_text().splitlines())


def counted(name: str) -> dict[str, list[int]]:
    """What the program printed: name to its numbers."""
    rows = (line.split("\t") for line in (LOGS / f"{name}.beans").read_text().splitlines())
    return {row[0]: [int(number) for number in row[1:]] for row in rows}


def before_counting(name: str) -> tuple[Pause, ...]:
    end_ns = counted(name)["nanoTime"][0]
    return tuple(pause for pause in parsed(name).pauses if pause.end_ns <= end_ns)


@CAPTURED
def test_pauses_are_those_that_the_jvm_counts(name: str) -> None:
    beans = counted(name)
    for bean, kind in BEANS[name].items():
        found = [pause for pause in before_counting(name) if re.match(kind, pause.kind)]
        count, total_ms = beans[bean]
        # The bean of a cycle that goes on as it is read has not counted its pauses yet: 3 of them.
        assert count <= len(found) <= count + (2 if name in FULL_BUT_CONCURRENT else 0)
        total_ns = sum(pause.duration_ns for pause in found)
        # It keeps whole milliseconds, and its clock holds a little more than the pause.
        assert (
            -MILLISECOND_NS
            <= total_ms * MILLISECOND_NS - total_ns
            <= max(MILLISECOND_NS, 0.1 * total_ns)
        )


@CAPTURED
def test_a_collectors_pause_lies_within_a_halt_of_the_jvm(name: str) -> None:
    log = parsed(name)
    for pause in log.pauses:
        slack_ns = 100_000  # between the end of the pause and the writing of its line
        assert any(
            halt.start_ns - slack_ns <= pause.start_ns and pause.end_ns <= halt.end_ns + slack_ns
            for halt in log.safepoints
        ), pause


@CAPTURED
def test_every_collection_left_a_line(name: str) -> None:
    log = parsed(name)
    assert log.unread_collections == 0
    assert log.numbers == frozenset(range(max(log.numbers) + 1))


@CAPTURED
def test_what_runs_beside_threads_is_no_pause(name: str) -> None:
    assert all(pause.kind.startswith("Pause ") for pause in parsed(name).pauses)


@CAPTURED
def test_heap_after_a_full_collection_is_what_the_program_sees(name: str) -> None:
    used = used_bytes((LOGS / f"{name}.heap").read_text())
    assert used is not None
    # The program allocates a little to print it; Z counts pages of 2 MiB.
    assert 0 <= counted(name)["used"][0] - used <= 2 * MEBIBYTE


@CAPTURED
def test_heap_info_that_was_cut_off_is_the_same_or_unknown(name: str) -> None:
    text = (LOGS / f"{name}.heap").read_text()
    assert {used_bytes(text[:length]) for length in range(len(text))} <= {None, used_bytes(text)}


@CAPTURED
def test_a_log_that_was_cut_off_tells_what_was_whole(name: str) -> None:
    text = (LOGS / f"{name}.log").read_text()
    whole = parsed(name)
    for length in range(0, len(text), 37):
        part = parse_jvm_log(text[:length].splitlines())
        assert part.pauses == whole.pauses[: len(part.pauses)]
        assert part.safepoints == whole.safepoints[: len(part.safepoints)]


def test_heaps_after_collections_are_read_of_pauses_and_of_cycles() -> None:
    for name in ("25-serial", "25-g1", "25-parallel", "17-z", "25-z"):
        found = [pause.heap_after_bytes for pause in parsed(name).heaps]
        assert found
        assert all(heap is not None and 0 <= heap <= 64 * MEBIBYTE for heap in found)
    assert parsed("25-shenandoah").heaps == ()  # its lines do not say


def test_a_thread_that_waits_for_memory_is_no_pause_of_all() -> None:
    log = parse_jvm_log(
        [
            "[7000000ns][info][gc,start    ] GC(2) Garbage Collection (Allocation Stall)",
            "[9000000ns][info][gc          ] Allocation Stall (main (1)) 1.582ms",
        ]
    )
    assert log.stalls == (Pause(9_000_000 - 1_582_000, 1_582_000, "Allocation Stall"),)
    assert log.pauses == ()


def test_lines_of_other_processes_in_a_jvms_log_are_passed_over() -> None:
    lines = (LOGS / "25-serial.log").read_text().splitlines()
    mixed = [part for line in lines for part in ("Pause Full 1M->1M(2M) 3.000ms", line, "\0[gc] ")]
    assert parse_jvm_log(mixed) == parsed("25-serial")


def test_go_counts_the_same_collections_and_halts() -> None:
    lines = (LOGS / "go.log").read_text().splitlines()
    _, collections, halted_ns = lines[-1].split("\t")
    trace = parse_go_trace(lines)
    assert len(trace.collections) == int(collections) == 14
    assert trace.unread_collections == 0
    found_ns = sum(pause.duration_ns for each in trace.collections for pause in each.pauses)
    assert found_ns == pytest.approx(int(halted_ns), rel=0.05)  # it prints two digits of each


def test_a_line_of_go_by_hand() -> None:
    line = (
        "gc 14 @0.091s 3%: 0.27+2.7+0.21 ms clock, 0.55+0.5/0.24/0.076+0.43 ms cpu, "
        "45->57->21 MB, 52 MB goal, 0 MB stacks, 0 MB globals, 2 P"
    )
    (collection,) = parse_go_trace([line]).collections
    assert collection.sweep_termination == Pause(91_000_000, 270_000, "sweep termination", 14)
    assert collection.mark_termination == Pause(
        91_000_000 + 270_000 + 2_700_000, 210_000, "mark termination", 14, 21 * MEBIBYTE
    )
    assert collection.cpu_ns == 550_000 + 500_000 + 240_000 + 430_000


def test_a_line_of_go_that_another_threads_output_tore_is_missed_and_counted() -> None:
    lines = (LOGS / "go.log").read_text().splitlines()
    lines[4] = lines[4][:30] + "upstream is away" + lines[4][30:]
    trace = parse_go_trace(lines)
    assert len(trace.collections) == 13
    assert trace.unread_collections == 1


PIECES = st.one_of(
    st.text(max_size=40),
    st.sampled_from(
        [
            line
            for name in ("25-g1.log", "17-z.log", "go.log", "25-serial.heap")
            for line in (LOGS / name).read_text().splitlines()
        ]
    ).flatmap(lambda line: st.integers(0, len(line)).map(lambda cut: line[:cut])),
    st.sampled_from(
        ["\n", "[1ns][info][gc] GC(0) Pause ", "9" * 30, " ms", "ns]", "GC(99999999999)", "gc 0 @"]
    ),
)


@given(st.lists(PIECES, max_size=30))
def test_no_text_makes_a_parser_fail_or_a_figure_impossible(pieces: list[str]) -> None:
    text = "".join(pieces)
    lines = text.splitlines()
    log, trace = parse_jvm_log(lines), parse_go_trace(lines)
    used = used_bytes(text)
    assert used is None or used >= 0
    assert log.unread_collections >= 0
    assert trace.unread_collections >= 0
    found = [*log.pauses, *log.safepoints, *log.stalls]
    found += [pause for each in trace.collections for pause in each.pauses]
    assert all(pause.duration_ns >= 0 for pause in found)
    assert 0 <= facts(found, 0, 10**9).share <= 1


def test_a_window_cuts_pauses_at_its_edges_and_counts_an_overlap_once() -> None:
    pauses = [
        Pause(90, 20, "reaches in"),
        Pause(150, 20, "inside"),
        Pause(160, 20, "overlaps"),
        Pause(195, 50, "reaches out"),
        Pause(80, 20, "ends where it begins"),
        Pause(200, 20, "begins where it ends"),
    ]
    told = facts(pauses, 100, 200)
    assert told.count == 4
    assert told.total_ns == 10 + 30 + 5
    assert told.share == 0.45
    assert told.longest_ns == 50


def test_quantiles_of_pauses_are_told_only_where_they_are_reached() -> None:
    few = facts([Pause(at, at, "") for at in range(1, 5)], 0, 1000)
    assert (few.count, few.median_ns, few.p99_ns) == (4, None, None)
    many = facts([Pause(at, at, "") for at in range(1, 300)], 0, 1000)
    assert (many.count, many.median_ns, many.p99_ns) == (299, 150, 297)


def test_a_window_without_a_pause_has_a_share_of_0_and_no_longest() -> None:
    none = facts([], 0, 1000)
    assert (none.count, none.total_ns, none.share, none.longest_ns) == (0, 0, 0.0, None)


@given(
    st.lists(st.tuples(st.integers(-50, 150), st.integers(0, 60)), max_size=12),
    st.integers(1, 100),
)
def test_the_time_in_pauses_is_that_of_a_count_nanosecond_by_nanosecond(
    drawn: list[tuple[int, int]], end_ns: int
) -> None:
    pauses = [Pause(start, length, "") for start, length in drawn]
    inside = {at for each in pauses for at in range(each.start_ns, each.end_ns)}
    assert facts(pauses, 0, end_ns).total_ns == len(inside & set(range(end_ns)))
    assert list(within(pauses, 0, end_ns)) == sorted(
        within(pauses, 0, end_ns), key=lambda pause: pause.start_ns
    )
