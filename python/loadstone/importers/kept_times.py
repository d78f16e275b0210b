"""The times of an imported load's single requests, which its run keeps in buckets alone.

For what a published procedure does with them. Sixteen bytes a request are kept: the memory grows with
the file, as it does nowhere else here.
"""

from array import array

import numpy as np

from loadstone.importers.interface import Request
from loadstone.metrics.outcomes import Outcome
from loadstone.results.request_times import SECOND_NS, RequestTimes


class KeptTimes:
    """Service times of ok requests, in the order in which they are told."""

    def __init__(self) -> None:
        self._values_ns = array("q")
        self._seconds = array("q")

    def add(self, request: Request) -> None:
        """Keep one request, if it ended ok and its time is told."""
        if request.outcome is Outcome.OK and request.service_ns is not None:
            self._values_ns.append(request.service_ns)
            self._seconds.append(request.done_ns // SECOND_NS)

    def request_times(self) -> RequestTimes:
        """Return all of them."""
        return RequestTimes(
            np.array(self._values_ns, dtype=np.float64),
            np.array(self._seconds, dtype=np.int64),
            is_exact=True,
        )
