"""Standings made of nothing but figures: what sentences need."""

from collections.abc import Mapping, Sequence
from typing import Any

from loadstone.analysis.answer_model import Answer, Lead, NoPlace, Outcome, Place, Standing
from loadstone.analysis.sentences.headline import headline
from loadstone.analysis.sentences.standings import standing_sentences
from loadstone.metrics.catalogue import metric as info

WIDTH = 0.02
"""Of the interval of each figure, on both sides."""


def standing(
    figures: Mapping[str, float],
    metric: str = "throughput",
    *,
    best: int = 1,
    outcome: Outcome | None = None,
    missing: Sequence[NoPlace] = (),
    bound: str = "",
    names_workload: bool = False,
    **changes: Any,
) -> Standing:
    """The figures from the best to the worst, of which `best` share first place, as told apart."""
    labels = [*figures]
    is_ratio = info(metric).scale == "ratio"
    sign = 1 if info(metric).direction == "lower" else -1
    shared = labels[:best]

    def behind(label: str) -> float:
        return (figures[label] / figures[labels[0]]) ** sign

    def lead(other: str) -> Lead:
        last = figures[shared[-1]]
        value = (figures[other] / last) ** sign if is_ratio else sign * (figures[other] - last)
        return Lead(label=other, value=value, low=value * 0.9, high=value * 1.1, level=0.95)

    others = labels[best:]
    found = outcome or ("one best" if best == 1 else "shared")
    led = found in ("one best", "shared") and others
    made = Standing(
        workload="closed",
        metric=metric,
        case={},
        outcome=found,
        best=tuple(labels if found in ("cannot tell", "equivalent") else shared),
        places=tuple(
            Place(
                arm=f"{label}-h1c",
                label=label,
                rank=rank,
                low=1 if rank <= best else rank,
                high=best if rank <= best else rank,
                value=value,
                value_low=value * (1 - WIDTH),
                value_high=value * (1 + WIDTH),
                behind=behind(label) if is_ratio else None,
                bound=("at least" if sign < 0 else "at most") if label == bound else "",
                bound_reason="the load generator was nearly full" if label == bound else "",
            )
            for rank, (label, value) in enumerate(figures.items(), start=1)
        ),
        no_places=tuple(missing),
        over_next=lead(others[0]) if led else None,
        over_last=lead(others[-1]) if led and len(others) > 1 else None,
        margin=0.03,
        smallest_effect=1.041 if found == "cannot tell" else None,
    ).model_copy(update=changes)
    sentences = standing_sentences(made, names_workload=names_workload)
    return made.model_copy(update={"sentences": sentences})


def cold(label: str, value: float | None = None, *, would_be_best: bool = False) -> NoPlace:
    """An arm that was still warming up."""
    return NoPlace(
        arm=f"{label}-h1c",
        label=label,
        reason="still warming up",
        codes="still-warming",
        value=value,
        would_be_best=would_be_best,
    )


def late(label: str) -> NoPlace:
    """An arm whose figure is withheld."""
    return NoPlace(
        arm=f"{label}-h1c",
        label=label,
        reason="the load generator was late (in 1 of 6 runs)",
        codes="generator-late",
    )


def answer_of(
    question: str,
    figures: Mapping[str, float],
    missing: Mapping[str, str],
    metric: str,
    workload: str,
) -> Answer:
    """The answer of a question under one workload; `missing` says why an arm has no place."""
    if len(figures) > 1:
        outcome: Outcome | None = None
    else:
        outcome = "one figure" if figures else "no figure"
    own = standing(
        figures,
        metric,
        outcome=outcome,
        missing=[NoPlace(arm=arm, label=arm, reason=reason) for arm, reason in missing.items()],
        workload=workload,
    )
    return Answer(
        question=question,
        compare="gateway",
        headline=headline([own]),
        trust="doubt",
        belief="2 doubts, the gravest generator-saturated (warning): Give it another CPU.",
        standings=(own,),
    )
