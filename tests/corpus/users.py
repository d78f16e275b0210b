"""What each closed user got, in the file that the engine writes of it."""

import json
from pathlib import Path

import numpy as np

from corpus.service import Simulated
from loadstone.metrics.outcomes import Outcome
from loadstone.results import folder
from loadstone.study.values.model import Workload


def write_users(directory: Path, workload: Workload, simulated: Simulated) -> None:
    """Write the columns. A user of several streams is one user, as its connection is one."""
    from_ns = workload.warm_up_ns or 0
    requests, users = simulated.requests, int(workload.arrivals.highest)
    whose = simulated.user % users
    counted = (requests.outcome == Outcome.OK) & (requests.done_ns >= from_ns)
    service_ns = requests.done_ns - requests.written_ns
    rows = []
    for user in np.unique(whose).tolist():
        of_user = whose == user
        times = service_ns[of_user & counted]
        log2 = np.log2(np.maximum(times, 1)) if times.size else np.zeros(1)
        rows.append(
            {
                "user": user,
                "first_ns": int(requests.intended_ns[of_user].min()),
                "answers": times.size,
                "mean_ns": float(times.mean()) if times.size else 0.0,
                "max_ns": int(times.max(initial=0)),
                "log2_mean": float(log2.mean()),
                "log2_variance": float(log2.var()),
            }
        )
    columns = {name: [row[name] for row in rows] for name in rows[0]}
    text = json.dumps({"from_ns": from_ns, "every": 1, **columns})
    (directory / folder.USERS).write_text(text)
