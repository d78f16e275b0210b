"""An adaptive study through the real command: it looks, stops, and can be resumed.

Most of it needs a study of known behaviour and no measurement, and is simulated.
"""

import json
import shutil
from pathlib import Path
from typing import Any

import jsonschema
import pytest
from lab import CHECKOUT, NEVER_WITHHELD, SIMULATE, Ended, Lab, study_of

WORDS = ("run", "trial", "--profile", "moment", *SIMULATE)
STARTS = "workload: starts\nkind: startup\nstarts: 24\n"


def adaptive(*gateways: str, margin: str, metrics: str = NEVER_WITHHELD) -> str:
    return (
        study_of(*gateways, metrics=metrics)
        .replace("blocks: 1", "blocks: adaptive")
        .replace("margin: 3%", f"margin: {margin}")
    )


def looks_of(lab: Lab) -> list[dict[str, Any]]:
    tree = json.loads((lab.results() / "looks.json").read_text())
    jsonschema.validate(tree, json.loads((CHECKOUT / "schemas/looks.schema.json").read_text()))
    found: list[dict[str, Any]] = tree["looks"]
    return found


def runs_of(lab: Lab) -> list[Path]:
    return sorted((lab.results() / "runs").iterdir())


def without_time(look: dict[str, Any]) -> dict[str, Any]:
    return {key: value for key, value in look.items() if key != "taken_at"}


@pytest.fixture(scope="module")
def stopped(tmp_path_factory: pytest.TempPathFactory) -> tuple[Lab, Ended]:
    """Two equal arms, at a margin that 6 blocks are enough for; simulated once for this file."""
    lab = Lab(tmp_path_factory.mktemp("adaptive"))
    lab.study(adaptive("go", margin="100%"))
    lab.behave("default: {}")
    ended = lab.run(*WORDS)
    assert lab.left_behind() == []
    return lab, ended


def test_a_dry_run_tells_the_least_and_the_most(lab: Lab) -> None:
    lab.study(adaptive("go", "node", margin="3%"))
    ended = lab.run("run", "trial", "--profile", "moment", "--dry-run")
    assert ended.code == 0, ended.stderr
    said = " ".join(ended.stdout.split())
    assert "2 arms × 1 workload × 6, 12 or 24 blocks = 12, 24 or 48 runs" in said
    assert "about 0:00:24 to 0:01:36 (h:mm:ss)" in said
    assert "order as listed" not in said.lower()
    assert not (lab.root / "results").exists()


def test_a_dry_run_of_starts_tells_how_many_each_look_has(lab: Lab) -> None:
    (lab.root / "systems/mediation/workloads/starts.yaml").write_text(
        STARTS.replace("starts: 24", "starts: 20")
    )
    text = adaptive("go", "node", margin="3%").replace(
        "[saturation-50b]", "[saturation-50b, starts]"
    )
    lab.study(text.replace("seed: 7", "seed: 7\norder: as-listed"))
    said = " ".join(lab.run("run", "trial", "--dry-run").stdout.split())
    assert "(1 workload × 6, 12 or 24 blocks + 5, 10 or 20 starts) = 22, 44 or 88 runs" in said
    assert "Order as listed, not random" in said


def test_a_study_that_is_precise_enough_stops_at_the_first_look(
    stopped: tuple[Lab, Ended],
) -> None:
    lab, ended = stopped
    assert ended.code == 0, ended.stderr
    (look,) = looks_of(lab)
    assert (look["after_block"], look["runs"], look["stop"]) == (6, 12, True)
    (seen,) = look["comparisons"]
    assert (seen["metric"], seen["baseline"], seen["other"]) == (NEVER_WITHHELD, "go", "again")
    assert seen["standing"] != "open"
    assert len(runs_of(lab)) == 12
    plan = json.loads((lab.results() / "plan.json").read_text())
    assert (plan["looks"], len(plan["runs"])) == ([6, 12, 24], 48)


def test_the_command_says_where_it_looked_and_promises_no_more_than_that(
    stopped: tuple[Lab, Ended],
) -> None:
    _, ended = stopped
    assert (
        "trial: 12 runs, about 0:00:24, to the look after block 6; at most 48 runs" in ended.stderr
    )
    assert "look after block 6: 1 of 1 comparison decided; the study ends here" in ended.stderr
    said = " ".join(ended.stdout.split())
    assert "Adaptive: stopped after 6 of at most 24 blocks, intervals at level 98.33 %" in said
    assert "saturation-50b · 6 blocks" in said
    assert "failed run" not in said
    assert "not done" not in said


def test_a_stopped_study_has_nothing_to_resume(stopped: tuple[Lab, Ended]) -> None:
    lab, _ = stopped
    before = (lab.results() / "looks.json").read_bytes()
    ended = lab.run(*WORDS, "--resume")
    assert ended.code == 2
    assert "there is nothing to resume: " in ended.stderr
    assert (lab.results() / "looks.json").read_bytes() == before
    assert len(runs_of(lab)) == 12


def test_a_look_that_was_not_written_is_taken_with_the_same_decision(
    stopped: tuple[Lab, Ended],
) -> None:
    lab, _ = stopped
    (before,) = looks_of(lab)
    (lab.results() / "looks.json").unlink()
    ended = lab.run(*WORDS, "--resume")
    assert "trial: 0 runs" in ended.stderr
    (after,) = looks_of(lab)
    assert without_time(after) == without_time(before)


def test_a_run_before_the_stop_that_is_done_again_is_looked_at_again(
    stopped: tuple[Lab, Ended],
) -> None:
    lab, _ = stopped
    (before,) = looks_of(lab)
    shutil.rmtree(runs_of(lab)[4])
    ended = lab.run(*WORDS, "--resume")
    assert "trial: 1 run, about" in ended.stderr
    (after,) = looks_of(lab)
    assert after["stop"]
    assert after["taken_at"] != before["taken_at"]
    assert len(runs_of(lab)) == 12


def test_a_simulated_study_that_is_never_precise_looks_to_the_end(lab: Lab) -> None:
    lab.study(adaptive("go", margin="0.01%", metrics="throughput"))
    lab.behave("default: {}")
    assert lab.run(*WORDS).code == 0
    looks = looks_of(lab)
    assert [(look["after_block"], look["stop"]) for look in looks] == [
        (6, False),
        (12, False),
        (24, True),
    ]
    assert len(runs_of(lab)) == 48


@pytest.mark.slow
def test_a_study_that_is_never_precise_goes_on_from_look_to_look(lab: Lab) -> None:
    (lab.root / "systems/mediation/workloads/starts.yaml").write_text(STARTS)
    lab.study(adaptive("go", margin="0.01%", metrics="startup").replace("saturation-50b", "starts"))
    ended = lab.run("run", "trial")
    assert ended.code == 0, ended.stderr
    looks = looks_of(lab)
    # Equal arms end early only where chance makes an interval miss: in one of fifty studies.
    assert [look["after_block"] for look in looks] == [6, 12, 24][: len(looks)]
    assert [look["stop"] for look in looks] == [False] * (len(looks) - 1) + [True]
    assert len(runs_of(lab)) == looks[-1]["runs"] == 2 * looks[-1]["after_block"]
    for look in looks:
        assert f"look after block {look['after_block']}: " in ended.stderr
    assert f"stopped after {looks[-1]['after_block']} of at most 24 blocks" in ended.stdout
