"""One question's answer as every report shows it: in HTML, in Markdown, on a terminal."""

from dataclasses import dataclass

from loadstone.analysis.answer_model import Answer, Trust
from loadstone.analysis.model import Analysis
from loadstone.report.answers.matrix import Matrix, matrix
from loadstone.report.answers.places import RankedFigures, ranked_figures


@dataclass(frozen=True, slots=True)
class AnswerView:
    """One question."""

    key: str
    """Of its place in the page."""
    question: str
    compare: str
    """The factor whose levels it compares."""
    first: str
    """The sentence that answers."""
    rest: tuple[str, ...]
    """What else belongs to the answer."""
    belief: str
    trust: Trust
    further: tuple[str, ...]
    matrix: Matrix | None
    """Of a question with many cases, by its primary metric."""
    ranked: tuple[RankedFigures, ...]
    """By its primary metric, a case each."""
    others: tuple[RankedFigures, ...]
    """By its other metrics."""


def answer_views(analysis: Analysis) -> tuple[AnswerView, ...]:
    """Every question in the study's order; none of a simulated study, which answers nothing."""
    if analysis.simulated:
        return ()
    made_of = {arm.id: arm.made_of for arm in analysis.arms}
    return tuple(
        _view(answer, f"{number}", made_of)
        for number, answer in enumerate(analysis.answers, start=1)
    )


def _view(answer: Answer, key: str, made_of: dict[str, tuple[str, ...]]) -> AnswerView:
    keyed = [(each, f"{key}-{number}") for number, each in enumerate(answer.standings, start=1)]
    primary = answer.standings[0].metric if answer.standings else ""
    own = [(each, name) for each, name in keyed if each.metric == primary]
    first, *rest = answer.headline or ("",)
    return AnswerView(
        key=key,
        question=answer.question,
        compare=answer.compare,
        first=first,
        rest=tuple(rest),
        belief=answer.belief,
        trust=answer.trust,
        further=answer.further,
        matrix=matrix([each for each, _ in own], [name for _, name in own]),
        ranked=tuple(ranked_figures(each, name, made_of) for each, name in own),
        others=tuple(
            ranked_figures(each, name, made_of) for each, name in keyed if each.metric != primary
        ),
    )
