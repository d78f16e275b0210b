"""What a workload does, in one sentence, without headers and bodies: they may hold secrets."""

from collections.abc import Sequence

from loadstone.metrics.marks import AFTER_REQUESTS
from loadstone.study.values.arrivals import ConstantThink, Rate, Stages, Think, UniformThink, Users
from loadstone.study.values.expression_text import text_shown
from loadstone.study.values.faults import Fault
from loadstone.study.values.groups import Group
from loadstone.study.values.model import AnyWorkload, StartupWorkload, Workload
from loadstone.study.values.stop_rules import StopRules
from loadstone.text import units
from loadstone.text.words import counted


def workload_sentence(workload: AnyWorkload) -> str:
    """What is done to a service under a workload."""
    if isinstance(workload, StartupWorkload):
        return f"{counted(workload.starts, 'fresh start')} of every arm, each a run without load"
    if workload.kind == "footprint":
        return (
            f"memory {_time(workload.rest_ns)} after the first correct response, "
            f"{_after_requests(workload)}, at half of a load, and {_time(workload.rest_ns)} after it; "
            f"{_first(workload)}the load: {_load(workload)}"
        )
    return _load(workload)


def _after_requests(workload: Workload) -> str:
    """`after one more request, after five`."""
    words = {1: "one more request", 5: "five", 10: "ten"}
    sent = workload.first_requests or 0
    return ", ".join(f"after {words[count]}" for count in AFTER_REQUESTS.values() if count <= sent)


def _first(workload: Workload) -> str:
    """What comes before the load, where the workload says it."""
    if not workload.first:
        return ""
    told = ", ".join(
        f"{each.operation} ({each.method} {text_shown(each.path)})" for each in workload.first
    )
    return f"the first requests: {told}; "


def _load(workload: Workload) -> str:
    """Who loads, how, for how long, and with what."""
    group = workload.only_group
    who = group_text(group) if group else f"{counted(len(workload.groups), 'group')}"
    how = [
        who,
        f"{workload.streams} requests in flight on each connection" if workload.streams > 1 else "",
        "a new connection for each request" if workload.new_connections else "",
        f"up to {counted(workload.redirects, 'redirect')} followed" if workload.redirects else "",
    ]
    does = (
        f"session: {_steps(group)}" if group else "; ".join(map(_one_of_several, workload.groups))
    )
    return (
        f"{', '.join(filter(None, how))}, for {_time(workload.duration_ns)}"
        f"{_warm_up(workload)}{_warmed(workload)}{_stops(workload.stop)}"
        f"{_faults(workload.faults)}; {does}"
    )


def _one_of_several(group: Group) -> str:
    return f"{group.group}: {group_text(group)}{_stops(group.stop)}, session: {_steps(group)}"


def group_text(group: Group) -> str:
    """Who loads in a group, and when."""
    parts = [
        _who(group.arrivals),
        f"from {_time(group.start_ns)} on" if group.start_ns else "",
        "" if group.think is None else _pause(group.think),
        "" if group.pace_ns is None else f"a session of a user each {_time(group.pace_ns)} at most",
    ]
    return ", ".join(filter(None, parts))


def _steps(group: Group) -> str:
    return ", ".join(
        f"{each.operation} ({each.method} {text_shown(each.path)})" for each in group.operations
    )


def _warm_up(workload: Workload) -> str:
    if workload.steady_within_ns is not None:
        return (
            f" once the service is steady (a warm-up of at most {_time(workload.steady_within_ns)})"
        )
    if workload.warm_up_ns is None:
        return ", of which the warm-up is left out as it is detected"
    return f", of which the first {_time(workload.warm_up_ns)} are warm-up"


def _warmed(workload: Workload) -> str:
    """What comes before the load."""
    if workload.warmed_within_ns is None:
        return ""
    return (
        ", before it users without pauses until the service is steady (at most "
        f"{_time(workload.warmed_within_ns)})"
    )


def _who(arrivals: Users | Rate) -> str:
    if isinstance(arrivals, Users):
        if arrivals.is_steady:
            return counted(round(arrivals.highest), "closed user")
        return f"closed users {_stages(arrivals)}"
    spread = " at random (Poisson)" if arrivals.poisson else ""
    many = units.count(arrivals.highest) if arrivals.is_steady else _stages(arrivals)
    return (
        f"{many} sessions a second{spread} over {counted(arrivals.connections, 'connection')}"
        if arrivals.is_steady
        else f"sessions a second{spread} {many} over {counted(arrivals.connections, 'connection')}"
    )


def _stages(arrivals: Stages) -> str:
    """`from 0 to 20 in 10 s, at 20 for 110 s, to 100 at once`."""
    parts: list[str] = []
    level = 0.0
    for stage in arrivals.stages:
        to = units.count(stage.to)
        if stage.over_ns == 0:
            parts.append(f"to {to} at once" if parts else f"from {to}")
        elif stage.to == level:
            parts.append(f"at {to} for {_time(stage.over_ns)}")
        else:
            start = "" if parts else "from 0 "
            parts.append(f"{start}to {to} in {_time(stage.over_ns)}")
        level = stage.to
    return ", ".join(parts)


def _pause(think: Think) -> str:
    if isinstance(think, ConstantThink):
        return f"a pause of {_time(think.constant_ns)} between requests"
    if isinstance(think, UniformThink):
        shortest, longest = map(_time, think.uniform_ns)
        return f"a pause of {shortest} to {longest} between requests"
    return f"an exponential pause of {_time(think.exponential_ns)} in the mean between requests"


def _stops(rules: StopRules) -> str:
    mean, p99, failures = rules.mean_response_time, rules.p99, rules.failures
    texts = [
        f"the mean response time is above {_time(mean.above_ns)} for {_time(mean.for_ns)}"
        if mean
        else "",
        f"the p99 of the last {_time(p99.for_ns)} is above {_time(p99.above_ns)}" if p99 else "",
        f"failures are above {units.percent(failures.above_share)} for {_time(failures.for_ns)}"
        if failures
        else "",
        "a request times out" if rules.first_timeout else "",
        "an answer is not the expected one" if rules.first_failed_check else "",
        "a request fails" if rules.first_failure else "",
    ]
    found = " or ".join(filter(None, texts))
    since = " in the window" if rules.from_window else ""
    return f", ended early when {found}{since}" if found else ""


def _faults(faults: Sequence[Fault]) -> str:
    """`, in whose window users.2 is killed after 20 s and database is frozen after 30 s for 5 s`."""
    texts = [
        f"{each.text} after {_time(each.at_ns)}"
        + ("" if each.for_ns is None else f" for {_time(each.for_ns)}")
        for each in faults
    ]
    return f", in whose window {' and '.join(texts)}" if texts else ""


def _time(nanoseconds: int) -> str:
    return units.tick(nanoseconds, "ns")
