"""The figures of one run's closed users: each counts once, however many requests it had."""

import numpy as np
from numpy.typing import NDArray

from loadstone.analysis.figures.figure_states import not_measured, untold, value
from loadstone.analysis.model import RunFigure
from loadstone.metrics.catalogue import USER_QUANTILES
from loadstone.results.parts import Part
from loadstone.results.window import WindowedRun
from loadstone.stats.values.quantile import rank

_NOBODY = not_measured("no user was there throughout and had an ok answer")


def user_figures(run: WindowedRun, part: Part | None) -> dict[str, RunFigure]:
    """`user.response_time.*`, over the users of the part's groups who were there throughout.

    Users are known one by one, so that a quantile of few of them is what it says.
    """
    users = run.users
    if users is None:
        return dict.fromkeys(USER_QUANTILES, _without_users(run))
    if not users.mean_response_ns:
        untold_yet = not_measured("the engine told only the service times of users")
        return dict.fromkeys(USER_QUANTILES, untold_yet)
    places = np.concatenate([np.zeros(0, dtype=np.int64), *_by_group(run, part)])
    if not places.size:
        return dict.fromkeys(USER_QUANTILES, not_measured("no closed user was there throughout"))
    means_ns = np.array(users.mean_response_ns)[places]
    answered = np.sort(means_ns[np.array(users.answers)[places] > 0])
    return {
        name: _quantile(answered, places.size, quantile)
        for name, quantile in USER_QUANTILES.items()
    }


def slowest_user_figure(run: WindowedRun, part: Part | None = None) -> RunFigure:
    """How many times longer the service took for the slowest user than for the median one, in the group
    where that is most: users of different groups ask for different work.
    """
    users = run.users
    if users is None:
        return _without_users(run)
    means_ns = np.array(users.mean_ns)
    served_ns = [means_ns[places][means_ns[places] > 0] for places in _by_group(run, part)]
    slowest = [float(each.max() / np.median(each)) for each in served_ns if each.size]
    return value(max(slowest)) if slowest else _NOBODY


def _by_group(run: WindowedRun, part: Part | None) -> list[NDArray[np.int64]]:
    """Places of the users who were there throughout, of each of the part's groups or of all."""
    return [
        places
        for name, places in run.users_throughout.items()
        if part is None or name in part.groups
    ]


def _without_users(run: WindowedRun) -> RunFigure:
    """Why a run has no users that are told one by one."""
    source = run.record.source
    if source is not None:
        return untold(source, "users")
    is_rate = run.load.arrivals == "rate"
    return not_measured("a rate has no users" if is_rate else "the engine did not tell it")


def _quantile(answered_ns: NDArray[np.float64], users: int, quantile: float) -> RunFigure:
    """Users without an ok answer rank above all others."""
    at = rank(quantile, users) - 1
    if at >= answered_ns.size:
        reason = f"{users - answered_ns.size} of {users} users had no ok answer"
        return RunFigure(value=None, state="failed", reason=reason)
    return value(float(answered_ns[at]))
