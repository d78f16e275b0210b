"""What all trials of the corpus come to, and the bars that the audit is held to."""

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from corpus.model import Clean, Defect
from corpus.trials import KINDS, Tried
from loadstone.findings.model import Severity

LEAST_FOUND_SHARE = 0.95
"""Of the defects at their default strength, with a right code."""
LEAST_FOUND_OF_A_KIND_SHARE = 0.5
"""Of each defect alone: an average hides a kind that is never found."""
MOST_FALSE_WITHHOLDS = 0
MOST_FALSE_WARNING_SHARE = 0.02
"""Of the healthy runs and studies, and of the defects at strength 0."""

SEVERITIES = (Severity.WITHHOLD, Severity.NO_CLAIM, Severity.WARNING, Severity.NOTE)
DOUBTS = (Severity.NO_CLAIM, Severity.WARNING)
"""Of a healthy run either is a false warning."""


@dataclass(frozen=True)
class Detection:
    """One defect at one strength."""

    defect: Defect
    strength: float
    found: int
    """Trials in which one of its codes was found."""
    tried: int
    told_as: Severity | None
    """The gravest severity of these codes."""
    also: Counter[str]
    """Other codes, notes apart, and in how many trials."""

    @property
    def is_default(self) -> bool:
        return self.strength == self.defect.default


@dataclass(frozen=True)
class Acquittal:
    """One healthy kind."""

    clean: Clean
    tried: int
    withheld: Counter[str]
    """Codes that withhold and are not true of it, and in how many trials."""
    warned: Counter[str]
    """The same of warnings."""
    true: Counter[str]
    """Codes of any severity that are true of it."""
    accused: int
    """Trials with such a warning."""


@dataclass(frozen=True)
class Totals:
    """The bars, and how far each was reached."""

    found: int
    tried: int
    """At default strengths."""
    seldom: int
    """Defects of which too few were found there."""
    false_withholds: int
    false_warnings: int
    clean: int
    """Healthy runs and studies."""
    found_at_zero: int
    zero: int
    """Defects at strength 0."""

    @property
    def hold(self) -> bool:
        """Whether every bar is reached."""
        return (
            self.found >= LEAST_FOUND_SHARE * self.tried
            and self.seldom == 0
            and self.false_withholds <= MOST_FALSE_WITHHOLDS
            and self.false_warnings <= MOST_FALSE_WARNING_SHARE * self.clean
            and self.found_at_zero <= MOST_FALSE_WARNING_SHARE * self.zero
        )


def detections(results: Iterable[Tried]) -> list[Detection]:
    """Defects in the order of the catalogue, strengths in theirs."""
    grouped: dict[tuple[str, float], list[Tried]] = {}
    for tried in results:
        if tried.trial.strength is not None:
            grouped.setdefault((tried.trial.kind, tried.trial.strength), []).append(tried)
    return [
        _detection(kind, strength, grouped[kind.kind, strength])
        for kind in KINDS.values()
        if isinstance(kind, Defect)
        for strength in kind.strengths
        if (kind.kind, strength) in grouped
    ]


def _detection(defect: Defect, strength: float, group: Sequence[Tried]) -> Detection:
    right = set(defect.codes)
    told = {severity for each in group for code, severity in each.found if code in right}
    also = Counter(
        code
        for each in group
        for code in each.codes(Severity.WITHHOLD, *DOUBTS)
        if code not in right
    )
    return Detection(
        defect=defect,
        strength=strength,
        found=sum(bool(right & each.codes()) for each in group),
        tried=len(group),
        told_as=next((severity for severity in SEVERITIES if severity in told), None),
        also=also,
    )


def acquittals(results: Iterable[Tried]) -> list[Acquittal]:
    """Healthy kinds in the order of the catalogue."""
    grouped: dict[str, list[Tried]] = {}
    for tried in results:
        if tried.trial.strength is None:
            grouped.setdefault(tried.trial.kind, []).append(tried)
    return [
        _acquittal(kind, grouped[kind.kind])
        for kind in KINDS.values()
        if isinstance(kind, Clean) and kind.kind in grouped
    ]


def _acquittal(clean: Clean, group: Sequence[Tried]) -> Acquittal:
    def false(tried: Tried, *severities: Severity) -> set[str]:
        return tried.codes(*severities) - set(clean.true_of_it)

    return Acquittal(
        clean=clean,
        tried=len(group),
        withheld=Counter(code for each in group for code in false(each, Severity.WITHHOLD)),
        warned=Counter(code for each in group for code in false(each, *DOUBTS)),
        true=Counter(code for each in group for code in each.codes() & set(clean.true_of_it)),
        accused=sum(bool(false(each, *DOUBTS)) for each in group),
    )


def totals(found: Sequence[Detection], acquitted: Sequence[Acquittal]) -> Totals:
    """Sums over all kinds."""
    default = [each for each in found if each.is_default]
    zero = [each for each in found if each.strength == 0]
    return Totals(
        found=sum(each.found for each in default),
        tried=sum(each.tried for each in default),
        seldom=sum(each.found < LEAST_FOUND_OF_A_KIND_SHARE * each.tried for each in default),
        false_withholds=sum(sum(each.withheld.values()) for each in acquitted),
        false_warnings=sum(each.accused for each in acquitted),
        clean=sum(each.tried for each in acquitted),
        found_at_zero=sum(each.found for each in zero),
        zero=sum(each.tried for each in zero),
    )
