"""Which workloads may be preceded by a load that makes their service warm."""

from loadstone.study.files.yaml_file import KeyPath, YamlFile
from loadstone.study.values.model import LEAST_STEADY_WITHIN_NS, AnyWorkload, Workload

_SECOND_NS = 10**9


def judge_warmed(source: YamlFile, at: KeyPath, workload: AnyWorkload) -> None:
    """Refuse it where it is needless, or nothing would tell that the service is steady.

    `at` is where `warmed` was typed. Raises InputError.
    """
    name = workload.workload
    if not isinstance(workload, Workload) or workload.kind != "load" or not workload.is_closed:
        raise source.error(
            at,
            f"is only for a load of closed users, unlike {name}",
            "take it out: a footprint is of a service at rest, and a rate sets what it asks for",
        )
    if workload.warm_up_ns is None:
        raise source.error(
            at,
            f"stands beside the warm-up of {name}, which is watched itself",
            "take it out, or write warm_up as whole seconds",
        )
    if all(group.is_steady and not group.pauses for group in workload.groups):
        raise source.error(
            at,
            f"stands before {name}, whose users never pause nor change: it warms the service itself",
            "take it out, and write `warm_up: steady` with a window",
        )
    within_ns = workload.warmed_within_ns
    if within_ns is not None and within_ns < LEAST_STEADY_WITHIN_NS:
        raise source.error(
            (*at, "at_most"),
            "is over before steadiness can be looked for",
            f"write at least {LEAST_STEADY_WITHIN_NS // _SECOND_NS}s",
        )
