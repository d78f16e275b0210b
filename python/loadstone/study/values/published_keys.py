"""What an arm under a workload measures of what is published of its system."""

from loadstone.study.values.arrivals import ConstantThink, Rate, Users
from loadstone.study.values.groups import Group
from loadstone.study.values.manifest import Scenario
from loadstone.study.values.model import AnyWorkload, Arm, Workload
from loadstone.study.values.published import FirstStop, Published, PublishedKey, RampKey
from loadstone.study.values.steps import Send
from loadstone.study.values.stop_rules import StopRules

_MILLISECOND_NS = 1_000_000
_SECOND_NS = 10**9
_FIRST_STOPS: tuple[FirstStop, ...] = ("first_timeout", "first_failed_check", "first_failure")


def key_of(arm: Arm, workload: AnyWorkload, published: Published) -> PublishedKey | None:
    """The load that it is; none where it is not a load of their kind: closed users with a pause that is
    always the same or without one, each over a connection of its own, or an even rate, that send one
    body to a system whose settings have their first levels.

    A ramp up to all users counts: the published loads begin with one, inside their warm-up.
    """
    sent = _sent(arm, workload, published)
    if sent is None:
        return None
    group, scenario, message_bytes = sent
    arrivals, pause_ms = group.arrivals, _pause_ms(group)
    if isinstance(arrivals, Users):
        if pause_ms is None or len(arrivals.stages) != 1:
            return None
        return PublishedKey(
            scenario, group.connections, message_bytes, delay_ms=0, pause_ms=pause_ms
        )
    if pause_ms != 0 or not _is_even(arrivals):
        return None
    return PublishedKey(
        scenario, 0, message_bytes, delay_ms=0, rate_per_second=round(arrivals.highest)
    )


def ramp_key_of(arm: Arm, workload: AnyWorkload, published: Published) -> RampKey | None:
    """The ramp that it is: closed users as of `key_of`, who grow by the same number each second until
    one stop rule of the first kind ends the load. None of another load.
    """
    sent = _sent(arm, workload, published)
    if sent is None or not isinstance(workload, Workload):
        return None
    group, scenario, message_bytes = sent
    pause_ms, stop = _pause_ms(group), _first_stop(workload)
    growth = _growth(group.arrivals)
    if pause_ms is None or stop is None or growth is None:
        return None
    return RampKey(scenario, growth, stop, message_bytes, pause_ms)


def _sent(arm: Arm, workload: AnyWorkload, published: Published) -> tuple[Group, str, int] | None:
    """The only group, the published scenario of its only request, and the size of the body."""
    if not isinstance(workload, Workload) or not _is_of_their_kind(workload):
        return None
    if any(arm.settings.get(name, level) != level for name, level in published.settings.items()):
        return None
    group = workload.only_group
    (operation,) = workload.plain_session or ()
    scenario = Scenario(operation=operation.operation, legs=arm.legs)
    if group is None or scenario not in published.scenarios:
        return None
    return group, scenario.name, len(operation.body.encode())


def _is_of_their_kind(workload: Workload) -> bool:
    group = workload.only_group
    return (
        workload.kind == "load"
        and group is not None
        and not group.start_ns
        and group.pace_ns is None
        and workload.streams == 1
        and not workload.new_connections
        and len(workload.plain_session or ()) == 1
    )


def _pause_ms(group: Group) -> int | None:
    """Behind the only request of a group; none where it differs from one time to the next."""
    (step,) = group.session
    think = step.think if isinstance(step, Send) and step.think is not None else group.think
    if think is None:
        return 0
    if not isinstance(think, ConstantThink) or think.constant_ns % _MILLISECOND_NS:
        return None
    return think.constant_ns // _MILLISECOND_NS


def _is_even(arrivals: Rate) -> bool:
    is_even = not arrivals.poisson and not arrivals.own_connections
    return is_even and arrivals.is_steady and arrivals.highest.is_integer()


def _growth(arrivals: Users | Rate) -> int | None:
    """By how many users the first stage grows a second, where all others hold what it reached."""
    first, *others = arrivals.stages
    if (
        isinstance(arrivals, Rate)
        or not first.over_ns
        or any(each.to != first.to for each in others)
    ):
        return None
    growth = first.to * _SECOND_NS / first.over_ns
    return round(growth) if growth.is_integer() else None


def _first_stop(workload: Workload) -> FirstStop | None:
    """The only stop rule of a load, if it is of the first kind."""
    found = [name for name in _FIRST_STOPS if getattr(workload.stop, name)]
    if len(found) != 1 or workload.stop != StopRules.model_validate({found[0]: True}):
        return None
    return found[0]
