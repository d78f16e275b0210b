"""What is said of the warmth of a run alone, by `loadstone audit` of its folder and by `bench`."""

import pytest
from lab import Ended, Lab
from servers import Hello, Warming, http_server

import k6_files
from corpus.runs import run_of
from corpus.scenario import Scenario
from corpus.service import Service
from corpus.warming import WORK_MS, approaching
from corpus.workloads import load

UNSEEN = """
from loadstone.deploy.listener import NoListener
from loadstone.measure.loading import url_load
url_load.find_listener = lambda _: NoListener("it is hidden")
"""


def audited(lab: Lab, time_constant: float, *, seconds: int = 30, users: int = 8) -> Ended:
    scenario = Scenario(service=Service(work_ms=WORK_MS, pace=approaching(time_constant)))
    warm_up = seconds // 3
    run = run_of(lab.root, 1, scenario, load(users, seconds=seconds, warm_up=warm_up))
    return lab.run("audit", str(run), columns=200)


def test_one_that_was_still_warming_up_is_told(lab: Lab) -> None:
    shown = audited(lab, 10).stdout
    assert "still-warming  001-go-load" in shown
    assert "the service was still warming up: its CPU per ok is at least " in shown
    assert "above what it was heading for (at most 3 %)" in shown
    assert "→ write `warm_up: steady`, or a longer one" in shown


def test_of_one_that_was_level_nothing_is_told(lab: Lab) -> None:
    shown = audited(lab, 0).stdout
    assert "still-warming" not in shown
    assert "could not be judged" not in shown


def test_one_that_is_too_short_to_judge_is_not_passed_over(lab: Lab) -> None:
    shown = audited(lab, 0, seconds=9).stdout
    assert (
        "Whether the service was warm could not be judged: the load is too short (fewer than 8 points "
        "of 1 s)."
    ) in shown


@pytest.mark.parametrize(
    ("falls", "seconds"), [(True, 60), (False, 60), (False, 6)], ids=["warming", "level", "short"]
)
def test_an_imported_run_is_judged_by_its_response_times(
    lab: Lab, falls: bool, seconds: int
) -> None:
    pace = approaching(20 if falls else 0)
    k6_files.write(
        lab.root / "a.csv", k6_files.closed_load(users=20, seconds=seconds, pause_ms=80, pace=pace)
    )
    assert lab.run("import", "k6", "a.csv", "--out", "runs").code == 0
    shown = lab.run("audit", "runs/a", columns=200).stdout
    assert ("its median response time is at least" in shown) == falls
    assert ("leave more of the begin out by `--warm-up`" in shown) == falls
    assert ("could not be judged: the load is too short" in shown) == (seconds < 10)


def test_bench_tells_of_a_service_that_becomes_faster_until_the_end(lab: Lab) -> None:
    """By its answers alone, which sleep: what they cost depends on what else the machine does."""
    with http_server(Warming) as url:
        words = ("bench", f"{url}/", "--users", "8", "--duration", "16s")
        shown = lab.run(*words, columns=200, changed=UNSEEN).stdout
    assert "still-warming  bench" in shown
    assert "the service was still warming up: its median response time is at least " in shown
    assert "→ give `--warm-up steady`, or a longer one" in shown


def test_bench_says_that_a_second_is_too_short_to_judge(lab: Lab) -> None:
    with http_server(Hello) as url:
        shown = lab.run("bench", f"{url}/", "--users", "2", "--duration", "1s", columns=200).stdout
    assert "Whether the service was warm could not be judged: the load is too short" in shown
