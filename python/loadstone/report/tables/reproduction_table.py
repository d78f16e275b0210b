"""The claims of a study as people read them: who said what, and what became of it."""

from dataclasses import dataclass

from loadstone.analysis.claim_model import Reproduced, Reproduction
from loadstone.analysis.model import Analysis
from loadstone.analysis.sentences.claims import middle_text
from loadstone.analysis.sentences.reproductions import told_interval
from loadstone.metrics.catalogue import metric
from loadstone.metrics.labels import metric_label
from loadstone.text import units
from loadstone.text.words import counted

READING = (
    "A claim is reproduced where this study tells the same direction, beyond the margin's doubt; not "
    "reproduced where it tells the opposite, or that the difference is within the margin; else it is "
    "undecided. All claims are one family of comparisons. Published figures are of another machine: "
    "directions can be compared, and sizes with care."
)
COLUMNS = ("claim", "outcome", "published", "here", "figures", "why")


@dataclass(frozen=True, slots=True)
class ReproductionRow:
    """One claim."""

    claim: str
    """With its source, where that is known."""
    outcome: Reproduced
    published: str
    """`higher, 1.35 ×`."""
    here: str
    """`1.20 ×, 95 % interval [1.10, 1.31]`; empty where nothing was compared."""
    figures: str
    """`12.0 ms of a, 10.0 ms of b`; empty where neither stands."""
    why: str
    """Why nothing is told, or how the sizes stand; and what of its contract an arm is not held to."""

    @property
    def cells(self) -> tuple[str, ...]:
        """One for each of COLUMNS."""
        return self.claim, self.outcome, self.published, self.here, self.figures, self.why


@dataclass(frozen=True, slots=True)
class ReproductionTable:
    """All of them."""

    summary: str
    """`2 of 3 claims are reproduced, 1 is undecided.`"""
    rows: tuple[ReproductionRow, ...]


def reproduction_table(analysis: Analysis) -> ReproductionTable | None:
    """In the study's order; none of a study without claims."""
    found = analysis.reproductions
    if not found:
        return None
    return ReproductionTable(_summary(found), tuple(map(_row, found)))


def _summary(found: tuple[Reproduction, ...]) -> str:
    outcomes = [each.outcome for each in found]
    reproduced = outcomes.count("reproduced")
    text = f"Of {counted(len(found), 'claim')} {reproduced or 'none'} "
    text += f"{'is' if reproduced < 2 else 'are'} reproduced"
    for outcome in ("not reproduced", "undecided"):
        if count := outcomes.count(outcome):
            text += f", {count} {'is' if count == 1 else 'are'} {outcome}"
    return f"{text}."


def _row(found: Reproduction) -> ReproductionRow:
    claim = found.claim
    size = "" if claim.published_ratio is None else f", {units.ratio(claim.published_ratio)}"
    here = [middle_text(found), told_interval(found)]
    return ReproductionRow(
        claim=f"{claim.claim} ({claim.source})" if claim.source else claim.claim,
        outcome=found.outcome,
        published=f"{claim.says}{size}",
        here=", ".join(text for text in here if text),
        figures=", ".join(_figures(found)),
        why="; ".join(filter(None, (found.reason or found.size, found.not_held))),
    )


def _figures(found: Reproduction) -> list[str]:
    claim, unit = found.claim, metric(found.claim.metric).unit
    values = ((claim.of, found.of_value), (claim.against, found.against_value))
    texts = [
        f"{units.quantity(value, unit)} of {arm}" for arm, value in values if value is not None
    ]
    return [f"{metric_label(claim.metric)} {texts[0]}", *texts[1:]] if texts else []
