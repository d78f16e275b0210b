"""Every committed study, workload, stack and runtime is read, and every study plans."""

from collections import Counter
from pathlib import Path

import pytest
from small_lab import load_study

from loadstone.study.design.plan import estimate, make_plan
from loadstone.study.design.resolve import resolve_plan
from loadstone.study.systems.catalogue import Catalogue
from loadstone.study.values.model import StartupWorkload

ROOT = Path(__file__).resolve().parents[2]
CATALOGUE = Catalogue(ROOT)
STUDIES = sorted((ROOT / "studies").glob("*.yaml"))
FAR_APART = {"quickstart", "mediation-yardsticks"}
"""Studies whose arms differ by so much that four blocks tell them apart."""
AS_PUBLISHED = {"booking-as-published", "conference-as-published"}
"""Studies that repeat a publication with as few runs as it had, to show what that can tell."""


@pytest.mark.parametrize("path", STUDIES, ids=[path.stem for path in STUDIES])
def test_a_committed_study_plans_in_full_and_in_every_profile(path: Path) -> None:
    study = load_study(path, CATALOGUE)
    assert study.study == path.stem
    least = 1 if study.study in AS_PUBLISHED else 4 if study.study in FAR_APART else 6
    assert study.blocks >= least, "fewer blocks rarely tell"
    assert "smoke" in study.profiles
    for profile in (None, *study.profiles):
        plan = make_plan(study, profile)
        repetitions = [
            each.starts if isinstance(each, StartupWorkload) else plan.blocks
            for each in plan.workloads
            for arm in plan.arms
            if arm.is_under(each.workload)
        ]
        assert len(plan.runs) == sum(repetitions)
        assert plan.questions


@pytest.mark.parametrize("system", CATALOGUE.systems())
def test_a_committed_system_is_read_with_its_workloads_and_stacks(system: str) -> None:
    assert [CATALOGUE.workload(system, name) for name in CATALOGUE.workloads(system)]
    for service in CATALOGUE.system(system).names:
        for stack in CATALOGUE.stacks(CATALOGUE.system(system), service):
            assert [CATALOGUE.runtime(runtime).detect for runtime in stack.runtimes]


@pytest.mark.parametrize("runtime", CATALOGUE.runtimes())
def test_a_committed_runtime_says_how_to_get_it(runtime: str) -> None:
    assert CATALOGUE.runtime(runtime).install.endswith(".")


def test_the_quickstart_leaves_time_for_set_up_within_ten_minutes() -> None:
    plan = resolve_plan(ROOT / "studies/quickstart.yaml", CATALOGUE).plan
    assert estimate(plan).seconds < 7 * 60


def test_the_release_has_the_published_grid_in_full_and_eight_scenarios_by_default() -> None:
    study = load_study(ROOT / "studies/mediation-release.yaml", CATALOGUE)
    scenarios = 8
    for profile, points in (("full", scenarios * 3 * 2), (None, scenarios + 2 * 2)):
        plan = make_plan(study, profile)
        under = Counter(
            (arm.factors["gateway"], arm.legs["client"], arm.legs["upstream"], each.workload)
            for arm in plan.arms
            for each in plan.workloads
            if arm.is_under(each.workload)
        )
        by_gateway = Counter(gateway for gateway, *_ in under)
        assert by_gateway["go"] == by_gateway["spring"] == points
        assert by_gateway["haproxy"] < points, "a ready-made proxy transforms nothing"
        assert len(plan.runs) == sum(under.values()) * plan.blocks
        assert len(plan.questions) == scenarios
    plan = resolve_plan(ROOT / "studies/mediation-release.yaml", CATALOGUE).plan
    assert estimate(plan).seconds < 7 * 3600
