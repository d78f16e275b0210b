"""The table of the corpus, as text."""

from collections import Counter
from collections.abc import Iterator, Sequence

from corpus.outcome import (
    LEAST_FOUND_OF_A_KIND_SHARE,
    LEAST_FOUND_SHARE,
    MOST_FALSE_WARNING_SHARE,
    MOST_FALSE_WITHHOLDS,
    Acquittal,
    Detection,
    Totals,
)

KIND_WIDTH = 42


def lines(
    found: Sequence[Detection], acquitted: Sequence[Acquittal], totals: Totals
) -> Iterator[str]:
    """Defects, healthy kinds, totals."""
    yield f"{'defect':{KIND_WIDTH}} {'strength':>9}  found  told as   right codes; also found"
    before = ""
    for each in found:
        kind = "" if each.defect.kind == before else each.defect.kind
        before = each.defect.kind
        mark = "*" if each.is_default else " "
        codes = ", ".join(each.defect.codes) if each.is_default else ""
        also = _counted(each.also, each.tried)
        yield (
            f"{kind:{KIND_WIDTH}} {each.strength:>8g}{mark} {_percent(each.found, each.tried):>6}  "
            f"{each.told_as or '-':8}  {codes}{'; ' if codes and also else ''}{also}"
        ).rstrip()
    yield ""
    yield f"{'healthy':{KIND_WIDTH}} {'tried':>9}  withheld; warned; true of it"
    for clean in acquitted:
        told = "; ".join(
            part
            for part in (
                _counted(clean.withheld, clean.tried, "withheld: "),
                _counted(clean.warned, clean.tried, "warned: "),
                _counted(clean.true, clean.tried, "true of it: "),
            )
            if part
        )
        yield f"{clean.clean.kind:{KIND_WIDTH}} {clean.tried:>9}  {told or '-'}"
    yield ""
    reasons = {
        f"{code}: {why}"
        for clean in acquitted
        for code, why in clean.clean.true_of_it.items()
        if clean.true[code]
    }
    yield from sorted(reasons)
    yield "* the default strength"
    missed = [
        each for each in found if each.is_default and each.found < LEAST_FOUND_SHARE * each.tried
    ]
    if missed:
        yield "found most seldom: " + ", ".join(each.defect.kind for each in missed)
    yield (
        f"found at default strength: {totals.found} of {totals.tried}, "
        f"{_percent(totals.found, totals.tried)} (at least {LEAST_FOUND_SHARE:.0%})"
    )
    yield (
        f"defects found in less than {LEAST_FOUND_OF_A_KIND_SHARE:.0%}: {totals.seldom} (at most 0)"
    )
    yield (
        f"found at strength 0: {totals.found_at_zero} of {totals.zero}, "
        f"{_percent(totals.found_at_zero, totals.zero)} (at most {MOST_FALSE_WARNING_SHARE:.0%})"
    )
    yield f"false withholds: {totals.false_withholds} (at most {MOST_FALSE_WITHHOLDS})"
    yield (
        f"false warnings: {totals.false_warnings} of {totals.clean}, "
        f"{_percent(totals.false_warnings, totals.clean)} (at most {MOST_FALSE_WARNING_SHARE:.0%})"
    )


def _percent(part: int, whole: int) -> str:
    return f"{part / whole:.1%}" if whole else "-"


def _counted(codes: Counter[str], tried: int, before: str = "") -> str:
    told = ", ".join(f"{code} {_percent(count, tried)}" for code, count in codes.most_common())
    return before + told if told else ""
