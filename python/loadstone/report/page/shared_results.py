"""What several questions come to alike is shown with the first of them: ranks by a metric under a
workload do not depend on what is asked of it.
"""

from collections.abc import Sequence
from typing import Protocol, TypeVar


class OfQuestion(Protocol):
    """A part of the analysis that belongs to a question."""

    @property
    def question(self) -> str:
        """The question."""

    def model_dump_json(self, *, exclude: set[str]) -> str:
        """All of it but some fields."""


Part = TypeVar("Part", bound=OfQuestion)


def first_shown_with(parts: Sequence[Part], question: str) -> tuple[Part, ...]:
    """Those of a question that no earlier one has; the parts stand in the order of their questions."""
    seen: set[str] = set()
    shown: list[Part] = []
    for part in parts:
        content = part.model_dump_json(exclude={"question"})
        if part.question == question and content not in seen:
            shown.append(part)
        seen.add(content)
    return tuple(shown)
