"""What size of difference this machine can resolve now: from its noise to a number of blocks.

The logarithm of one arm's figure is taken to vary between runs as the logarithm of the noisier of the
two probed times varies between probes. `smallest_ratio` gives what a paired t test finds then. What
that takes for granted, both ways: a run of 10 s averages a hundred times as much as a probe, and a
block's runs share slow changes, so differences may be found that are smaller; but a fresh process
differs from the last one in its own ways (Kalibera and Jones, "Rigorous Benchmarking in Reasonable
Time", ISMM 2013), which no probe of the machine sees.
And the spread of 15 probes is itself known to a quarter only (one standard error), so "about" is meant.
"""

from typing import Literal

from loadstone.doctor.noise import Noise
from loadstone.frozen import Frozen
from loadstone.stats.comparison.smallest_effect import smallest_ratio

LEVEL = 0.05
"""The level of every comparison of the lab, before its correction for several of them."""
POWER = 0.8
"""Cohen 1988, section 2.4: the convention where nothing speaks for another."""
FEW_BLOCKS, MORE_BLOCKS = 6, 12
"""The first two looks of adaptive blocks; quickstart has 6."""


class Resolution(Frozen):
    """The smallest ratio of two arms that a comparison finds in 4 of 5 studies."""

    deviation: float
    """Standard deviation of a run's logarithm that is taken for granted."""
    decided_by: Literal["loop", "round trip"]
    """Which of the two probed times it comes from."""
    level: float = LEVEL
    """Two-sided error of the comparison."""
    power: float = POWER
    """Share of studies that find it."""
    ratio_6_blocks: float
    """With 6 blocks."""
    ratio_12_blocks: float
    """With 12 blocks."""


def resolution(noise: Noise) -> Resolution:
    """Return what can be told apart on a machine of this noise."""
    by_loop = noise.loop.deviation > noise.round_trip.deviation
    deviation = noise.loop.deviation if by_loop else noise.round_trip.deviation
    few, more = (
        smallest_ratio(deviation, blocks, LEVEL, POWER) for blocks in (FEW_BLOCKS, MORE_BLOCKS)
    )
    return Resolution(
        deviation=deviation,
        decided_by="loop" if by_loop else "round trip",
        ratio_6_blocks=few,
        ratio_12_blocks=more,
    )
