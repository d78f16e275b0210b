"""Work on many immutable values without the search for reference cycles."""

import gc
from collections.abc import Iterator
from contextlib import contextmanager


@contextmanager
def uncollected() -> Iterator[None]:
    """No search for cycles in the block: the values of records have none, and each search would go
    through all of them. With a study of 640 runs in memory it takes longer than reading a timeline.
    """
    was_enabled = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was_enabled:
            gc.enable()
