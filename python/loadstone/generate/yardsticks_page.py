"""`docs/reference/yardsticks.md`: what a gateway costs as a multiple of its language's smallest server.

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
from loadstone.study.values.manifest import Stack
from loadstone.text import units
from loadstone.text.words import counted

METRICS = ("cpu_per_ok", "throughput")
LEVEL = 0.95
SYSTEM, SERVICE = "mediation", "gateway"

_HEAD = """# What a gateway costs beside a server that is none

A slow gateway is one thing, a slow language another. For each language there is a yardstick: the
smallest server of its plainest HTTP library that answers 50 bytes, on the same CPU and under the same
load, in turn with the gateways. A gateway takes a request and makes one itself, so nobody can expect it
to cost much less than two yardsticks. {runs} of each of {arms} servers under `{workload}` of
[mediation](systems.md); {cpu_model}, {cpus} virtual CPUs of a shared host, {measured_on}.

Written by `make generate` from `{study}`, its figures are kept in [yardsticks.json](yardsticks.json).
Yours:

```
loadstone run studies/{study}.yaml --dry-run
```

- *CPU an answer*: CPU time of the server over its ok answers; *throughput*: ok answers a second.
  Geometric means over the runs.
- *Multiple*: CPU an answer over that of the yardstick of its language in the same block, with the 95 %
  interval of a paired t-test on logarithms. nginx and HAProxy have none: they are what C comes to.
"""
_COLUMNS = ("language", "server", "framework", "runtime", "CPU an answer", "throughput", "multiple")
_NONE = "–"


def yardsticks_page(table: KeptTable) -> str:
    """Return the page."""
    head = _HEAD.format(
        runs=counted(table.blocks, "run"),
        arms=len(table.arms),
        **table.model_dump(exclude={"arms", "blocks"}),
    )
    return "\n".join([head, *_rows(table), "", *_doubts(table), ""])


def _rows(table: KeptTable) -> Iterator[str]:
    catalogue = open_catalogue(CHECKOUT)
    stacks = {each.stack: each for each in catalogue.stacks(catalogue.system(SYSTEM), SERVICE)}
    yardsticks = {
        stacks[arm.stack].language: arm
        for arm in table.arms
        if stacks[arm.stack].yardstick is not None
    }
    yield f"| {' | '.join(_COLUMNS)} |"
    yield f"|{'---|' * len(_COLUMNS)}"
    by_language = sorted(table.arms, key=lambda arm: _order(arm, stacks, yardsticks))
    for arm in by_language:
        yield f"| {' | '.join(_cells(arm, stacks[arm.stack], yardsticks))} |"


def _order(
    arm: KeptArm, stacks: dict[str, Stack], yardsticks: dict[str, KeptArm]
) -> tuple[bool, float, bool, float]:
    """Languages by their yardstick's cost, those without last; in each the yardstick first."""
    stack = stacks[arm.stack]
    beside = yardsticks.get(stack.language)
    return (
        beside is None,
        _mean(beside or arm, "cpu_per_ok"),
        stack.yardstick is None,
        _mean(arm, "cpu_per_ok"),
    )


def _cells(arm: KeptArm, stack: Stack, yardsticks: dict[str, KeptArm]) -> tuple[str, ...]:
    beside = yardsticks.get(stack.language)
    if stack.yardstick is not None:
        multiple = "1, the yardstick"
    elif beside is None:
        multiple = _NONE
    else:
        multiple = _multiple(beside.figures["cpu_per_ok"], arm.figures["cpu_per_ok"])
    return (
        stack.language,
        arm.stack + (" \\*" if arm.doubts else ""),
        stack.framework,
        arm.version,
        units.duration(_mean(arm, "cpu_per_ok")),
        units.rate(_mean(arm, "throughput")),
        multiple,
    )


def _mean(arm: KeptArm, metric: str) -> float:
    return geometric_mean([value for value in arm.figures[metric] if value is not None])


def _multiple(yardstick: Sequence[float | None], gateway: Sequence[float | None]) -> str:
    pairs = [(a, b) for a, b in zip(yardstick, gateway, strict=True) if a and b]
    ratio = geometric_mean([b / a for a, b in pairs])
    if len(pairs) < 2:
        return f"{units.number(ratio)}"
    found = paired_t([math.log(a) for a, _ in pairs], [math.log(b) for _, b in pairs])
    low, high = (math.exp(edge) for edge in found.interval(LEVEL))
    return f"{units.number(ratio)} [{units.number(low)} to {units.number(high)}]"


def _doubts(table: KeptTable) -> Iterator[str]:
    doubted = [arm for arm in table.arms if arm.doubts]
    if doubted:
        yield "\\* No verdict, rank or effect would be told of these figures:"
        yield ""
    for arm in doubted:
        codes = ", ".join(f"[`{code}`](findings.md)" for code in arm.doubts)
        yield f"- {arm.stack}: {codes}."


PAGE = KeptPage("yardsticks", METRICS, yardsticks_page)


def main(arguments: Sequence[str] | None = None) -> int:
    """Write the page, or with `--check` say whether it is stale."""
    return PAGE.main("loadstone.generate.yardsticks_page", __doc__, arguments)


if __name__ == "__main__":
    sys.exit(main())
