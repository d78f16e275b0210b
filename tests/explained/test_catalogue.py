"""Every outcome is explained, and every explanation is whole, short, and of one home."""

import re
from dataclasses import astuple
from pathlib import Path
from typing import get_args

import pytest

import loadstone
from loadstone.analysis.answer_model import Outcome as Answered
from loadstone.analysis.answer_model import Trust
from loadstone.analysis.claim_model import Reproduced
from loadstone.analysis.model import FigureState, Verdict
from loadstone.explained.answers import OF_CLAIMS, OF_COMPARISONS, OF_QUESTIONS, OF_TRUST
from loadstone.explained.catalogue import SECTIONS, explained, names, typed
from loadstone.explained.model import Explained, ExplainedFinding, Section
from loadstone.explained.outcomes import OF_FIGURES, OF_REQUESTS, OF_RUNS, STEPS
from loadstone.generate import findings_page
from loadstone.measure.run_facts import RunFacts
from loadstone.metrics.outcomes import Outcome
from loadstone.results.record import RunRecord

EVERY = [each for section in SECTIONS for each in section.entries]
NOT_OF_A_RUN = {"probe"}
"""A step of `doctor`, which runs no study."""
STEP = re.compile(r'StepFailed\(\s*"([a-z-]+)"|facts\.phase\("(\w+)"')


def named(*sections: Section) -> set[str]:
    return {each.name for section in sections for each in section.entries}


def test_every_outcome_of_a_request_is_explained() -> None:
    assert named(OF_REQUESTS) == {each.value for each in Outcome}


def test_every_status_of_a_run_is_explained() -> None:
    status = RunRecord.model_fields["status"].annotation
    assert named(OF_RUNS) == {*get_args(status), "simulated"}


def test_every_step_in_which_a_run_fails_is_explained() -> None:
    sources = Path(loadstone.__file__).parent.rglob("*.py")
    found = (each for path in sources for each in STEP.findall(path.read_text()))
    steps = {failed or phase for failed, phase in found}
    assert {"build", "start-up", "load", "teardown"} < steps
    assert named(STEPS) == (steps - NOT_OF_A_RUN) | {RunFacts().step}


def test_every_state_of_a_figure_is_explained() -> None:
    assert named(OF_FIGURES) == set(get_args(FigureState))


def test_every_outcome_of_a_question_a_comparison_and_a_claim_is_explained() -> None:
    assert named(OF_QUESTIONS) == {*get_args(Answered), "no place"}
    assert named(OF_COMPARISONS, OF_QUESTIONS) >= {each.value for each in Verdict}
    assert named(OF_CLAIMS) == set(get_args(Reproduced))
    assert named(OF_TRUST) == set(get_args(Trust))


@pytest.mark.parametrize("each", EVERY, ids=[each.name for each in EVERY])
def test_an_explanation_has_every_part_and_no_full_stop(each: Explained) -> None:
    parts = (each.name, each.means, each.why, each.do)
    if isinstance(each, ExplainedFinding):
        parts = (*parts, each.threshold, each.severities)
    for part in parts:
        assert part.strip() == part
        assert part
        assert not part.endswith(".")
        assert "|" not in part, "it would end a cell of a table"
        assert "\n" not in part


def test_a_name_is_found_however_its_words_are_joined() -> None:
    for written in ("cannot tell", "cannot-tell", "Cannot_Tell"):
        ((section, each),) = explained(written)
        assert (section, each.name) == (OF_QUESTIONS, "cannot tell")
    assert typed("not_sent") in names()
    assert explained("no such word") == ()


def test_one_name_may_have_several_meanings() -> None:
    assert [section.title for section, _ in explained("check")] == [OF_REQUESTS.title, STEPS.title]
    assert len(explained("failed")) == 2
    assert len(names()) == len(set(names()))


def test_the_committed_page_is_made_of_it() -> None:
    assert findings_page.main(["--check"]) == 0
    page = findings_page.page()
    for each in EVERY:
        for part in (part for part in astuple(each) if part != each.name):
            assert part in page
    for section in SECTIONS:
        assert page.count(f"\n## {section.title}\n") == 1
