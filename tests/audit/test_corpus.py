"""The audit finds what is wrong with the runs of the corpus, and has nothing against the healthy ones.

With few seeds; `make audit-corpus` has more, and a table.
"""

from collections import Counter

import pytest

from corpus.catalogue import CLEAN, DEFECTS
from corpus.model import Clean, Defect
from corpus.outcome import (
    LEAST_FOUND_SHARE,
    MOST_FALSE_WARNING_SHARE,
    Acquittal,
    Detection,
    acquittals,
    detections,
    totals,
)
from corpus.table import lines
from corpus.trials import Trial, Tried, attempt, trials, try_all
from loadstone.findings.model import Severity

pytestmark = pytest.mark.timeout(900)  # a few hundred runs, beside whatever else is tested
FEW_SEEDS = 2
SIMULATED = [each for each in (*DEFECTS, *CLEAN) if not each.live]
LIVE = [each for each in (*DEFECTS, *CLEAN) if each.live]
DEFECT, HEALTHY = DEFECTS[0], CLEAN[0]


@pytest.fixture(scope="module")
def tried() -> list[Tried]:
    """Healthy kinds, and defects at their default strength and at none."""
    told = [
        trial
        for kind in SIMULATED
        for trial in trials([kind], FEW_SEEDS)
        if isinstance(kind, Clean) or trial.strength in (0.0, kind.default)
    ]
    return list(try_all(told))


def test_defects_are_found_at_their_default_strength(tried: list[Tried]) -> None:
    found = [each for each in detections(tried) if each.is_default]
    assert [each.defect.kind for each in found if not each.found] == []
    told = totals(found, [])
    assert told.found >= LEAST_FOUND_SHARE * told.tried


def test_no_defect_is_found_at_no_strength(tried: list[Tried]) -> None:
    none = [each for each in detections(tried) if each.strength == 0]
    assert len(none) >= 25
    assert [(each.defect.kind, each.found) for each in none if each.found] == []


def test_healthy_runs_and_studies_are_left_alone(tried: list[Tried]) -> None:
    found = acquittals(tried)
    assert [(each.clean.kind, dict(each.withheld)) for each in found if each.withheld] == []
    accused = sum(each.accused for each in found)
    assert accused <= MOST_FALSE_WARNING_SHARE * sum(each.tried for each in found), found


def test_the_corpus_is_large_enough_to_prove_something() -> None:
    assert len(DEFECTS) >= 40
    assert len(CLEAN) >= 30
    assert len({each.kind for each in (*DEFECTS, *CLEAN)}) == len(DEFECTS) + len(CLEAN)


@pytest.mark.parametrize("defect", DEFECTS, ids=lambda each: each.kind)
def test_the_default_strength_is_one_of_those_that_are_tried(defect: Defect) -> None:
    assert defect.default in defect.strengths
    assert list(defect.strengths) == sorted(defect.strengths)


def test_a_seed_fixes_what_is_found() -> None:
    kinds = [("hung users", 0.2), ("stolen CPU", 0.15), ("seconds that resemble each other", None)]
    for kind, strength in kinds:
        trial = Trial(kind, strength, seed=3)
        assert attempt(trial) == attempt(trial)


def told(strength: float | None, *found: tuple[str, Severity]) -> Tried:
    kind = HEALTHY.kind if strength is None else DEFECT.kind
    return Tried(Trial(kind, strength, 1), frozenset(found))


RIGHT, OTHER = DEFECT.codes[0], "another-code"
WITHHOLD, WARNING, NOTE = Severity.WITHHOLD, Severity.WARNING, Severity.NOTE


def test_only_a_right_code_counts_as_found() -> None:
    results = [
        told(DEFECT.default, (RIGHT, WARNING), (OTHER, WITHHOLD)),
        told(DEFECT.default, (OTHER, WITHHOLD), (OTHER, NOTE)),
    ]
    (found,) = detections(results)
    assert (found.found, found.tried, found.told_as) == (1, 2, WARNING)
    assert found.also == Counter({OTHER: 2})


def test_notes_are_no_accusations_but_warnings_are() -> None:
    results = [told(None, (OTHER, NOTE)), told(None, (OTHER, WARNING)), told(None)]
    (found,) = acquittals(results)
    assert (found.tried, found.accused, dict(found.warned), dict(found.withheld)) == (
        3,
        1,
        {OTHER: 1},
        {},
    )


def detected(found: int, tried: int, strength: float = DEFECT.default) -> Detection:
    return Detection(DEFECT, strength, found, tried, WARNING, Counter())


def acquitted(tried: int, withheld: int = 0, accused: int = 0) -> Acquittal:
    told = Counter({OTHER: withheld}), Counter({OTHER: accused}), Counter({"short-run": 1})
    return Acquittal(HEALTHY, tried, *told, accused)


@pytest.mark.parametrize(
    ("found", "clean", "hold"),
    [
        ([detected(95, 100)], [acquitted(100, accused=2)], True),
        ([detected(94, 100)], [acquitted(100)], False),
        ([detected(1000, 1000), detected(49, 100)], [acquitted(100)], False),
        ([detected(100, 100)], [acquitted(100, withheld=1)], False),
        ([detected(100, 100)], [acquitted(100, accused=3)], False),
        ([detected(100, 100), detected(3, 100, strength=0)], [acquitted(100)], False),
    ],
    ids=[
        "all bars reached",
        "missed",
        "a kind missed",
        "a false withhold",
        "false warnings",
        "found in nothing",
    ],
)
def test_each_bar_can_be_missed(found: list[Detection], clean: list[Acquittal], hold: bool) -> None:
    sums = totals(found, clean)
    assert sums.hold is hold
    assert any(line.startswith("found at default strength: ") for line in lines(found, clean, sums))


@pytest.mark.slow
@pytest.mark.parametrize("kind", LIVE, ids=lambda each: each.kind)
def test_a_real_server_is_judged_as_its_kind_says(kind: Defect | Clean) -> None:
    (tried, *_) = (attempt(trial) for trial in trials([kind], 1) if _is_default(trial, kind))
    if isinstance(kind, Defect):
        assert tried.codes() & set(kind.codes)
    else:
        assert tried.codes(WITHHOLD) <= set(kind.true_of_it)


def _is_default(trial: Trial, kind: Defect | Clean) -> bool:
    return isinstance(kind, Clean) or trial.strength == kind.default
