"""Claims of others in a study's file: what they resolve to, and what is wrong with a wrong one."""

from pathlib import Path

import pytest
from small_lab import SmallLab, plan_of

from loadstone.errors import InputError

CLAIM = """\
claims:
  - claim: Node is slower than Go
    source: Table 5
    of: {gateway: node}
    against: {gateway: go}
    says: higher
    metric: response_time.p99
    margin: 5%
    published_ratio: 1.35
    workload: busy
profiles:
"""


def study(lab: SmallLab, old: str = "", new: str = "") -> Path:
    """The base study with the claim above, in which one text is replaced."""
    assert old in CLAIM
    return lab.study("profiles:\n", CLAIM.replace(old, new) if old else CLAIM)


def test_a_claim_names_two_arms_by_their_levels(lab: SmallLab) -> None:
    (claim,) = plan_of(study(lab), lab.catalogue).claims
    assert (claim.of, claim.against, claim.says) == ("node", "go", "higher")
    assert (claim.claim, claim.source) == ("Node is slower than Go", "Table 5")
    assert (claim.margin, claim.published_ratio, claim.workload) == (0.05, 1.35, "busy")


def test_a_study_needs_none(lab: SmallLab) -> None:
    assert plan_of(lab.study(), lab.catalogue).claims == ()


def test_a_profile_without_its_workload_leaves_a_claim_out(lab: SmallLab) -> None:
    path = study(lab, "profiles:\n", "profiles:\n  short: {workloads: [steady]}\n")
    assert len(plan_of(path, lab.catalogue, "smoke").claims) == 1
    assert plan_of(path, lab.catalogue, "short").claims == ()


CASES = {
    "an arm that is not there": (
        "{gateway: node}",
        "{gateway: rust}",
        "claims[0].of.gateway: rust is not a level of gateway under busy",
    ),
    "a factor that is not there": (
        "{gateway: node}",
        "{getaway: node}",
        "claims[0].of.getaway: is not a factor of this study",
    ),
    "several arms": (
        "{gateway: node}",
        "{client: h1c}",
        "claims[0].of: 2 arms under busy have all of these: go, node",
    ),
    "the same arm twice": (
        "{gateway: node}",
        "{gateway: go}",
        "claims[0].against: is the arm of `of`",
    ),
    "an unknown metric": (
        "metric: response_time.p99",
        "metric: p99",
        "claims[0].metric: p99 is not known here",
    ),
    "a metric of footprints": (
        "metric: response_time.p99",
        "metric: pss.at_rest",
        "claims[0].metric: pss.at_rest is not measured under busy, which is of kind load",
    ),
    "an unknown workload": (
        "workload: busy",
        "workload: idle",
        "claims[0].workload: idle is not a workload of this study",
    ),
    "no workload of two": (
        "    workload: busy\n",
        "",
        "claims[0]: does not say which workload it is about",
    ),
    "an operation of another workload": (
        "workload: busy",
        "operation: look\n    workload: busy",
        "claims[0].operation: is no part of busy",
    ),
    "another word for a direction": (
        "says: higher",
        "says: slower",
        "claims[0].says: must be 'higher', 'lower' or 'alike', not 'slower'",
    ),
    "a published ratio of nothing": (
        "published_ratio: 1.35",
        "published_ratio: 0",
        "claims[0].published_ratio:",
    ),
}


@pytest.mark.parametrize("case", CASES)
def test_a_wrong_claim_is_told_by_its_key(lab: SmallLab, case: str) -> None:
    old, new, message = CASES[case]
    path = study(lab, old, new)
    with pytest.raises(InputError) as caught:
        plan_of(path, lab.catalogue)
    assert message in caught.value.message
    assert caught.value.remedy


def test_the_same_claim_twice_is_a_slip(lab: SmallLab) -> None:
    whole = CLAIM.removeprefix("claims:\n").removesuffix("profiles:\n")
    path = study(lab, "profiles:\n", f"{whole}profiles:\n")
    with pytest.raises(InputError, match=r"claims\[1\].claim: is there twice"):
        plan_of(path, lab.catalogue)
