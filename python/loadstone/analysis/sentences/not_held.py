"""What of its contract an arm is not held to, said wherever something is said of the arm."""

from collections.abc import Iterable, Mapping, Sequence

from loadstone.analysis.answer_model import Standing
from loadstone.analysis.model import Cell
from loadstone.text.words import capitalized, listed

NAMED_AT_MOST = 4
"""Arms that a sentence names; more of them are counted."""


def not_held_phrase(arm: str, text: str) -> str:
    """`caddy is not held to all of its contract: it deviates from PT-3`; empty without a text."""
    return text and f"{arm} is not held to all of its contract: {text}"


def not_held_of(cells: Iterable[Cell]) -> str:
    """The phrases of several arms, joined; empty where each is held to all of its contract."""
    return "; ".join(filter(None, (not_held_phrase(each.arm, each.not_held) for each in cells)))


def not_held_sentences(by_arm: Mapping[str, str]) -> tuple[str, ...]:
    """A sentence for each text, with the arms that it is of; arms without a text are left out."""
    by_text: dict[str, list[str]] = {}
    for arm, text in by_arm.items():
        if text:
            by_text.setdefault(text, []).append(arm)
    return tuple(f"{capitalized(_of(arms, text))}." for text, arms in by_text.items())


def not_held_in(standings: Iterable[Standing]) -> tuple[str, ...]:
    """The same of every arm that has a place, or none, in one of the standings."""
    texts: dict[str, str] = {}
    for standing in standings:
        texts |= {each.arm: each.not_held for each in standing.places}
        texts |= {each.arm: each.not_held for each in standing.no_places}
    return not_held_sentences(texts)


def _of(arms: Sequence[str], text: str) -> str:
    if len(arms) == 1:
        return not_held_phrase(arms[0], text)
    more = len(arms) - NAMED_AT_MOST
    names = listed([*arms[:NAMED_AT_MOST], *([f"{more} more"] if more > 0 else [])])
    return f"{names} are not held to all of their contract: {text}"
