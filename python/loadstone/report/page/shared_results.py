"""Shows a result that several questions have in common with the first of them only.

Ranks by a metric under a workload, for example, do not depend on the question.
"""

from collections.abc import Sequence
from typing import Protocol, TypeVar


class HasQuestion(Protocol):
    """A part of the analysis that belongs to a question."""

    @property
    def question(self) -> str:
        """The question."""

    def model_dump_json(self, *, exclude: set[str]) -> str:
        """All of it but some fields."""


Part = TypeVar("Part", bound=HasQuestion)


def first_shown_with(parts: Sequence[Part], question: str) -> tuple[Part, ...]:
    """Return the parts of a question that no earlier one has. Parts are in the order of questions."""
    seen: set[str] = set()
    shown: list[Part] = []
    for part in parts:
        content = part.model_dump_json(exclude={"question"})
        if part.question == question and content not in seen:
            shown.append(part)
        seen.add(content)
    return tuple(shown)
