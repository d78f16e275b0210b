"""How steady the machine is right now, in words, and what size of difference it can resolve."""

import math
from collections.abc import Iterator

from loadstone.doctor.noise import Noise, Spread
from loadstone.doctor.resolution import FEW_BLOCKS, MORE_BLOCKS, Resolution
from loadstone.doctor.row import Row, fact
from loadstone.text.units import duration, percent, share

SECTION = "Right now"
BUSY_LOAD = 0.5
"""Of the load average: half a CPU's worth of something else."""
TAKEN_SHARE = 0.01
"""Of the service's CPU: a third of the 3 % that studies here take for a difference that matters."""
RESTLESS_VARIATION = 0.05
"""Up to about this six blocks find a difference of 10 % (`smallest_ratio`)."""
FINE_PERCENTAGE = 2.0
"""Below it whole per cents are too coarse: rounding up would double what was found."""
_END_OTHERS = "End what else runs, or wait for it (`top` shows it), and ask again."
_SHARED_HOST = "The host is shared: measure at another hour, or on hardware of your own."


def now_rows(load_1: float, noise: Noise | None) -> Iterator[Row]:
    """Yield a row for each fact."""
    busy = _END_OTHERS if load_1 >= BUSY_LOAD else None
    yield fact(SECTION, "load average", f"{load_1:.2f} over the last minute", busy)
    if noise is None:
        return
    cpu = f"CPU {noise.cpu}"
    waited = _END_OTHERS if noise.waited_share >= TAKEN_SHARE else None
    yield fact(SECTION, "taken by others", f"{share(noise.waited_share)} of {cpu}", waited)
    stolen = _SHARED_HOST if noise.steal_share >= TAKEN_SHARE else None
    yield fact(SECTION, "steal", f"{share(noise.steal_share)} of {cpu}, by the hypervisor", stolen)
    yield _varied("fixed loop", noise.loop, "on " + cpu)
    yield _varied("loopback", noise.round_trip, "a round trip")


def assumptions(noise: Noise, found: Resolution) -> str:
    """Return what the verdict takes for granted."""
    varied = f"{share(_variation(found.deviation))} ({found.decided_by})"
    return (
        f"The verdict takes a run to vary as a probe of {duration(noise.probe_ns)} did, by {varied}, "
        f"and asks for a paired t test at {percent(found.level)} to find the difference in "
        f"{percent(found.power)} of studies. Runs of 10 s average more; fresh processes differ by "
        "themselves: trust the interval of the study."
    )


def resolvable(found: Resolution) -> str:
    """Return the verdict on a machine that can run studies."""
    few, more = (_size(each) for each in (found.ratio_6_blocks, found.ratio_12_blocks))
    return (
        f"{FEW_BLOCKS} blocks tell apart differences of about {few} and more, "
        f"{MORE_BLOCKS} of {more}."
    )


def _varied(label: str, found: Spread, what: str) -> Row:
    text = f"{duration(found.median_ns)} {what}, varies by {share(found.variation)}"
    return fact(
        SECTION,
        label,
        text,
        "Prefer CPU time to wall time, and take more blocks."
        if found.variation > RESTLESS_VARIATION
        else None,
    )


def _variation(deviation: float) -> float:
    return Spread(median_ns=0, deviation=deviation).variation


def _size(ratio: float) -> str:
    """Return a ratio above 1 as a difference, rounded up: never more is promised than was found."""
    if ratio >= 2:
        return f"a factor of {math.ceil(ratio * 10) / 10:g}"
    percentage = (ratio - 1) * 100
    if percentage < FINE_PERCENTAGE:
        return f"{max(0.1, math.ceil(percentage * 10) / 10):g} %"
    return f"{math.ceil(percentage)} %"
