"""A load by engines of other machines: really loaded, and merged, by engines of this one."""

import json
import os
import signal
from functools import partial
from pathlib import Path
from typing import Any

import pytest
from engines_here import Meddle, echo_server, engines_here, nothing

from loadstone.cluster.engines import remote_load
from loadstone.cluster.engines.messages import BeginWindow, EngineCommand, PrepareLoad
from loadstone.deploy.placement import available_cpus
from loadstone.deploy.target_address import resolve_targets
from loadstone.errors import StepFailed
from loadstone.measure.loading.engine_plan import engine_plan
from loadstone.measure.loading.offer import Loaded, offer_load
from loadstone.measure.process_facts import probe_facts
from loadstone.metrics.outcomes import Outcome
from loadstone.results import folder
from loadstone.results.record import Window
from loadstone.results.timeline import read_timeline
from loadstone.results.users import read_users
from loadstone.study.values.model import Protocol, Workload
from simulated_load import SECOND_NS, closed, rate

LOAD_SECONDS = 3


def loaded(
    directory: Path,
    workload: Workload,
    machines: tuple[str, ...],
    *,
    meddle: Meddle = lambda _, command: command,
    on_progress: Any = nothing,
    watch: Any = nothing,
    **changes: Any,
) -> Loaded:
    results = directory / "run"
    results.mkdir(parents=True)
    with (
        echo_server() as url,
        engines_here(directory / "machines", workload, machines, meddle) as engines,
    ):
        (target,) = resolve_targets(url, ())
        plan = engine_plan(
            workload, target=target, protocol=Protocol.H1C, cpus=(), seed=1, environment={}
        )
        return offer_load(
            {**plan, **changes},
            results,
            (),
            (probe_facts(available_cpus()),),
            on_progress=on_progress,
            watch=watch,
            start=partial(engines.start, workload.workload),
        )


@pytest.mark.parametrize("machines", [("a",), ("a", "b", "c")])
def test_engines_elsewhere_offer_the_plan_and_are_told_as_one(
    tmp_path: Path, machines: tuple[str, ...]
) -> None:
    seen: list[dict[str, Any]] = []
    found = loaded(
        tmp_path, rate(200, seconds=LOAD_SECONDS, warm_up=0), machines, on_progress=seen.append
    )
    assert found.load.outcomes[Outcome.OK] == 200 * LOAD_SECONDS
    assert sum(found.load.outcomes.values()) == 200 * LOAD_SECONDS
    assert found.load.load_ns == LOAD_SECONDS * SECOND_NS
    assert found.load.not_accepted is None
    assert found.load.connections.requested == 50
    assert [each["elapsed_ns"] for each in seen][:2] == [SECOND_NS, 2 * SECOND_NS]
    assert [*found.elsewhere] == [*machines]
    own = [sum(each.load.outcomes.values()) for each in found.elsewhere.values()]
    assert max(own) - min(own) <= 1
    run = tmp_path / "run"
    timeline = read_timeline(run / folder.TIMELINE)
    assert sum(each.ended for each in timeline) == 200 * LOAD_SECONDS
    for machine in machines:
        kept = run / folder.ENGINES / machine
        assert {folder.HISTOGRAMS, folder.TIMELINE, folder.RESOURCES} <= {
            each.name for each in kept.iterdir()
        }
    window = Window(start_ns=0, end_ns=found.load.load_ns, warm_up="none")
    used = found.resources(window)
    engines = [each for each in found.processes if each.role == "engine"]
    names = ["engine"] if len(machines) == 1 else [f"engine@{each}" for each in machines]
    assert [(each.name, each.machine) for each in engines] == [*zip(names, machines, strict=True)]
    assert all((used[each.name].cpu_ns or 0) > 0 for each in engines)
    for facts in found.loads(window).values():
        assert abs(facts.clock_before.offset_ns) <= 2 * facts.clock_before.bound_ns
        assert facts.cpus
    starts = [each.load.started_unix_ns for each in found.elsewhere.values()]
    assert abs(found.load.started_unix_ns - max(starts)) < 1_000_000


def test_users_of_all_engines_are_the_users_of_the_plan(tmp_path: Path) -> None:
    workload = closed(7, seconds=2, warm_up=0, think_ms=20)
    loaded(tmp_path, workload, ("a", "b"))
    users = read_users(tmp_path / "run" / folder.USERS)
    assert users is not None
    assert users.user == tuple(range(7))
    plans = [
        json.loads((tmp_path / "run" / folder.ENGINES / name / "logs/engine-plan.json").read_text())
        for name in ("a", "b")
    ]
    assert [plan["share"] for plan in plans] == [{"index": 0, "of": 2}, {"index": 1, "of": 2}]
    for plan in plans:
        plan["share"] = plan["cpus"] = None
    assert plans[0] == plans[1]


def test_more_engines_than_connections_are_refused_by_the_engine(tmp_path: Path) -> None:
    with pytest.raises(StepFailed, match=r"share\.of: must be at most 2"):
        loaded(tmp_path, closed(2, seconds=1, warm_up=0), ("a", "b", "c"))


def test_a_rule_that_stops_one_engine_stops_all(tmp_path: Path) -> None:
    workload = closed(4, seconds=60, warm_up=0).model_copy(update={"timeout_ns": SECOND_NS})
    stop = {"first_failed_check": True}

    def spoil(machine: str, command: EngineCommand) -> EngineCommand:
        """Let one engine expect what never comes."""
        if machine == "b" and isinstance(command, PrepareLoad):
            text = json.dumps(command.plan).replace('"status": [200]', '"status": [204]')
            return command.model_copy(update={"plan": json.loads(text)})
        return command

    found = loaded(tmp_path, workload, ("a", "b"), meddle=spoil, stop=stop)
    assert found.load.stop.reason == "first_failed_check"
    assert found.elsewhere["a"].load.stop.reason == "signal"
    assert found.load.load_ns < 30 * SECOND_NS


def test_windows_begin_with_the_same_second(tmp_path: Path) -> None:
    workload = closed(4, seconds=2, warm_up=0, think_ms=5)
    seen: list[dict[str, Any]] = []
    begun: list[str] = []

    class Watch:
        """The warm-up is over as soon as there is a second of it."""

        warming_up = None

        def take(self, _: Any) -> None:
            begun.append("a second")

        def reason(self, _: Any) -> str | None:
            return "idle" if begun else None

    results = tmp_path / "run"
    results.mkdir()
    with (
        echo_server() as url,
        engines_here(tmp_path / "machines", workload, ("a", "b")) as engines,
    ):
        (target,) = resolve_targets(url, ())
        plan = engine_plan(
            workload, target=target, protocol=Protocol.H1C, cpus=(), seed=1, environment={}
        )
        plan |= {"warm_up": {"at_most_ns": 30 * SECOND_NS}, "users_from_ns": 0}
        found = offer_load(
            plan,
            results,
            (),
            (probe_facts(available_cpus()),),
            on_progress=seen.append,
            watch=nothing,
            steady=Watch(),  # type: ignore[arg-type]
            start=partial(engines.start, workload.workload),
        )
    assert found.load.window is not None
    begins = {each.load.window.start_ns for each in found.elsewhere.values() if each.load.window}
    assert begins == {found.load.window.start_ns}
    assert 3 * SECOND_NS <= found.load.window.start_ns <= 5 * SECOND_NS


def test_windows_that_begin_with_different_seconds_are_no_load(tmp_path: Path) -> None:
    def delay(machine: str, command: EngineCommand) -> EngineCommand:
        if machine == "b" and isinstance(command, BeginWindow):
            late_ns = command.not_before_ns + SECOND_NS
            return command.model_copy(update={"not_before_ns": late_ns})
        return command

    workload = closed(4, seconds=1, warm_up=0, think_ms=5)
    with (
        echo_server() as url,
        engines_here(tmp_path / "machines", workload, ("a", "b"), delay) as engines,
    ):
        (target,) = resolve_targets(url, ())
        plan = engine_plan(
            workload, target=target, protocol=Protocol.H1C, cpus=(), seed=1, environment={}
        )
        load = engines.start(
            workload.workload, {**plan, "warm_up": {"at_most_ns": 9 * SECOND_NS}}, tmp_path
        )
        load.begin()
        while not load.is_over():
            if any(each["event"] == "progress" for each in load.events()):
                load.begin_window()
        with pytest.raises(StepFailed, match=r"began with different seconds.* on a, .* on b"):
            load.ended()
        load.stop()


def test_an_engine_that_is_killed_fails_the_run_and_ends_the_others(tmp_path: Path) -> None:
    pids: list[int] = []

    def kill(_: Any) -> None:
        for path in Path("/proc").glob("[0-9]*/cmdline"):
            try:
                command = path.read_bytes().replace(b"\0", b" ")
            except OSError:
                continue
            if b"loadstone-engine run" in command and str(tmp_path).encode() in command:
                pids.append(int(path.parent.name))
        os.kill(pids[0], signal.SIGKILL)

    workload = closed(4, seconds=60, warm_up=0, think_ms=5)
    with pytest.raises(StepFailed, match=r"[ab]: the engine was killed by SIGKILL"):
        loaded(tmp_path, workload, ("a", "b"), on_progress=kill)
    assert not any(Path(f"/proc/{pid}").exists() for pid in pids)


def test_a_machine_that_never_answers_is_named(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(remote_load, "ANSWER_SECONDS", 1.0)

    def lose(machine: str, command: EngineCommand) -> EngineCommand | None:
        return None if machine == "b" else command

    with pytest.raises(StepFailed, match="b never told within 1 s that it has started its engine"):
        loaded(tmp_path, closed(2, seconds=1, warm_up=0), ("a", "b"), meddle=lose)


def test_what_ends_in_mid_load_ends_every_engine(tmp_path: Path) -> None:
    seen: list[Any] = []

    def watch() -> None:
        if seen:
            raise StepFailed("load", "the service ended in mid-load")

    workload = closed(2, seconds=60, warm_up=0, think_ms=5)
    with pytest.raises(StepFailed, match="the service ended in mid-load"):
        loaded(tmp_path, workload, ("a", "b"), on_progress=seen.append, watch=watch)
