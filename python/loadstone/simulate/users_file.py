"""`users.json` of a simulated load: what each closed user got, column by column."""

import json
from collections.abc import Sequence
from pathlib import Path

import numpy as np

from loadstone.metrics.outcomes import Outcome
from loadstone.simulate.group_load import GroupLoad


def write_users(path: Path, groups: Sequence[GroupLoad], from_ns: int) -> None:
    """Write a row for each user of each closed group; nothing where there is none. A user of several
    streams is one user, as its connection is one.
    """
    closed = [each for each in groups if each.stays is not None]
    rows = [row for at, group in enumerate(closed) for row in _rows(group, at, from_ns)]
    if not rows:
        return
    columns = {name: [row[name] for row in rows] for name in rows[0]}
    names = [each.group.name for each in closed]
    path.write_text(json.dumps({"from_ns": from_ns, "every": 1, "groups": names, **columns}))


def _rows(load: GroupLoad, at: int, from_ns: int) -> list[dict[str, float]]:
    requests, stays = load.requests, load.stays or ()
    numbers = np.array([stay.number for stay in stays], dtype=np.int64)
    whose = numbers[load.steps.place % max(1, len(stays))]
    counted = (requests.outcome == Outcome.OK) & (requests.done_ns >= from_ns)
    rows = []
    for user in np.unique(whose).tolist():
        mine = whose == user
        service_ns = (requests.done_ns - requests.written_ns)[mine & counted]
        response_ns = (requests.done_ns - requests.intended_ns)[mine & counted]
        log2 = np.log2(np.maximum(service_ns, 1)) if service_ns.size else np.zeros(1)
        rows.append(
            {
                "group": at,
                "user": user,
                "first_ns": int(requests.intended_ns[mine].min()),
                "answers": service_ns.size,
                "mean_ns": float(service_ns.mean()) if service_ns.size else 0.0,
                "mean_response_ns": float(response_ns.mean()) if response_ns.size else 0.0,
                "max_ns": int(service_ns.max(initial=0)),
                "log2_mean": float(log2.mean()),
                "log2_variance": float(log2.var()),
            }
        )
    return rows
