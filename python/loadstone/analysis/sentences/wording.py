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
    again: str
    """The same once more in the same sentence."""


def wording(name: str) -> Wording:
    """The words of a metric; those that have none of their own are named."""
    for part, seconds in FIRST_SECONDS.items():
        if name.startswith(f"{part}."):
            return _in_first(wording(name.removeprefix(f"{part}.")), seconds)
    return _OWN.get(name) or _by_family(name)


def _lower(most: str, more: str, lead: str) -> Wording:
    """Less is better: it is told of the others how much more they take."""
    return Wording(most, more, f"{{other}} {lead}", "{other} {times} times")


def _higher(most: str, more: str, lead: str, again: str = "{times} times as many as") -> Wording:
    """More is better: it is told of the first how much more it gives."""
    return Wording(most, more, f"{lead} {{other}}", f"{again} {{other}}")


_AS_LONG = "takes {times} times as long"
_AS_MUCH = "needs {times} times as much"
_OWN = {
    "throughput": _higher(
        "answers most", "answers more", "{times} times as many requests a second as"
    ),
    "ok_per_cpu_second": _higher(
        "answers most for its CPU",
        "answers more for its CPU",
        "{times} times as many requests for a second of CPU as",
    ),
    "cpu_per_ok": _lower("needs least CPU per request", "needs less CPU per request", _AS_MUCH),
    "startup": _lower("starts fastest", "starts faster", _AS_LONG),
    "startup_cpu": _lower("needs least CPU to start", "needs less CPU to start", _AS_MUCH),
    "build_time": _lower("builds fastest", "builds faster", _AS_LONG),
    "time_to_steady": _lower("is steady soonest", "is steady sooner", _AS_LONG),
    "time_to_failure": _higher(
        "lasts longest", "lasts longer", "{times} times as long as", "{times} times as long as"
    ),
    "time_to_slow_mean": _higher(
        "stays quick longest",
        "stays quick longer",
        "{times} times as long as",
        "{times} times as long as",
    ),
    "users_before_failure": _higher(
        "bears most users", "bears more users", "{times} times as many as"
    ),
    "artifact_size": _lower(
        "has the smallest artifact", "has the smaller artifact", "has one {times} times as large"
    ),
    "failures": Wording(
        "fails least", "fails less", "{other} fails {times} more", "{other} {times} more"
    ),
}


def _by_family(name: str) -> Wording:
    info, label = metric(name), metric_label(name)
    if is_time(name):
        return _lower(f"is fastest by {label}", f"is faster by {label}", _AS_LONG)
    if info.unit == "bytes":
        return _lower(f"needs least memory ({label})", f"needs less memory ({label})", _AS_MUCH)
    is_higher = info.direction == "higher"
    most, more = ("highest", "higher") if is_higher else ("lowest", "lower")
    own = f"has the {most} {label}", f"has the {more} {label}"
    if info.scale == "difference":
        if is_higher:
            return Wording(*own, "{times} more than {other}", "{times} more than {other}")
        return Wording(*own, "{other} has {times} more", "{other} {times} more")
    if is_higher:
        return _higher(*own, "{times} times that of", "{times} times that of")
    return _lower(*own, "has {times} times as much")


def _in_first(whole: Wording, seconds: int) -> Wording:
    """Of the first seconds of a load; response times are named by their quantile."""
    when = f" in the first {seconds} s"
    return Wording(whole.most + when, whole.more + when, whole.lead, whole.again)
