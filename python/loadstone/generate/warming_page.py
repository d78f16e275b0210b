"""`docs/reference/warming.md`: how each stack warms up on each of its runtimes, from one study.

What was measured is kept beside it: see `kept_figures.py`.
"""

import sys
from collections.abc import Callable, Iterator, Sequence
from statistics import geometric_mean

from loadstone.generate.kept_figures import KeptArm, KeptPage, KeptTable
from loadstone.text import units
from loadstone.text.words import counted

METRICS = (
    "startup",
    "time_to_steady",
    "requests_until_steady",
    "warm_up_loss",
    "compile_cpu",
    "first_10s.throughput",
    "first_30s.throughput",
    "throughput",
    "first_10s.response_time.p99",
    "response_time.p99",
)

_HEAD = """# How the stacks warm up

A service that compiles while it runs is slow after each start. This is what its users bear, and for
how long: {runs} of each of {arms} pairs of a stack and a runtime, under `{workload}` of
[mediation](systems.md). Its closed users take what one CPU gives, so compilers must wait for theirs:
the hard case. {cpu_model}, {cpus} virtual CPUs of a shared host, {measured_on}.

Written by `make generate` from `{study}`, its figures are kept in [warming.json](warming.json). Yours:

```
loadstone run studies/{study}.yaml --dry-run
```

- *Start*: from the start of the process to its first right answer.
- *Steady after*: from the begin of the load to where the decision that the service is steady began to
  look; of runs that differ, the first and the last. *Told by*: compile threads that rest (idle), a
  runtime that never compiles, a cost of an answer that stays (level), no sign of a warm-up (no sign),
  or nothing until the longest warm-up (cap).
- *Compiling*: CPU time of compile threads until the window's end, where the runtime names them.
- *First 10 s, first 30 s*: throughput in them, as a share of the warm one. *Lost*: what the warm-up
  cost, in seconds of work at the warm throughput. Figures are geometric means over the runs. A share
  above 100 % and a loss below 0 are of a machine that became slower later, not of a stack.
"""
_COLUMNS = (
    "stack",
    "runtime",
    "start",
    "steady after",
    "told by",
    "answers until then",
    "compiling",
    "first 10 s",
    "first 30 s",
    "warm, 1/s",
    "lost",
    "p99: first 10 s",
    "warm",
)
_NONE = "–"


def warming_page(table: KeptTable) -> str:
    """Return the page."""
    head = _HEAD.format(
        runs=counted(table.blocks, "run"),
        arms=len(table.arms),
        **table.model_dump(exclude={"arms", "blocks"}),
    )
    return "\n".join([head, *_rows(table), "", *_doubts(table), "", *_versions(table), ""])


def _rows(table: KeptTable) -> Iterator[str]:
    yield f"| {' | '.join(_COLUMNS)} |"
    yield f"|{'---|' * len(_COLUMNS)}"
    for arm in table.arms:
        yield f"| {' | '.join(_cells(arm))} |"


def _cells(arm: KeptArm) -> tuple[str, ...]:
    warm = _mean(arm, "throughput")
    return (
        arm.stack,
        arm.runtime,
        _text(_mean(arm, "startup"), units.duration),
        _steady_after(arm),
        ", ".join(dict.fromkeys(_told_by(arm))) or _NONE,
        _text(_mean(arm, "requests_until_steady"), units.count),
        _text(_mean(arm, "compile_cpu"), units.duration),
        *(
            _text(_mean(arm, f"{part}.throughput"), lambda first: _share(first, warm))
            for part in ("first_10s", "first_30s")
        ),
        _text(warm, units.number) + (" \\*" if arm.doubts else ""),
        _text(_average(arm, "warm_up_loss"), units.duration),
        _text(_mean(arm, "first_10s.response_time.p99"), units.duration),
        _text(_mean(arm, "response_time.p99"), units.duration),
    )


def _told_by(arm: KeptArm) -> Iterator[str]:
    compiles = bool(_values(arm, "compile_cpu"))
    for by in arm.steady_by:
        yield "never compiles" if by == "idle" and not compiles else by.replace("-", " ")


def _steady_after(arm: KeptArm) -> str:
    seconds = sorted({f"{value / 1e9:.0f}" for value in _values(arm, "time_to_steady")}, key=int)
    return (
        f"{' to '.join((seconds[0], seconds[-1]) if len(seconds) > 1 else seconds)} s"
        if seconds
        else _NONE
    )


def _values(arm: KeptArm, metric: str) -> list[float]:
    return [value for value in arm.figures.get(metric, ()) if value is not None]


def _mean(arm: KeptArm, metric: str) -> float | None:
    values = _values(arm, metric)
    if not values:
        return None
    return (
        geometric_mean(values) if all(value > 0 for value in values) else sum(values) / len(values)
    )


def _average(arm: KeptArm, metric: str) -> float | None:
    values = _values(arm, metric)
    return sum(values) / len(values) if values else None


def _share(first: float, warm: float | None) -> str:
    return f"{100 * first / warm:.0f} %" if warm else _NONE


def _text(value: float | None, words: Callable[[float], str]) -> str:
    return _NONE if value is None else words(value)


def _doubts(table: KeptTable) -> Iterator[str]:
    doubted = [arm for arm in table.arms if arm.doubts]
    if not doubted:
        yield "No finding says that one of them was still warming up in its window."
        return
    yield "\\* No verdict, rank or effect would be told of these figures:"
    yield ""
    for arm in doubted:
        codes = ", ".join(f"[`{code}`](findings.md)" for code in arm.doubts)
        yield f"- {arm.stack} on {arm.runtime}: {codes}."


def _versions(table: KeptTable) -> Iterator[str]:
    versions = dict.fromkeys((arm.runtime, arm.version) for arm in table.arms if arm.version)
    yield "| runtime | version |\n|---|---|"
    for runtime, version in versions:
        yield f"| {runtime} | {version} |"


PAGE = KeptPage("warming", METRICS, warming_page)


def main(arguments: Sequence[str] | None = None) -> int:
    """Write the page, or with `--check` say whether it is stale."""
    return PAGE.main("loadstone.generate.warming_page", __doc__, arguments)


if __name__ == "__main__":
    sys.exit(main())
