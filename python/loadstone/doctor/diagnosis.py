"""The whole answer of `doctor`: facts, the same in words, and the verdict. Pure."""

from collections.abc import Iterator

from loadstone.doctor.examination import Examination
from loadstone.doctor.limit_rows import limit_rows
from loadstone.doctor.machine_rows import machine_rows
from loadstone.doctor.now_rows import assumptions, now_rows, resolvable
from loadstone.doctor.ray_ports import ray_rows
from loadstone.doctor.row import Mark, Row, presence
from loadstone.frozen import Frozen
from loadstone.text.plain import plain


class Diagnosis(Frozen):
    """What `doctor --json` prints."""

    diagnosis_version: int = 1
    """Of this form: 1 is the first."""
    can_run: bool
    """Whether `loadstone quickstart` can run here."""
    verdict: str
    """What size of difference this machine can resolve now, or why quickstart cannot run."""
    assumptions: str | None
    """What the verdict takes for granted; none where nothing was measured."""
    rows: tuple[Row, ...]
    """The facts in words, with what to do."""
    facts: Examination
    """The facts."""


def diagnose(found: Examination) -> Diagnosis:
    """Put an examination into words."""
    rows = tuple(_plain(row) for row in _rows(found))
    blocking = [row.label for row in rows if row.mark is Mark.NEEDED]
    if blocking:
        verdict = f"quickstart cannot run here, for want of: {', '.join(blocking)}."
    elif found.resolution is None:
        verdict = "quickstart can run here; how steady the machine is could not be measured."
    else:
        verdict = resolvable(found.resolution)
    return Diagnosis(
        can_run=not blocking,
        verdict=verdict,
        assumptions=None
        if found.noise is None or found.resolution is None
        else assumptions(found.noise, found.resolution),
        rows=rows,
        facts=found,
    )


def _rows(found: Examination) -> Iterator[Row]:
    yield from machine_rows(found.machine, found.placement, found.timer)
    yield from limit_rows(found.machine.control_groups, found.machine.connections)
    for section, parts in (
        ("The lab", found.lab),
        ("Runtimes", found.runtimes),
        ("Tools", found.tools),
        ("Instruments", found.instruments),
    ):
        yield from (presence(section, part) for part in parts)
    yield from now_rows(found.machine.load_1, found.noise)
    yield from ray_rows(found.ray_ports)


def _plain(row: Row) -> Row:
    """Return the row without whatever a program's version or reason may hold for a terminal."""
    remedy = None if row.remedy is None else plain(row.remedy)
    return row.model_copy(
        update={"label": plain(row.label), "text": plain(row.text), "remedy": remedy}
    )
