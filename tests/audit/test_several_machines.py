"""What is said of a study on several machines: unlike figures, lost blocks, unlike machines, Ray."""

import json
import math
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from changes import with_process, with_record, with_use
from scipy import stats

from loadstone.analysis.analyse import analyse
from loadstone.audit.machine.cluster import BUSY_SHARE, cluster_busy, wrong_priority
from loadstone.audit.study.machines import (
    CLOCK_BOUND_NS,
    SITE_ALPHA,
    FigureBySite,
    clocks_apart,
    machines_differ,
    machines_disagree,
    machines_lost,
    unequal_machines,
)
from loadstone.findings.model import Severity
from loadstone.results import folder
from loadstone.results.assignments import Assignment, Assignments
from loadstone.results.environment import ClockOffset, Machine, SiteFacts
from loadstone.results.record import ProcessFacts
from loadstone.results.resource_facts import ResourceFacts
from loadstone.results.window import WindowedRun
from observed import observed
from results_builder import Behaviour, build_results

STUDIES = 4000
MOST_FALSE = stats.binom.ppf(0.999, STUDIES, SITE_ALPHA)
MARGIN = 0.03


def figure_of(
    rng: np.random.Generator,
    *,
    arms: int = 2,
    sites: int = 2,
    blocks: int = 6,
    noise: float = 0.01,
    block_noise: float = 0.02,
    of_sites: tuple[float, ...] = (),
    of_cells: tuple[float, ...] = (),
) -> FigureBySite:
    """A study's runs; `of_sites` are logarithms of what each site does to all arms, `of_cells` of what
    each does to the first arm.
    """
    shared = block_noise * rng.standard_normal(blocks)
    rows = [
        (f"arm-{arm}", block + 1, site, float(value))
        for block in range(blocks)
        for site in [block % sites]
        for arm in range(arms)
        for value in [
            arm * 0.1
            + shared[block]
            + noise * rng.standard_normal()
            + (of_sites[site] if of_sites else 0.0)
            + (of_cells[site] if of_cells and arm == 0 else 0.0)
        ]
    ]
    names, numbers, at, logarithms = zip(*rows, strict=True)
    return FigureBySite(
        "throughput", "closed", names, numbers, tuple("abcd"[site] for site in at), logarithms
    )


@pytest.mark.parametrize(("sites", "blocks", "arms"), [(2, 6, 2), (3, 6, 4), (4, 24, 2)])
def test_like_machines_are_doubted_in_at_most_one_study_of_a_hundred(
    sites: int, blocks: int, arms: int
) -> None:
    rng = np.random.default_rng(1)
    studies = [figure_of(rng, sites=sites, blocks=blocks, arms=arms) for _ in range(STUDIES)]
    assert sum(any(machines_differ([each], 1e-9)) for each in studies) <= MOST_FALSE
    assert sum(any(machines_disagree([each])) for each in studies) <= MOST_FALSE


def test_how_often_an_effect_of_machines_on_an_arm_is_found_is_as_documented() -> None:
    """Effects of 2 %, run noise 1 %: 2 sites with 3 blocks each, and 4 with 6."""
    rng, found = np.random.default_rng(2), []
    for sites, blocks in ((2, 6), (4, 24)):
        studies = [
            figure_of(
                rng,
                sites=sites,
                blocks=blocks,
                of_cells=tuple(0.02 * rng.standard_normal(sites)),
            )
            for _ in range(1000)
        ]
        found.append(sum(any(machines_disagree([each])) for each in studies) / len(studies))
    few, many = found
    assert few < many / 2


def test_a_machine_that_is_slower_for_all_arms_is_named_and_one_within_the_margin_is_not() -> None:
    rng = np.random.default_rng(3)
    apart = figure_of(rng, block_noise=0.002, of_sites=(0.0, 0.05))
    (finding,) = machines_differ([apart], MARGIN)
    assert (finding.code, finding.severity, finding.metrics) == (
        "machines-differ",
        Severity.WARNING,
        ("throughput",),
    )
    assert "higher on b than on a" in finding.evidence
    assert not [*machines_differ([apart], 0.10)]
    assert not [*machines_disagree([apart])]


def test_an_arm_that_one_machine_treats_otherwise_is_named() -> None:
    rng = np.random.default_rng(4)
    (finding,) = machines_disagree([figure_of(rng, arms=3, blocks=12, of_cells=(0.0, -0.08))])
    assert finding.code == "machines-disagree"
    assert "most of all arm-0 on " in finding.evidence


@pytest.mark.parametrize(
    "figure",
    [
        FigureBySite("throughput", "closed", ("x", "y"), (1, 1), ("a", "a"), (0.0, 0.1)),
        FigureBySite(
            "throughput", "closed", ("x", "y") * 2, (1, 1, 2, 2), ("a", "a", "b", "b"), (0.0,) * 4
        ),
    ],
)
def test_of_one_site_or_one_block_each_nothing_is_told(figure: FigureBySite) -> None:
    assert not [*machines_differ([figure], MARGIN), *machines_disagree([figure])]


def test_by_hand() -> None:
    """Block means 1, 2 at a and 4, 5 at b: F is 18 with 1 and 2 degrees, p 0.0513."""
    figure = FigureBySite(
        "throughput", "closed", ("x",) * 4, (1, 2, 3, 4), tuple("aabb"), (1, 2, 4, 5)
    )
    assert not [*machines_differ([figure], MARGIN)]
    expected = stats.f_oneway([1, 2], [4, 5]).pvalue
    assert math.isclose(expected, 0.0513, abs_tol=1e-4)


def test_what_was_lost_is_told_with_who_did_it() -> None:
    reason = "b was lost: its machine is off"
    (finding,) = machines_lost(
        [
            Assignment(block=1, site="a", attempt=1),
            Assignment(block=2, site="b", attempt=1),
            Assignment(block=2, site="a", attempt=2, reason=reason),
            Assignment(block=4, site="a", attempt=1, reason=reason),
        ]
    )
    assert (finding.code, finding.severity) == ("machine-lost", Severity.NOTE)
    assert finding.evidence == (
        f"{reason}; others did 2 blocks of it: 2 (by a), 4 (by a); 1 block had been begun and was done "
        "again, whole"
    )


def facts(clock: str = "tsc", bound_ns: int = 1, **changes: object) -> SiteFacts:
    offset = ClockOffset(offset_ns=-5, bound_ns=bound_ns, round_trip_ns=2)
    made = SiteFacts(machine=Machine(clock_source=clock), clock=offset)
    return made.model_copy(update=changes)


def test_machines_that_are_unlike_in_what_is_not_refused_are_told() -> None:
    assert not [*unequal_machines({"a": facts()}), *unequal_machines({"a": facts(), "b": facts()})]
    (finding,) = unequal_machines(
        {"a": facts(), "b": facts("hpet", link_bits_per_second=10**9, mitigations={"mds": "off"})}
    )
    assert "clock source: tsc, and hpet on b" in finding.evidence
    assert "link: unknown, and 1 Gbit/s on b" in finding.evidence


def test_a_clock_that_is_not_known_well_is_told() -> None:
    assert not [*clocks_apart({"a": facts(bound_ns=CLOCK_BOUND_NS)})]
    (finding,) = clocks_apart({"a": facts(bound_ns=CLOCK_BOUND_NS + 1)})
    assert finding.code == "clock-apart"


def beside_ray(directory: Path, share: float) -> WindowedRun:
    run = observed(directory)
    ray = ProcessFacts(role="cluster", name="cluster", command="raylet", pid=1, cpus=(0,))
    window_ns = run.window.end_ns - run.window.start_ns
    used = ResourceFacts(cpu_ns=round(share * window_ns), cpu_share=share, rss_peak_bytes=1)
    return with_record(
        run,
        processes=(*run.record.processes, ray),
        resources={**run.record.resources, "cluster": used},
    )


@pytest.mark.parametrize(("share", "told"), [(BUSY_SHARE, 0), (BUSY_SHARE + 0.001, 1)])
def test_ray_that_works_beside_a_run_is_told(tmp_path: Path, share: float, told: int) -> None:
    assert [each.code for each in cluster_busy(beside_ray(tmp_path, share))] == (
        ["cluster-busy"] * told
    )


@pytest.mark.parametrize(
    ("site", "changes", "told"),
    [
        ("a", {}, 0),
        ("a", {"nice": 15}, 1),
        ("a", {"oom_score": 1000}, 1),
        (None, {"nice": 15, "oom_score": 1000}, 0),
    ],
)
def test_a_service_that_gave_way_on_a_machine_of_a_cluster_has_no_figures(
    tmp_path: Path, site: str | None, changes: dict[str, object], told: int
) -> None:
    run = with_process(observed(tmp_path), "gateway", **changes)
    identity = run.record.run.model_copy(update={"site": site})
    run = replace(run, record=run.record.model_copy(update={"run": identity}))
    found = [*wrong_priority(run)]
    assert [each.severity for each in found] == [Severity.WITHHOLD] * told


def at_sites(results: Path, sites: str) -> Path:
    """Say of a study's runs that these sites did its blocks in turn."""
    for path in results.glob("runs/*/run.json"):
        record = json.loads(path.read_text())
        record["run"]["site"] = sites[(record["run"]["block"] - 1) % len(sites)]
        path.write_text(json.dumps(record))
    return results


def test_of_a_study_at_two_sites_that_are_alike_nothing_is_said_and_its_verdicts_stand(
    tmp_path: Path,
) -> None:
    arms = {"go": Behaviour(), "node": Behaviour(median_ms=26.0)}
    one, two = (build_results(tmp_path / name, arms=arms) for name in ("one", "two"))
    alone, _ = analyse(one)
    together, findings = analyse(at_sites(two, "ab"))
    assert together.comparisons == alone.comparisons
    codes = {finding.code for finding in findings}
    assert not codes & {"machines-differ", "machines-disagree", "machine-lost", "unequal-machines"}


def test_assignments_of_a_study_are_audited(tmp_path: Path) -> None:
    results = at_sites(build_results(tmp_path, arms={"go": Behaviour()}), "ab")
    lost = Assignments(assignments=(Assignment(block=1, site="b", attempt=2, reason="a was lost"),))
    (results / folder.ASSIGNMENTS).write_text(lost.model_dump_json())
    _, findings = analyse(results)
    assert "machine-lost" in {finding.code for finding in findings}


def test_a_use_of_ray_changes_no_figure(tmp_path: Path) -> None:
    run = with_use(beside_ray(tmp_path, 0.5), "cluster", cpu_ns=None)
    assert not [*cluster_busy(run)]
