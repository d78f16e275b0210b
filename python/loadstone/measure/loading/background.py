"""What a service that is running already computes while nobody asks: before a load, and behind it.

A service that acknowledges first and works later goes on when the load is over; see
`audit/service/works_after_load.py`.
"""

import time
from collections.abc import Sequence

from loadstone.deploy.listener import NoListener, find_listener
from loadstone.machine.procfs import ran_ns, with_descendants
from loadstone.measure.loading.url_load import answering
from loadstone.results.background import Background

BEFORE_SECONDS = 1.0
SETTLING_SECONDS = 2.0
"""After the last answer, in which compilers and collectors come to their end."""
AFTER_SECONDS = 3.0


def background_share(url: str, allowed: Sequence[str], seconds: float) -> float | None:
    """CPU time of the process that listens at a URL over so many seconds, as a share of one CPU.

    None where that process is not found, or the kernel does not tell. Raises as `answering` does.
    """
    listener = find_listener(answering(url, allowed).address)
    if isinstance(listener, NoListener):
        return None
    began_ns, before_ns = time.monotonic_ns(), ran_ns(with_descendants(listener.pid))
    time.sleep(seconds)
    after_ns, ended_ns = ran_ns(with_descendants(listener.pid)), time.monotonic_ns()
    if before_ns is None or after_ns is None:
        return None
    # A thread that ended takes its time with it.
    return max(after_ns - before_ns, 0) / (ended_ns - began_ns)


def background_after(url: str, allowed: Sequence[str], before_share: float) -> Background | None:
    """Wait until the service has settled, and look at it; as `background_share` does."""
    time.sleep(SETTLING_SECONDS)
    after_share = background_share(url, allowed, AFTER_SECONDS)
    if after_share is None:
        return None
    return Background(
        before_share=before_share,
        after_share=after_share,
        after_from_ns=round(SETTLING_SECONDS * 1e9),
        after_length_ns=round(AFTER_SECONDS * 1e9),
    )
