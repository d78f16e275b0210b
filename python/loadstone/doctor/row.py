"""One line of what `doctor` prints: a fact in words, how it bears on measuring, and what to do."""

from enum import StrEnum

from loadstone.doctor.presence import Presence
from loadstone.frozen import Frozen


class Mark(StrEnum):
    """How a fact bears on measuring here."""

    OK = "ok"
    """Nothing to do."""
    NOTE = "note"
    """Figures suffer, or something does not work as it could."""
    MISSING = "missing"
    """Not here; whatever does without it works."""
    NEEDED = "needed"
    """Not here, and quickstart cannot do without it."""


class Row(Frozen):
    """A fact in words."""

    section: str
    """The heading that it stands under."""
    label: str
    """What it is about."""
    mark: Mark
    """How it bears on measuring here."""
    text: str
    """The fact."""
    remedy: str | None = None
    """What to do; none where there is nothing to do."""


def fact(section: str, label: str, text: str, remedy: str | None = None) -> Row:
    """Return the row of a fact; it is marked as a note where something can be done about it."""
    mark = Mark.OK if remedy is None else Mark.NOTE
    return Row(section=section, label=label, mark=mark, text=text, remedy=remedy)


def presence(section: str, found: Presence) -> Row:
    """Return the row of something that is here or not."""
    if found.is_here:
        return fact(section, found.name, found.found or "")
    return Row(
        section=section,
        label=found.name,
        mark=Mark.NEEDED if found.needed else Mark.MISSING,
        text=found.reason or "is not here",
        remedy=as_sentence(found.remedy) if found.remedy else None,
    )


def as_sentence(text: str) -> str:
    """Return a remedy, which errors give without capital and full stop, as a sentence."""
    return f"{text[0].upper()}{text[1:]}{'' if text.endswith('.') else '.'}"


def listed(numbers: tuple[int, ...]) -> str:
    """Return numbers as the kernel lists CPUs: 0 to 2 and 5 is `0-2,5`."""
    runs: list[list[int]] = []
    for number in sorted(numbers):
        if runs and number == runs[-1][-1] + 1:
            runs[-1].append(number)
        else:
            runs.append([number])
    return ",".join(f"{run[0]}-{run[-1]}" if len(run) > 1 else str(run[0]) for run in runs)
