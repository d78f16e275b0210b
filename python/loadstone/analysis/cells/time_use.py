"""Where the time of a study went, from its first fact to its last record."""

from collections import Counter
from collections.abc import Sequence
from datetime import datetime

from loadstone.results.environment import Environment
from loadstone.results.read import StoredRun
from loadstone.results.record import RunRecord

SECOND_NS = 1_000_000_000


def time_use(environment: Environment, runs: Sequence[StoredRun]) -> dict[str, int]:
    """Nanoseconds by phase, the longest first; they add up to the wall time, of several sites to the
    sum of theirs.

    `measured` are windows, and the starts of runs without load. A pause before a resumed part is
    `between runs`. Empty where no run was recorded.
    """
    records = sorted((run.record for run in runs if run.record), key=lambda each: each.started_at)
    if not records:
        return {}
    used: Counter[str] = Counter()
    began = _at(environment.began_at or records[0].started_at)
    ended: dict[str | None, datetime] = {}  # by site
    for record in records:
        site, started, finished = record.run.site, _at(record.started_at), _at(record.finished_at)
        waited_ns = _ns(ended.get(site, began), started)
        used["between runs" if site in ended else "preparation"] += waited_ns
        used.update(_phases(record, _ns(started, finished)))
        ended[site] = finished
    return {name: length_ns for name, length_ns in used.most_common() if length_ns > 0}


def _phases(record: RunRecord, wall_ns: int) -> dict[str, int]:
    phases = dict(record.phases_ns)
    if record.window is not None and "load" in phases:
        phases["measured"] = record.window.end_ns - record.window.start_ns
        phases["warm-up"] = record.window.start_ns
        phases["late look"] = record.window.late_look_ns
        phases["load"] -= phases["measured"] + phases["warm-up"] + phases["late look"]
    elif record.kind == "startup" and record.status == "completed":
        phases["measured"] = phases.pop("startup", 0)
    phases["other"] = wall_ns - sum(phases.values())
    return {name.replace("_", " "): max(0, length_ns) for name, length_ns in phases.items()}


def _at(text: str) -> datetime:
    return datetime.fromisoformat(text)


def _ns(first: datetime, last: datetime) -> int:
    return max(0, round((last - first).total_seconds() * SECOND_NS))
