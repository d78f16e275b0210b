"""`docs/reference/reservation-cost.md`: what a reservation costs, for people without statistics.

What was measured is kept beside it: see `kept_figures.py`.
"""

import math
import sys
from collections.abc import Iterator, Sequence
from statistics import geometric_mean

from loadstone.generate.committed_files import CHECKOUT
from loadstone.generate.kept_figures import KeptArm, KeptPage, KeptTable
from loadstone.stats.comparison.paired_t import paired_t
from loadstone.study.systems.catalogue import open_catalogue
from loadstone.text import units
from loadstone.text.words import counted

COST = "cpu_per_purpose"
METRICS = (COST, "cpu_per_ok", "database_cpu_per_ok", "response_time.p99", "rss_peak")
LEVEL = 0.95
SYSTEM, SERVICE = "booking", "booking"
SECONDS_AN_HOUR = 3600
RESERVATIONS = 1000
PRICE = 0.04
"""Of an hour of a CPU, in any currency: what a rented one costs where many are, rounded."""

_HEAD = """# What a reservation costs

People sign up, log in, look for a free court, reserve it, rate it, or accept it: [booking](systems.md)
is such an API, written in several stacks that all do the same, statement by statement. All got the same
visitors, {runs} of each on one machine, and none was busy to its limit. So what differs is what the
work costs.

{answer}

- *CPU for 1,000 reservations*: all that the service and its database computed, looking and logging in
  included, for every 1,000 reservations that were made.
- *times the least*: the same as a multiple of the cheapest stack, in the same rounds. The brackets hold
  the true multiple 19 times in 20: where they begin at 1 or below, the two may be alike.
- *of it the database*: what is spent there. A stack saves it only by other statements, or by how it
  sends them: [one of them](../examples/README.md#bookings) does so badly.
- *slowest of 100*: of 100 requests 99 were answered sooner. *memory*: the most that the service held.
- *for a million*: at {price} of any currency for an hour of a CPU. Put in your own price: it is a
  product.

A CPU of another machine takes another time; which stack is cheaper depends less on that. {cpu_model},
{cpus} virtual CPUs of a shared host, {measured_on}; passwords at the least cost of a hash, which is the
same for all. Written by `make generate` from `{study}`, its figures are kept in
[reservation-cost.json](reservation-cost.json). Yours:

```
loadstone run studies/{study}.yaml --dry-run
```
"""
_COLUMNS = (
    "stack",
    "made with",
    "CPU for 1,000 reservations",
    "times the least",
    "of it the database",
    "slowest of 100",
    "memory",
    "for a million",
)
_NONE = "–"


def reservation_cost_page(table: KeptTable) -> str:
    """Return the page. Arms of which nothing is claimed stand last, without a multiple."""
    arms, again = _first_and_again(table.arms)
    sure = sorted((arm for arm in arms if _is_sure(arm)), key=_cost)
    head = _HEAD.format(
        runs=counted(table.blocks, "run"),
        answer=_answer(sure),
        price=f"{PRICE:.2f}",
        **table.model_dump(exclude={"arms", "blocks"}),
    )
    doubted = [arm for arm in arms if not _is_sure(arm)]
    below = [*_doubts(doubted), *_measured_twice(again), *_remarks(arms)]
    return "\n".join([head, *_rows(sure, doubted), "", *below, ""])


def _first_and_again(
    arms: Sequence[KeptArm],
) -> tuple[list[KeptArm], list[tuple[KeptArm, KeptArm]]]:
    """Each stack once, and those that were measured a second time behind their first."""
    first = {arm.stack: arm for arm in reversed(arms)}
    pairs = [(first[arm.stack], arm) for arm in arms]
    return [arm for one, arm in pairs if one is arm], [
        pair for pair in pairs if pair[0] is not pair[1]
    ]


def _is_sure(arm: KeptArm) -> bool:
    return not arm.doubts and any(arm.figures[COST])


def _cost(arm: KeptArm) -> float:
    return _mean(arm, COST)


def _answer(sure: Sequence[KeptArm]) -> str:
    if len(sure) < 2:
        return "**Nothing can be told of these runs**: the reasons stand below the table."
    least, most = sure[0], sure[-1]
    alike = [arm.stack for arm in sure[1:] if _edges(least, arm)[0] <= 1]
    beside = f", and {' and '.join(alike)} may be as cheap" if alike else ""
    cost = units.duration(RESERVATIONS * _cost(least))
    return (
        f"**{least.stack} books cheapest**: 1,000 reservations cost {cost} "
        f"of a CPU{beside}. {most.stack} costs {_multiple(least, most)} times as much."
    )


def _rows(sure: Sequence[KeptArm], doubted: Sequence[KeptArm]) -> Iterator[str]:
    catalogue = open_catalogue(CHECKOUT)
    made_with = {
        each.stack: f"{each.language}, {each.framework}"
        for each in catalogue.stacks(catalogue.system(SYSTEM), SERVICE)
    }
    yield f"| {' | '.join(_COLUMNS)} |"
    yield f"|{'---|' * len(_COLUMNS)}"
    for arm in (*sure, *doubted):
        least = sure[0] if arm in sure else None
        yield f"| {' | '.join(_cells(arm, made_with[arm.stack], least))} |"


def _cells(arm: KeptArm, made_with: str, least: KeptArm | None) -> tuple[str, ...]:
    if not any(arm.figures[COST]):
        return (f"{arm.stack} \\*", made_with, *[_NONE] * (len(_COLUMNS) - 2))
    hours = _cost(arm) * 1e-9 * 1e6 / SECONDS_AN_HOUR
    return (
        arm.stack + ("" if least else " \\*"),
        made_with,
        units.duration(RESERVATIONS * _cost(arm)),
        _NONE if least is None else "1, the least" if arm is least else _multiple(least, arm),
        units.share(_database_share(arm)),
        units.duration(_mean(arm, "response_time.p99")),
        units.size(_mean(arm, "rss_peak")),
        f"{hours * PRICE:.2f}",
    )


def _database_share(arm: KeptArm) -> float:
    database = _mean(arm, "database_cpu_per_ok")
    return database / (database + _mean(arm, "cpu_per_ok"))


def _mean(arm: KeptArm, metric: str) -> float:
    return geometric_mean([value for value in arm.figures[metric] if value])


def _pairs(least: KeptArm, arm: KeptArm) -> list[tuple[float, float]]:
    both = zip(least.figures[COST], arm.figures[COST], strict=True)
    return [(a, b) for a, b in both if a and b]


def _edges(least: KeptArm, arm: KeptArm) -> tuple[float, float]:
    """The interval of the multiple; without an end where fewer than two rounds have both."""
    pairs = _pairs(least, arm)
    if len(pairs) < 2:
        return 0.0, math.inf
    found = paired_t([math.log(a) for a, _ in pairs], [math.log(b) for _, b in pairs])
    low, high = (math.exp(edge) for edge in found.interval(LEVEL))
    return low, high


def _multiple(least: KeptArm, arm: KeptArm) -> str:
    ratio = geometric_mean([b / a for a, b in _pairs(least, arm)] or [_cost(arm) / _cost(least)])
    low, high = _edges(least, arm)
    if high == math.inf:
        return units.number(ratio)
    return f"{units.number(ratio)} [{units.number(low)} to {units.number(high)}]"


def _doubts(doubted: Sequence[KeptArm]) -> Iterator[str]:
    if doubted:
        yield "\\* No verdict would be told of these figures:"
        yield ""
    for arm in doubted:
        codes = ", ".join(f"[`{code}`](findings.md)" for code in arm.doubts) or "no figure"
        yield f"- {arm.stack}: {codes}."


def _measured_twice(again: Sequence[tuple[KeptArm, KeptArm]]) -> Iterator[str]:
    """What lies between two arms that are the same is the error of the figures above."""
    for first, second in again:
        if _is_sure(first) and _is_sure(second):
            yield (
                f"{first.stack} was measured twice, as if it were two stacks: the second cost "
                f"{_multiple(first, second)} times the first. Take no smaller difference for one."
            )
            yield ""


def _remarks(arms: Sequence[KeptArm]) -> Iterator[str]:
    for arm in arms:
        for remark in arm.remarks:
            yield f"- {arm.stack}: {remark}"


PAGE = KeptPage("reservation-cost", METRICS, reservation_cost_page)


def main(arguments: Sequence[str] | None = None) -> int:
    """Write the page, or with `--check` say whether it is stale."""
    return PAGE.main("loadstone.generate.reservation_cost_page", __doc__, arguments)


if __name__ == "__main__":
    sys.exit(main())
