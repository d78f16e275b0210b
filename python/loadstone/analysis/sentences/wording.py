"""How it is said by a metric that one arm is better than another: always as a ratio above 1."""

from dataclasses import dataclass

from loadstone.metrics.catalogue import is_time, metric
from loadstone.metrics.labels import metric_label
from loadstone.metrics.warm_up_metrics import FIRST_SECONDS


@dataclass(frozen=True, slots=True)
class Wording:
    """Of one metric."""

    most: str
    """What the best of several does: `answers most`."""
    more: str
    """What the better of two does: `answers more`."""
    lead: str
    """By how much, with `{times}` and `{other}`."""


def wording(name: str) -> Wording:
    """The words of a metric; those that have none of their own are named."""
    for part, seconds in FIRST_SECONDS.items():
        if name.startswith(f"{part}."):
            return _in_first(wording(name.removeprefix(f"{part}.")), seconds)
    return _OWN.get(name) or _by_family(name)


_AS_LONG = "{other} takes {times} times as long"
_AS_MUCH = "{other} needs {times} times as much"
_OWN = {
    "throughput": Wording(
        "answers most", "answers more", "{times} times as many requests a second as {other}"
    ),
    "ok_per_cpu_second": Wording(
        "answers most for its CPU",
        "answers more for its CPU",
        "{times} times as many requests for a second of CPU as {other}",
    ),
    "cpu_per_ok": Wording("needs least CPU per request", "needs less CPU per request", _AS_MUCH),
    "startup": Wording("starts fastest", "starts faster", _AS_LONG),
    "startup_cpu": Wording("needs least CPU to start", "needs less CPU to start", _AS_MUCH),
    "build_time": Wording("builds fastest", "builds faster", _AS_LONG),
    "time_to_steady": Wording("is steady soonest", "is steady sooner", _AS_LONG),
    "time_to_failure": Wording("lasts longest", "lasts longer", "{times} times as long as {other}"),
    "users_before_failure": Wording(
        "bears most users", "bears more users", "{times} times as many as {other}"
    ),
    "artifact_size": Wording(
        "has the smallest artifact",
        "has the smaller artifact",
        "that of {other} is {times} times as large",
    ),
    "failures": Wording("fails least", "fails less", "{other} fails {times} more"),
}


def _by_family(name: str) -> Wording:
    info, label = metric(name), metric_label(name)
    if is_time(name):
        return Wording(f"is fastest by {label}", f"is faster by {label}", _AS_LONG)
    if info.unit == "bytes":
        return Wording(f"needs least memory ({label})", f"needs less memory ({label})", _AS_MUCH)
    is_higher = info.direction == "higher"
    most, more = ("highest", "higher") if is_higher else ("lowest", "lower")
    if info.scale == "difference":
        beside = "{times} more than {other}" if is_higher else "{other} has {times} more"
    else:
        beside = (
            "{times} times that of {other}" if is_higher else "{other} has {times} times as much"
        )
    return Wording(f"has the {most} {label}", f"has the {more} {label}", beside)


def _in_first(whole: Wording, seconds: int) -> Wording:
    """Of the first seconds of a load; response times are named by their quantile."""
    when = f" in the first {seconds} s"
    return Wording(whole.most + when, whole.more + when, whole.lead)
