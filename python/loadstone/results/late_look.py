"""The record of a run whose load went on behind its window, as if it had ended with it.

The engine sums up the whole load. What its timeline tells up to the end of the window takes the place
of that, so that such a run says no more of its service than the other runs of its arm. Left as it is:
the shares of TLS handshakes, how many connections the service closed, and what is told by group.
"""

from collections import Counter
from collections.abc import Iterable, Sequence

from loadstone.metrics.outcomes import Outcome
from loadstone.results.load_facts import ConnectionFacts, EngineFacts, LoadFacts, OperationFacts
from loadstone.results.record import RunRecord, Window
from loadstone.results.timeline import TimelineInterval, TimeSplit


def until_window_end(record: RunRecord, timeline: Sequence[TimelineInterval]) -> RunRecord:
    """Return the record as of a load that ended with its window; unchanged where it did."""
    load, window = record.load, record.window
    if load is None or window is None or not window.late_look_ns:
        return record
    before, _ = cut(timeline, window)
    operations = {
        name: _operation(facts, name, before) for name, facts in record.operations.items()
    }
    outcomes = dict(_sum(facts.outcomes for facts in operations.values()))
    stop = load.stop and load.stop.model_copy(update={"reason": "duration", "at_ns": window.end_ns})
    shorter = load.model_copy(
        update={
            "load_ns": window.end_ns,
            "stop": stop,
            "outcomes": outcomes,
            "operations": operations,
            "connections": load.connections and _connections(load.connections, before),
            "unanswered_oldest_ns": None,
            "not_accepted": None,
            "engine": load.engine and _engine(load.engine, load, timeline, before),
        }
    )
    return record.model_copy(
        update={"outcomes": outcomes, "operations": operations, "load": shorter}
    )


def cut(
    timeline: Sequence[TimelineInterval], window: Window
) -> tuple[tuple[TimelineInterval, ...], tuple[TimelineInterval, ...]]:
    """Return the intervals up to the end of a window, and those behind it that are not its grace."""
    if not window.late_look_ns:
        return tuple(timeline), ()
    ends = [not each.grace and each.end_ns <= window.end_ns for each in timeline]
    before = sum(ends)
    return tuple(timeline[:before]), tuple(timeline[before:])


def _operation(
    facts: OperationFacts, name: str, before: Sequence[TimelineInterval]
) -> OperationFacts:
    seen = [each.operations[name] for each in before if name in each.operations]
    return facts.model_copy(
        update={
            "outcomes": dict(_sum(each.outcomes for each in seen)),
            "not_sent": {},
            "bytes_sent": sum(each.bytes_sent or 0 for each in seen),
            "bytes_received": sum(each.bytes_received or 0 for each in seen),
            "clocks": {},
            "lag_causes": {},
        }
    )


def _sum(counted: Iterable[dict[Outcome, int]]) -> Counter[Outcome]:
    total = Counter(dict.fromkeys(Outcome, 0))
    for each in counted:
        total.update(each)
    return total


def _connections(facts: ConnectionFacts, before: Sequence[TimelineInterval]) -> ConnectionFacts:
    splits: list[TimeSplit] = [each.connect for each in before if each.connect is not None]
    return facts.model_copy(
        update={
            "opened": sum(each.ok.count for each in splits if each.ok),
            "failed": sum(each.failed.count for each in splits if each.failed),
        }
    )


def _engine(
    engine: EngineFacts,
    load: LoadFacts,
    timeline: Sequence[TimelineInterval],
    before: Sequence[TimelineInterval],
) -> EngineFacts:
    """Each worker computed before the end as much of what all of them did as in the whole load."""
    length_ns = sum(each.length_ns for each in before)
    used_ns, until_ns = (sum(each.cpu_ns or 0 for each in part) for part in (timeline, before))
    share = until_ns / used_ns if used_ns else length_ns / (load.load_ns + load.grace_ns)
    workers = tuple(
        each.model_copy(update={"cpu_ns": round(share * each.cpu_ns), "wall_ns": length_ns})
        for each in engine.workers
    )
    return engine.model_copy(update={"cpu_ns": round(share * engine.cpu_ns), "workers": workers})
