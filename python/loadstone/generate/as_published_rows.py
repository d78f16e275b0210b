"""The rows of the page on published tables: quantity by quantity, stack by stack, three measurements
side by side, and what the published method hides of each.

Remarks are made of the runs that follow the published procedure, so that nothing but the method lies
between the two numbers of a remark.
"""

from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import partial
from statistics import geometric_mean
from typing import NamedTuple

from loadstone.generate.as_published import KeptCell, KeptSystem, values_of
from loadstone.study.values.published import (
    Published,
    PublishedKey,
    PublishedRow,
    PublishedSource,
    PublishedStart,
)
from loadstone.text import units
from loadstone.text.words import counted

NONE = "–"
_MILLISECOND_NS = 1e6
_MIB = 2.0**20
_TOLD_FAILURES = 0.005
"""Share of failed answers from which on a remark tells it: less reads `0 %` in a table."""


class Row(NamedTuple):
    """One quantity of one stack."""

    quantity: str
    stack: str
    published: str
    theirs: str
    """By the publication's method, here."""
    ours: str
    hidden: str
    """What their method hides."""


class _Quantity(NamedTuple):
    """What is compared."""

    name: str
    unit: Callable[[float], str]
    published: Callable[[PublishedSource], Iterable[tuple[str, str, float]]]
    """Stack, runtime and value of each published row that has it."""
    is_theirs: Callable[[KeptCell], bool]
    is_ours: Callable[[KeptCell], bool]
    metric: str
    our_metric: str
    of_theirs: Callable[[Sequence[float]], float]
    """What the publication makes of its runs."""
    hidden: Callable[[Sequence[KeptCell], Sequence[KeptCell]], str]
    """From the cells by their method, and from ours."""


def rows_of(system: KeptSystem, published: Published) -> Iterator[Row]:
    """Every row; a quantity that nobody has is left out."""
    for quantity in _quantities(system, published):
        for stack in _stacks(system, published):
            row = _row(quantity, stack, system, published)
            if (row.published, row.theirs, row.ours) != (NONE, NONE, NONE):
                yield row


def _row(quantity: _Quantity, stack: str, system: KeptSystem, published: Published) -> Row:
    theirs = [
        cell
        for cell in system.theirs.cells
        if cell.stack == stack and quantity.is_theirs(cell) and values_of([cell], quantity.metric)
    ]
    ours = [
        cell
        for study in system.ours
        for cell in study.cells
        if cell.stack == stack and quantity.is_ours(cell)
    ]
    runtimes = {cell.runtime for cell in theirs}
    alike = [cell for cell in ours if cell.runtime in runtimes] or ours
    return Row(
        quantity.name,
        stack,
        _published(quantity, stack, published),
        _by_runtime(
            theirs, quantity.metric, lambda values: quantity.unit(quantity.of_theirs(values))
        ),
        _by_runtime(ours, quantity.our_metric, lambda values: _mean_of(values, quantity.unit)),
        quantity.hidden(theirs, alike) if theirs else NONE,
    )


def _published(quantity: _Quantity, stack: str, published: Published) -> str:
    """`jit 2.36 s (mac23), 3.42 s (ubuntu23); native 169 ms (mac23)`."""
    found: dict[str, list[str]] = {}
    for source in published.sources:
        for of_stack, runtime, value in quantity.published(source):
            if of_stack == stack:
                told = f"{quantity.unit(value)} ({source.source})"
                found.setdefault(runtime, []).append(told)
    return _joined((runtime, ", ".join(values)) for runtime, values in found.items())


def _by_runtime(
    cells: Sequence[KeptCell], metric: str, text: Callable[[Sequence[float]], str]
) -> str:
    """`openjdk-17 4.12 s; openjdk-25 3.71 s`; of an arm that a study has twice the first."""
    firsts: dict[str, KeptCell] = {}
    for cell in cells:
        if values_of([cell], metric):
            firsts.setdefault(cell.runtime, cell)
    return _joined((runtime, text(values_of([cell], metric))) for runtime, cell in firsts.items())


def _joined(parts: Iterable[tuple[str, str]]) -> str:
    return "; ".join(f"{name} {text}".strip() for name, text in parts) or NONE


def _mean_of(values: Sequence[float], unit: Callable[[float], str]) -> str:
    """`4.12 s (6 runs, 4.01 s to 4.30 s)`."""
    if len(values) == 1:
        return f"{unit(values[0])} (1 run)"
    spread = f"{unit(min(values))} to {unit(max(values))}"
    return f"{unit(_mean(values))} ({counted(len(values), 'run')}, {spread})"


def _mean(values: Sequence[float]) -> float:
    is_positive = all(value > 0 for value in values)
    return geometric_mean(values) if is_positive else sum(values) / len(values)


def _average(values: Sequence[float]) -> float:
    return sum(values) / len(values)


def _quantities(system: KeptSystem, published: Published) -> Iterator[_Quantity]:
    yield _Quantity(
        name="start-up",
        unit=units.duration,
        published=partial(_starts, field="startup_ms", size=_MILLISECOND_NS),
        is_theirs=lambda cell: cell.kind == "startup",
        is_ours=lambda cell: cell.kind == "startup",
        metric="startup_claimed",
        our_metric="startup",
        of_theirs=_average,
        hidden=_hidden_of_start,
    )
    for word in ("five", "ten"):
        metric = f"rss.after_{word}_requests"
        yield _Quantity(
            name=f"memory after {word} requests",
            unit=units.size,
            published=partial(_starts, field="rss_after_five_mib", size=_MIB)
            if word == "five"
            else _nothing,
            is_theirs=lambda cell: cell.kind == "footprint",
            is_ours=lambda cell: cell.kind == "footprint",
            metric=metric,
            our_metric="rss_peak",
            of_theirs=max,
            hidden=partial(_hidden_of_memory, metric=metric),
        )
    for key in _loads(system, published):
        for metric, field, unit, name, hidden in _OF_LOADS:
            of_load = partial(_loaded, key=key, field=field, size=_UNITS[field])
            if any(of_load(source) for source in published.sources):
                yield _Quantity(
                    name=f"{name}, {_load_text(key)}",
                    unit=unit,
                    published=of_load,
                    is_theirs=partial(_is_of_key, key=key),
                    is_ours=partial(_is_like, key=key),
                    metric=metric,
                    our_metric=metric,
                    of_theirs=_average,
                    hidden=hidden,
                )


def _loads(system: KeptSystem, published: Published) -> Iterator[PublishedKey]:
    """The published loads that the study of their procedure has, in the order of the tables."""
    measured = {cell.key for cell in system.theirs.cells}
    keys = dict.fromkeys(row.key for source in published.sources for row in source.rows)
    return (key for key in keys if key in measured)


def _load_text(key: PublishedKey) -> str:
    size = f", {units.count(key.message_bytes)} B" if key.message_bytes else ""
    if key.rate_per_second:
        return f"{key.scenario}, {units.count(key.rate_per_second)}/s{size}"
    return f"{key.scenario}, {counted(key.users, 'user')}{size}"


def _is_of_key(cell: KeptCell, key: PublishedKey) -> bool:
    return cell.key == key


def _is_like(cell: KeptCell, key: PublishedKey) -> bool:
    """Whether a load of ours has the same request, from users or by a rate as theirs."""
    arrivals = "rate" if key.rate_per_second else "users"
    return cell.load == arrivals and cell.scenarios == (key.scenario,)


def _stacks(system: KeptSystem, published: Published) -> Iterable[str]:
    """Published ones first, each once."""
    return dict.fromkeys(
        (
            *(_whose(source, row)[0] for source in published.sources for row in _all_rows(source)),
            *(cell.stack for study in (system.theirs, *system.ours) for cell in study.cells),
        )
    )


def _all_rows(source: PublishedSource) -> Iterator[PublishedRow | PublishedStart]:
    yield from source.starts
    yield from source.rows


def _whose(source: PublishedSource, row: PublishedRow | PublishedStart) -> tuple[str, str]:
    return (row.stack, row.runtime or "") if row.stack else (row.whose or source.title, "")


def _starts(source: PublishedSource, field: str, size: float) -> Iterator[tuple[str, str, float]]:
    for start in source.starts:
        value = getattr(start, field)
        if value is not None:
            yield start.stack, start.runtime, value * size


def _nothing(_: PublishedSource) -> Iterator[tuple[str, str, float]]:
    """What no table has."""
    return iter(())


def _loaded(
    source: PublishedSource, key: PublishedKey, field: str, size: float
) -> list[tuple[str, str, float]]:
    """Rows with failures count those in their throughput and times: they are left out, and so is what a
    note withholds.
    """
    return [
        (*_whose(source, row), value * size)
        for row in source.rows
        if row.key == key
        and not row.failures_percent
        and not row.withheld(field)
        and (value := getattr(row, field)) is not None
    ]


def _hidden_of_start(theirs: Sequence[KeptCell], _: Sequence[KeptCell]) -> str:
    claimed, answered = values_of(theirs, "startup_claimed"), values_of(theirs, "startup")
    if not answered:
        return "when the first answer came"
    times = units.number(_mean(answered) / _mean(claimed))
    return (
        f"of the same starts the first correct answer came after {units.duration(_mean(answered))}, "
        f"{times} times the claim: a log begins late and ends early"
    )


def _hidden_of_memory(theirs: Sequence[KeptCell], ours: Sequence[KeptCell], metric: str) -> str:
    near_rest, under_load = values_of(theirs, metric), values_of(ours, "rss_peak")
    if not under_load:
        return "memory under load: it is near rest"
    times = units.number(_mean(under_load) / max(near_rest))
    return f"it is near rest: under the load of ours it was {times} times as much at its peak"


def _hidden_of_throughput(theirs: Sequence[KeptCell], _: Sequence[KeptCell]) -> str:
    first, whole = values_of(theirs, "first_10s.throughput"), values_of(theirs, "throughput")
    share = units.percent(round(_mean(first) / _mean(whole), 2)) if first else ""
    cold = f"in its first 10 s, which are in it, it was {share} of that" if first else ""
    return _of_a_load(theirs, "throughput", cold)


def _hidden_of_p99(theirs: Sequence[KeptCell], _: Sequence[KeptCell]) -> str:
    first = values_of(theirs, "first_10s.response_time.p99")
    cold = (
        f"its first 10 s, which are in it, had a p99 of {units.duration(_mean(first))}"
        if first
        else ""
    )
    return _of_a_load(theirs, "response_time.p99", cold)


def _of_a_load(theirs: Sequence[KeptCell], metric: str, cold: str) -> str:
    runs = len(values_of(theirs[:1], metric))
    failures = values_of(theirs, "failures")
    failed = _average(failures) if failures else 0.0
    return (
        "; ".join(
            filter(
                None,
                (
                    "how it varies: it is one run" if runs == 1 else "",
                    cold,
                    f"{units.share(failed)} of the answers failed"
                    if failed > _TOLD_FAILURES
                    else "",
                ),
            )
        )
        or NONE
    )


_UNITS = {"throughput_per_second": 1.0, "p99_ms": _MILLISECOND_NS}
_OF_LOADS = (
    ("throughput", "throughput_per_second", units.rate, "throughput", _hidden_of_throughput),
    ("response_time.p99", "p99_ms", units.duration, "p99", _hidden_of_p99),
)
"""Metric, field of a published row, printer, name, and what a figure of it hides."""
