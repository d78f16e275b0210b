"""Asking what is here, on this machine and on a catalogue with faults."""

import shutil
from pathlib import Path

import pytest

from loadstone.deploy.placement import available_cores, place
from loadstone.doctor import ask
from loadstone.doctor import quickstart_needs as quickstart_needs_module
from loadstone.doctor.ask import ask_all
from loadstone.doctor.engine_trial import EngineTrial, try_engine
from loadstone.doctor.quickstart_needs import quickstart_needs
from loadstone.errors import Interrupted, Unavailable
from loadstone.study.systems.catalogue import Catalogue

CHECKOUT = Path(__file__).parents[2]


@pytest.fixture
def catalogue(tmp_path: Path) -> Catalogue:
    ignore = shutil.ignore_patterns("node_modules")
    for name in ("systems", "runtimes", "studies"):
        shutil.copytree(CHECKOUT / name, tmp_path / name, ignore=ignore)
    return Catalogue(tmp_path)


def test_what_quickstart_needs_comes_from_its_study() -> None:
    needs = quickstart_needs(Catalogue(CHECKOUT))
    assert needs.runtimes == {"cpython", "go"}
    assert needs.programs == {"go", "python3"}
    assert needs.problem is None


def test_a_broken_quickstart_study_is_named_with_its_line(catalogue: Catalogue) -> None:
    study = catalogue.roots[0] / "studies" / "quickstart.yaml"
    study.write_text(study.read_text().replace("blocks: 4", "blocks: six", 1))
    needs = quickstart_needs(catalogue)
    assert "quickstart.yaml:" in (needs.problem or "")
    assert needs.remedy


def test_a_signal_while_the_study_is_read_is_no_fault_of_the_study(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def interrupted(*_: object) -> None:
        raise Interrupted("stopped by SIGINT")

    monkeypatch.setattr(quickstart_needs_module, "resolve_plan", interrupted)
    with pytest.raises(Interrupted):
        quickstart_needs(Catalogue(CHECKOUT))


def test_a_broken_runtime_hinders_no_other(
    catalogue: Catalogue, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(
        ask, "try_engine", lambda _: EngineTrial(event_loop="epoll", offered=2, ok=1)
    )
    (catalogue.roots[0] / "runtimes" / "bun.yaml").write_text("runtime: bun\nodd: 1\n")
    answers = ask_all(catalogue, place(available_cores()))
    found = {each.name: each for each in answers.runtimes}
    assert "bun.yaml" in (found["bun"].reason or "")
    assert not found["bun"].needed
    assert found["cpython"].is_here
    assert {each.name for each in answers.runtimes} == set(catalogue.runtimes())
    trial = next(each for each in answers.lab if each.name == "trial load")
    assert trial.reason == "load: only 1 of 2 requests were answered"


def test_missing_binaries_are_needed_and_nothing_is_tried(
    catalogue: Catalogue, monkeypatch: pytest.MonkeyPatch
) -> None:
    def none() -> Path:
        raise Unavailable("loadstone-engine is not installed", "run `make setup`")

    monkeypatch.setattr(ask, "find_engine", none)
    answers = ask_all(catalogue, place(available_cores()))
    engine = answers.lab[0]
    assert (engine.found, engine.reason, engine.remedy, engine.needed) == (
        None,
        "loadstone-engine is not installed",
        "run `make setup`",
        True,
    )
    assert answers.trial is None


def test_an_engine_that_cannot_be_executed_is_needed_with_the_kernels_words(
    catalogue: Catalogue, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refused(_: object) -> EngineTrial:
        raise PermissionError(13, "Permission denied", "/bin/loadstone-engine")

    monkeypatch.setattr(ask, "try_engine", refused)
    answers = ask_all(catalogue, place(available_cores()))
    trial = answers.lab[-1]
    assert "Permission denied: '/bin/loadstone-engine'" in (trial.reason or "")
    assert trial.needed
    assert trial.remedy


def test_the_engine_is_tried_on_the_echo_backend() -> None:
    trial = try_engine(place(available_cores()))
    assert trial.ok == trial.offered > 0
    assert trial.event_loop in ("io_uring", "epoll")
    assert (trial.refusal is None) is trial.io_uring().is_here


def test_an_engine_without_io_uring_says_why() -> None:
    found = EngineTrial(
        event_loop="epoll", offered=1, ok=1, refusal="this kernel has none"
    ).io_uring()
    assert not found.is_here
    assert found.reason == "this kernel has none"
    assert "io_uring_disabled" in (found.remedy or "")
