"""Which workloads may be preceded by a load that makes their service warm."""

from loadstone.study.files.yaml_file import YamlFile
from loadstone.study.values.model import LEAST_STEADY_WITHIN_NS, Workload

_KEY = ("warmed",)
_SECOND_NS = 10**9


def judge_warmed(source: YamlFile, workload: Workload) -> None:
    """Refuse it where it is needless, or nothing would tell that the service is steady.

    Raises InputError.
    """
    within_ns = workload.warmed_within_ns
    if within_ns is None:
        return
    if workload.kind != "load" or not workload.is_closed:
        raise source.error(
            _KEY,
            "is only for a load of closed users",
            "take it out: a footprint is of a service at rest, and a rate sets what it asks for",
        )
    if workload.warm_up_ns is None:
        raise source.error(
            _KEY,
            "stands beside a warm-up that is watched itself",
            "take it out, or write warm_up as whole seconds",
        )
    if not any(group.pauses for group in workload.groups):
        raise source.error(
            _KEY,
            "stands with users who never pause: the load warms the service itself",
            "take it out, and write `warm_up: steady` with a window",
        )
    if within_ns < LEAST_STEADY_WITHIN_NS:
        raise source.error(
            (*_KEY, "at_most"),
            "is over before steadiness can be looked for",
            f"write at least {LEAST_STEADY_WITHIN_NS // _SECOND_NS}s",
        )
