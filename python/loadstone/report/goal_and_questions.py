"""Goal, questions, metrics: what a study asks, in the order in which it was thought up.

Basili, Caldiera & Rombach, "The Goal Question Metric Approach", Encyclopedia of Software Engineering,
1994: a goal is made measurable by questions, and each question by metrics that answer it.
"""

from loadstone.metrics.labels import metric_label
from loadstone.study.values.model import Plan, Question
from loadstone.text import units


def asked(plan: Plan) -> tuple[str, ...]:
    """Each question with what answers it: `Is it slower? Compares gateway by p99, throughput; ...`."""
    return tuple(map(_asked, plan.questions))


def _asked(question: Question) -> str:
    first, *others = map(metric_label, question.metrics)
    metrics = ", ".join((f"{first} (primary)" if others else first, *others))
    part = [
        f"{what} {name}"
        for what, name in (("group", question.group), ("operation", question.operation))
        if name is not None
    ]
    where = [
        f"{factor} {level if isinstance(level, str) else ' or '.join(level)}"
        for factor, level in question.where.items()
    ]
    of = f" of {', '.join(part)}" if part else ""
    among = f" where {', '.join(where)}" if where else ""
    return (
        f"{question.question} Compares {question.compare}{among} by {metrics}{of}; "
        f"margin {units.percent(question.margin)}."
    )
