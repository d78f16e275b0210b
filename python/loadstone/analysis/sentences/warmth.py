"""What is said where nobody can say whether an arm, or the service of a run alone, was warm."""

from collections.abc import Iterable

from loadstone.analysis.model import Cell
from loadstone.text.words import counted, listed

_NAMED_AT_MOST = 6


def unjudged_run_sentence(reason: str) -> str:
    """`Whether the service was warm could not be judged: ...`; empty without a reason."""
    return reason and f"Whether the service was warm could not be judged: {reason}."


def unjudged_sentence(cells: Iterable[Cell]) -> str:
    """`Whether go and node were warm could not be judged: the run is imported.` Empty where it was
    judged of all.
    """
    reasons = {cell.arm: cell.warmth_unknown for cell in cells if cell.warmth == "not judged"}
    if not reasons:
        return ""
    names = listed([*reasons])
    whose = names if len(reasons) <= _NAMED_AT_MOST else counted(len(reasons), "arm")
    were = "was" if len(reasons) == 1 else "were"
    why = "; ".join(dict.fromkeys(reasons.values()))
    return f"Whether {whose} {were} warm could not be judged: {why}."
