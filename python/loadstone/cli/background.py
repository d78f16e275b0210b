"""What a service computes before and after a load that may change something."""

from collections.abc import Sequence

from loadstone.cli.app import messages
from loadstone.errors import LoadstoneError
from loadstone.measure.loading.background import (
    BEFORE_SECONDS,
    background_after,
    background_share,
)
from loadstone.measure.loading.single_requests import may_ask
from loadstone.results.record import RunRecord
from loadstone.study.values.model import Workload


def share_before(url: str, workload: Workload, allowed: Sequence[str]) -> float | None:
    """What the service computes while nobody asks; none of a load that changes nothing."""
    return None if may_ask(workload) else background_share(url, allowed, BEFORE_SECONDS)


def with_background(
    record: RunRecord, before_share: float | None, allowed: Sequence[str]
) -> RunRecord:
    """The record with what the service computes after it; as it is where nobody looked before."""
    if before_share is None:
        return record
    try:
        with messages().status("does the service go on working?", refresh_per_second=2):
            found = background_after(record.run.arm, allowed, before_share)
    except LoadstoneError:
        return record  # what ended the service in between is not of the load
    return record.model_copy(update={"background": found})
