"""Rules on a study of several machines: what they are, what became of them, what they did to figures.

A block is done at one site, so what sites differ by is in no comparison of arms, but in every figure by
itself. Where they treat arms differently, it is in the comparisons, too: those are then of these
machines together.
"""

import math
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from loadstone.findings import scope
from loadstone.findings.model import Finding, Severity
from loadstone.results.assignments import Assignment
from loadstone.results.environment import SiteFacts
from loadstone.stats.comparison.factorial import factorial
from loadstone.stats.comparison.holm import holm_alphas
from loadstone.text import units
from loadstone.text.words import counted

SITE_ALPHA = 0.01
"""For all figures of a study together, by Holm: as for a drift, of which this is the like in space."""

CLOCK_BOUND_NS = 1_000_000
"""By round trips over a local network it was within 0.35 ms; where it is worse, what two machines wrote
cannot be put in order by its millisecond."""


@dataclass(frozen=True)
class FigureBySite:
    """One metric under one workload, run by run; complete blocks alone."""

    metric: str
    workload: str
    arms: tuple[str, ...]
    """Of each run."""
    blocks: tuple[int, ...]
    sites: tuple[str, ...]
    logarithms: tuple[float, ...]
    """Of the figure."""


def machines_differ(figures: Sequence[FigureBySite], margin: float) -> Iterator[Finding]:
    """Figures that are higher at one site than at another, by more than chance and the margin."""
    tests = [(figure, test) for figure in figures if (test := _differ(figure)) is not None]
    alphas = holm_alphas([p_value for _, (p_value, _) in tests], SITE_ALPHA)
    for (figure, (p_value, means)), alpha in zip(tests, alphas, strict=True):
        lowest, highest = min(means, key=means.__getitem__), max(means, key=means.__getitem__)
        spread = math.expm1(means[highest] - means[lowest])
        if p_value > alpha or spread <= margin:
            continue
        yield Finding(
            code="machines-differ",
            severity=Severity.WARNING,
            subject=scope.STUDY,
            metrics=(figure.metric,),
            evidence=f"{figure.metric} under {figure.workload} is {units.share(spread)} higher on "
            f"{highest} than on {lowest}, in the mean of its arms (p = {p_value:.2g}, at {alpha:.2g}; "
            f"up to {units.percent(margin)} would not matter)",
            advice="comparisons are within blocks, each of which was done on one machine, and stand; "
            "figures by themselves are a mean over unlike machines: see `loadstone cluster check`, and "
            "what else was at work there",
        )


def machines_disagree(figures: Sequence[FigureBySite]) -> Iterator[Finding]:
    """Arms that lie to each other otherwise at one site than at another."""
    tests = [(figure, test) for figure in figures if (test := _disagree(figure)) is not None]
    alphas = holm_alphas([p_value for _, (p_value, *_) in tests], SITE_ALPHA)
    for (figure, (p_value, arm, site, excess)), alpha in zip(tests, alphas, strict=True):
        if p_value > alpha:
            continue
        yield Finding(
            code="machines-disagree",
            severity=Severity.WARNING,
            subject=scope.STUDY,
            metrics=(figure.metric,),
            evidence=f"how arms compare by {figure.metric} under {figure.workload} depends on the "
            f"machine: most of all {arm} on {site} is {units.share(abs(math.expm1(excess)))} "
            f"{'higher' if excess > 0 else 'lower'} than the arm and the machine alone explain "
            f"(p = {p_value:.2g}, at {alpha:.2g})",
            advice="read verdicts as those of these machines together, not of all such machines; run "
            "the study on one of them to see what holds there",
        )


def machines_lost(assignments: Sequence[Assignment]) -> Iterator[Finding]:
    """Blocks that were done by another site than the one that began them, or whose turn it was."""
    blocks: dict[str, list[Assignment]] = defaultdict(list)
    for assignment in assignments:
        if assignment.reason is not None:
            blocks[assignment.reason].append(assignment)
    for reason, given in blocks.items():
        again = sum(each.attempt > 1 for each in given)
        names = ", ".join(f"{each.block} (by {each.site})" for each in given)
        yield Finding(
            code="machine-lost",
            severity=Severity.NOTE,
            subject=scope.STUDY,
            metrics=(),
            evidence=f"{reason}; others did {counted(len(given), 'block')} of it: {names}; "
            f"{counted(again, 'block')} had been begun and {'was' if again == 1 else 'were'} done "
            "again, whole",
            advice="nothing of half a block is in any figure: what was finished of it is kept in lost/",
        )


def unequal_machines(machines: Mapping[str, SiteFacts]) -> Iterator[Finding]:
    """Sites that differ in what a study is not refused for."""
    if len(machines) < 2:
        return
    first, *others = machines
    here = _alike(machines[first])
    for site in others:
        there = _alike(machines[site])
        unlike = [name for name in here if here[name] != there[name]]
        if unlike:
            told = "; ".join(
                f"{name}: {here[name]}, and {there[name]} on {site}" for name in unlike
            )
            yield Finding(
                code="unequal-machines",
                severity=Severity.WARNING,
                subject=scope.STUDY,
                metrics=(),
                evidence=f"{first} and {site} are not alike: {told}",
                advice="make them alike; `machines-differ` says whether it is seen in the figures",
            )


def clocks_apart(machines: Mapping[str, SiteFacts]) -> Iterator[Finding]:
    """Machines whose clocks are not known well to each other."""
    for site, facts in machines.items():
        clock = facts.clock
        if clock is None or clock.bound_ns <= CLOCK_BOUND_NS:
            continue
        yield Finding(
            code="clock-apart",
            severity=Severity.WARNING,
            subject=scope.STUDY,
            metrics=(),
            evidence=f"the clock of {site} is {units.duration(abs(clock.offset_ns))} "
            f"{'ahead of' if clock.offset_ns >= 0 else 'behind'} the driver's, give or take "
            f"{units.duration(clock.bound_ns)} (at most {units.duration(CLOCK_BOUND_NS)})",
            advice="no figure crosses these clocks; but do not put what two machines wrote in order by "
            "it: keep the network between them idle",
        )


def _differ(figure: FigureBySite) -> tuple[float, dict[str, float]] | None:
    """The p value that sites are alike, and the mean of each; none where nothing can be told.

    By the means of blocks over their arms: what a block's runs share is one disturbance.
    """
    of_block: dict[int, list[float]] = defaultdict(list)
    site_of = dict(zip(figure.blocks, figure.sites, strict=True))
    for block, value in zip(figure.blocks, figure.logarithms, strict=True):
        of_block[block].append(value)
    sites = [site_of[block] for block in of_block]
    if len(set(sites)) < 2:
        return None
    means = [math.fsum(values) / len(values) for values in of_block.values()]
    (term,) = factorial(means, {"site": sites}, [0] * len(means)).terms
    if term.p_value is None:
        return None
    by_site: dict[str, list[float]] = defaultdict(list)
    for site, mean in zip(sites, means, strict=True):
        by_site[site].append(mean)
    return term.p_value, {site: math.fsum(each) / len(each) for site, each in by_site.items()}


def _disagree(figure: FigureBySite) -> tuple[float, str, str, float] | None:
    """The p value that arms lie alike at all sites, and the arm that is most out of it, where and by
    how much; none where nothing can be told.
    """
    if len(set(figure.arms)) < 2 or len(set(figure.sites)) < 2:
        return None
    levels = {"arm": figure.arms, "site": figure.sites}
    found = factorial(figure.logarithms, levels, figure.blocks)
    term = next((each for each in found.terms if len(each.factors) > 1), None)
    if term is None or term.p_value is None:
        return None
    cells: dict[tuple[str, str], list[float]] = defaultdict(list)
    for arm, site, value in zip(figure.arms, figure.sites, figure.logarithms, strict=True):
        cells[arm, site].append(value)
    means = {place: math.fsum(each) / len(each) for place, each in cells.items()}
    excess = {place: mean - _additive(means, *place) for place, mean in means.items()}
    arm, site = max(excess, key=lambda place: abs(excess[place]))
    return term.p_value, arm, site, excess[arm, site]


def _additive(means: Mapping[tuple[str, str], float], arm: str, site: str) -> float:
    """What arm and site come to without an interaction, from the means of all of their cells."""
    of_arm = [mean for (other, _), mean in means.items() if other == arm]
    of_site = [mean for (_, other), mean in means.items() if other == site]
    whole = math.fsum(means.values()) / len(means)
    return math.fsum(of_arm) / len(of_arm) + math.fsum(of_site) / len(of_site) - whole


def _alike(facts: SiteFacts) -> dict[str, str]:
    link = facts.link_bits_per_second
    flaws = facts.mitigations or {}
    return {
        "clock source": str(facts.machine.clock_source),
        "virtualisation": str(facts.machine.virtualisation),
        "link": "unknown" if link is None else f"{link / 1e9:g} Gbit/s",
        **{f"mitigation of {name}": text for name, text in sorted(flaws.items())},
    }
