"""Which members of a group had far fewer answers than its median member, by more than chance explains.

Who waits longer for each answer has fewer of them in the same time: that is another matter
(`slow_members.py`), so only members count whose answers together took less time, too. Pauses of random
length alone make numbers of answers differ: independent exponential ones, the most irregular that are
usual, give a Poisson number in a given time (Kingman, "Poisson Processes", 1993, chapter 4). A member
is held against that of the median, at the level over the number of members (Bonferroni).
"""

import numpy as np
from numpy.typing import NDArray
from scipy.special import pdtr

from loadstone.stats.values.slow_members import FEWEST_MEMBERS, LEVEL


def few_answers(
    counts: NDArray[np.int64], times: NDArray[np.float64], share: float, fewest: int
) -> NDArray[np.int64]:
    """Places of the members who had less than `share` of the median member's answers, and of the time
    that these took together. None where the median member had fewer than `fewest`.
    """
    middle = float(np.median(counts)) if counts.size else 0.0
    if counts.size < FEWEST_MEMBERS or middle < fewest:
        return np.zeros(0, dtype=np.int64)
    is_chance = pdtr(counts, middle) > LEVEL / counts.size
    is_few = (counts < share * middle) & (times < share * np.median(times))
    few: NDArray[np.int64] = np.flatnonzero(is_few & ~is_chance)
    return few
