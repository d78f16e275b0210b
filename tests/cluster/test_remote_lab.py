"""What the driver hears of a machine: its lines, that it is gone, and what breaks on the way."""

import errno
import queue
import time
from collections.abc import Callable
from pathlib import Path

import pytest
from test_study_plan import study_of

from loadstone.cluster.lines import Ready, digest_of
from loadstone.cluster.remote_lab import Broken, Gone, Heard, RemoteLab
from loadstone.cluster.wire import Places, WireLost
from loadstone.errors import LoadstoneError, RecordsUnwritable, Unavailable
from loadstone.measure.told import RunEnded, Step
from loadstone.results.environment import Environment, SiteFacts
from loadstone.study.design.plan import make_plan

READY = Ready(pid=1, environment=Environment(), facts=SiteFacts(), swept=None)


class ScriptedWire:
    """Says lines, then raises; each other method may raise instead."""

    def __init__(self, lines: list[str], **raising: Exception) -> None:
        self.lines, self.raising = lines, raising
        self.sent: list[str] = []
        self.is_closed = False

    def start(self) -> Places:
        self._try("start")
        return Places("study.yaml", "results", None)

    def clock(self) -> int:
        return time.time_ns() + 5_000_000_000

    def send(self, line: str) -> None:
        self.sent.append(line)

    def receive(self) -> str:
        if self.lines:
            return self.lines.pop(0)
        self._try("receive")
        raise WireLost("its lab ended")

    def fetch(self, name: str, into: Path) -> None:
        self._try("fetch")
        into.mkdir()
        (into / "name").write_text(name)

    def give(self, directory: Path, name: str) -> None:
        self.given = (directory, name)

    def take_builds(self, names: tuple[str, ...]) -> object:
        return names

    def give_builds(self, builds: object) -> None:
        """Nothing is built."""

    def close(self) -> None:
        self.is_closed = True

    def _try(self, name: str) -> None:
        if name in self.raising:
            raise self.raising[name]


def heard_of(wire: ScriptedWire, staging: Path, count: int) -> list[Heard]:
    heard: queue.SimpleQueue[Heard] = queue.SimpleQueue()
    lab = RemoteLab("a", wire, heard, staging)
    lab.begin("short", "digest")
    found = [heard.get(timeout=30) for _ in range(count)]
    lab.close()
    return found


def test_lines_come_in_their_order_and_the_end_of_the_lab_behind_them(tmp_path: Path) -> None:
    ended = RunEnded(run="001-go", status="completed")
    lines = [each.model_dump_json() for each in (READY, Step(text="build go"), ended)]
    wire = ScriptedWire(lines)
    *told, last = heard_of(wire, tmp_path / "staging", 4)
    assert [each.line for each in told] == [READY, Step(text="build go"), ended]
    assert told[-1].files is not None
    assert (told[-1].files / "name").read_text() == "runs/001-go"
    assert last.line == Gone("its lab ended")
    assert wire.is_closed
    (begin,) = wire.sent
    assert '"profile":"short","plan":"digest"' in begin
    assert '"offset_ns":5' in begin or '"offset_ns":4999' in begin


@pytest.mark.parametrize(
    ("raising", "is_expected"),
    [
        ({"start": Unavailable("a is in use by b", "wait")}, lambda e: "in use" in str(e)),
        (
            {"fetch": OSError(errno.ENOSPC, "No space left on device")},
            lambda e: isinstance(e, RecordsUnwritable),
        ),
        ({"fetch": KeyError("a defect")}, lambda e: isinstance(e, KeyError)),
    ],
)
def test_what_breaks_here_ends_the_study_and_is_no_loss_of_the_machine(
    tmp_path: Path, raising: dict[str, Exception], is_expected: Callable[[Exception], bool]
) -> None:
    ended = RunEnded(run="001-go", status="completed").model_dump_json()
    (told,) = heard_of(ScriptedWire([ended], **raising), tmp_path / "staging", 1)
    assert isinstance(told.line, Broken)
    assert is_expected(told.line.error)


def test_a_machine_that_is_lost_while_it_starts_is_gone(tmp_path: Path) -> None:
    wire = ScriptedWire([], start=WireLost("its machine is off"))
    (told,) = heard_of(wire, tmp_path, 1)
    assert told.line == Gone("its machine is off")


def test_a_line_of_another_program_breaks_the_study_with_what_it_was(tmp_path: Path) -> None:
    (told,) = heard_of(ScriptedWire(["Segmentation fault"]), tmp_path, 1)
    assert isinstance(told.line, Broken)
    assert isinstance(told.line.error, LoadstoneError)
    assert "this is no line of a lab: 'Segmentation fault'" in told.line.error.message


def test_the_digest_of_a_plan_tells_one_seed_from_another() -> None:
    plans = [make_plan(study_of(2, 1, 2, seed)) for seed in (1, 1, 2)]
    digests = [digest_of(plan) for plan in plans]
    assert digests[0] == digests[1] != digests[2]
