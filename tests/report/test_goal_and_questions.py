"""The head of a report: its goal, its questions, and the metrics that answer them."""

from page_reader import PageReader
from study_builder import ENVIRONMENT, StudyBuilder

from loadstone.report.goal_and_questions import asked
from loadstone.report.page.html import render_html
from loadstone.report.page.markdown import render_markdown
from loadstone.study.values.model import Plan

ASKED = (
    "is node slower than go? Compares gateway by response time p99 (primary), throughput, "
    "failures; margin 3 %."
)


def plan(**changes: object) -> Plan:
    made = StudyBuilder().plan()
    (question,) = made.questions
    return made.model_copy(update={"questions": (question.model_copy(update=changes),)})


def test_a_question_has_its_factor_its_metrics_and_its_margin() -> None:
    assert asked(plan()) == (ASKED,)


def test_a_single_metric_needs_no_rank() -> None:
    (text,) = asked(plan(metrics=("throughput",)))
    assert text.endswith("Compares gateway by throughput; margin 3 %.")


def test_what_narrows_a_question_is_told() -> None:
    (text,) = asked(
        plan(
            group="buyers",
            operation="buy",
            where={"client": ("h1", "h2"), "upstream": "h1c"},
            metrics=("throughput",),
        )
    )
    assert text.endswith(
        "Compares gateway where client h1 or h2, upstream h1c by throughput of group buyers, "
        "operation buy; margin 3 %."
    )


def test_the_head_of_a_page_says_goal_questions_and_metrics_before_any_answer() -> None:
    builder = StudyBuilder()
    page = PageReader(render_html(builder.analysis(), (), builder.plan(), ENVIRONMENT))
    head, _, _ = page.text.partition("Answers")
    assert "Goal: what Express costs a pass-through gateway beside net/http" in head
    assert f"1 question, and the metrics that answer it {ASKED}" in head
    opened = [present for tag, present in page.elements if tag == "details"]
    assert "open" in opened[0]


def test_many_questions_are_folded() -> None:
    builder = StudyBuilder()
    made = builder.plan()
    (question,) = made.questions
    three = tuple(question.model_copy(update={"question": f"number {at}?"}) for at in range(3))
    several = made.model_copy(update={"questions": three})
    page = PageReader(render_html(builder.analysis(), (), several, ENVIRONMENT))
    folded = [present for tag, present in page.elements if tag == "details"]
    assert "open" not in folded[0]
    assert "3 questions, and the metrics that answer them" in page.text


def test_markdown_begins_with_them() -> None:
    builder = StudyBuilder()
    lines = render_markdown(builder.analysis(), (), builder.plan(), ENVIRONMENT).splitlines()
    assert lines[0] == "# mediation-smoke"
    assert lines[2].startswith("Goal: what Express costs")
    assert lines[4].startswith("1. is node slower than go? Compares gateway")


def test_a_study_without_questions_has_its_goal_alone() -> None:
    builder = StudyBuilder()
    empty = builder.plan().model_copy(update={"questions": ()})
    analysis = builder.analysis().model_copy(update={"answers": ()})
    page = PageReader(render_html(analysis, (), empty, ENVIRONMENT))
    assert "metrics that answer" not in page.text
