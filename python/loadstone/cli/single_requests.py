"""The single requests of a `bench`, once its load is over."""

from collections.abc import Sequence

from loadstone.cli.app import messages
from loadstone.errors import LoadstoneError
from loadstone.measure.loading.engine_plan import EngineOptions
from loadstone.measure.loading.single_requests import ask_single_requests, may_ask
from loadstone.measure.loading.url_load import answering
from loadstone.metrics.outcomes import Outcome
from loadstone.results.record import RunRecord
from loadstone.study.values.model import Protocol, Workload


def with_single_requests(
    record: RunRecord,
    workload: Workload,
    allowed: Sequence[str],
    protocol: Protocol,
    options: EngineOptions,
) -> RunRecord:
    """The record with what they came to, of a load that held and may be asked for once more."""
    stop = None if record.load is None else record.load.stop
    is_whole = stop is None or stop.reason == "duration"
    if not (is_whole and record.outcomes.get(Outcome.OK) and may_ask(workload)):
        return record
    try:
        with messages().status("asking as a browser, and for a new URL", refresh_per_second=2):
            found = ask_single_requests(
                workload, answering(record.run.arm, allowed), protocol, options
            )
    except LoadstoneError:
        return record  # what ended the service in between is not of the load
    return record.model_copy(update={"single_requests": found})
