"""Every committed study runs through in its smoke profile."""

import json
from pathlib import Path

import pytest
from lab import CHECKOUT, LEAVING_SECONDS, Lab, code_of

from loadstone.errors import Unavailable
from loadstone.measure.prepare.stack_sources import stack_sources
from loadstone.study.design.resolve import resolve_plan
from loadstone.study.systems.catalogue import open_catalogue

TIMEOUT_SECONDS = 1800
"""Each stack is built, trained, and checked over each pair of legs before its runs of seconds."""

STUDIES = sorted((CHECKOUT / "studies").glob("*.yaml"))


@pytest.mark.slow
@pytest.mark.timeout(TIMEOUT_SECONDS + LEAVING_SECONDS)
@pytest.mark.parametrize("study", STUDIES, ids=lambda path: path.stem)
def test_the_smoke_profile_completes_every_run(lab: Lab, study: Path) -> None:
    require_its_runtimes(study)
    lab.study(study.read_text(), study.stem)
    command = lab.start("run", study.stem, "--profile", "smoke")
    ended = lab.end(command, timeout_seconds=TIMEOUT_SECONDS)
    plan = json.loads((lab.results() / "plan.json").read_text())
    records = [
        json.loads((lab.results() / "runs" / planned["id"] / "run.json").read_text())
        for planned in plan["runs"]
    ]
    assert [record["failure"] for record in records] == [None] * len(records)
    broken = {
        record["run"]["id"]: check["failed"][:3]
        for record in records
        for check in record["checks"]
        if check["failed"]
    }
    assert broken == {}
    assert ended.code == code_of(lab.results()), ended.stderr


def require_its_runtimes(study: Path) -> None:
    resolved = resolve_plan(study, open_catalogue(CHECKOUT))
    try:
        stack_sources(resolved)
    except Unavailable as error:
        pytest.skip(error.message)
