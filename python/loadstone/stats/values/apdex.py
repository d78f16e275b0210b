"""Apdex: one figure of how many users are content, from two thresholds of their response time.

Apdex Alliance, "Application Performance Index, Apdex Technical Specification", version 1.1, 2007:
(satisfied + tolerating / 2) / all. There the second threshold is four times the first; here both are
chosen. A request that failed frustrates, however fast it did so.
"""

import numpy as np
from numpy.typing import NDArray


def apdex(
    values: NDArray[np.int64],
    counts: NDArray[np.int64],
    satisfied: float,
    tolerated: float,
    offered: int,
) -> float:
    """From 0, all frustrated, to 1, all satisfied.

    `counts[i]` ok requests took `values[i]`, in the unit of the thresholds; a time at a threshold is
    within it. `offered` are all requests: those beyond the counts failed. `ValueError` for thresholds
    in the wrong order, none offered, and fewer offered than counted.
    """
    if not 0 <= satisfied <= tolerated:
        raise ValueError(f"{satisfied} and {tolerated} are no thresholds in ascending order")
    if offered < 1:
        raise ValueError("no requests, no Apdex")
    if offered < counts.sum():
        raise ValueError(f"{counts.sum()} of {offered} requests cannot be ok")
    content = int(counts[values <= satisfied].sum())
    bearing = int(counts[(values > satisfied) & (values <= tolerated)].sum())
    return (content + bearing / 2) / offered
