"""A profile shortens a study: fewer blocks, arms or workloads, shorter loads. Everything else stays."""

from collections.abc import Sequence
from typing import Any

from loadstone.errors import InputError
from loadstone.study.design.arms import compared
from loadstone.study.design.pruning import left_of
from loadstone.study.values.arrivals import Stage, Users
from loadstone.study.values.claim import Claim
from loadstone.study.values.groups import Group
from loadstone.study.values.model import (
    AnyWorkload,
    Arm,
    Profile,
    Question,
    StartupWorkload,
    Study,
    Workload,
)
from loadstone.study.values.timing import SECOND_NS, whole_seconds_ns
from loadstone.text.quoted import suggestion


def shortened(study: Study, profile: str) -> Study:
    """A study as one of its profiles has it; questions without a workload left are left out, and
    claims without their arms.

    Raises InputError for a profile that the study does not have.
    """
    if profile not in study.profiles:
        raise InputError(
            f"the study {study.study} has no profile {profile!r}",
            remedy=suggestion(profile, list(study.profiles)),
        )
    change = study.profiles[profile]
    chosen = [
        workload
        for workload in study.workloads
        if change.workloads is None or workload.workload in change.workloads
    ]
    arms = tuple(arm for each in study.arms if (arm := _left_of(each, chosen, change)) is not None)
    workloads = tuple(
        _shortened_workload(workload, change)
        for workload in chosen
        if any(arm.is_under(workload.workload) for arm in arms)
    )
    return study.model_copy(
        update={
            "blocks": study.blocks if change.blocks is None else change.blocks,
            "looks": study.looks if change.blocks is None else change.looks,
            "seed": study.seed if change.seed is None else change.seed,
            "workloads": workloads,
            "arms": arms,
            "questions": tuple(
                left
                for question in study.questions
                if (left := _asked_of(question, arms, workloads)).workloads
            ),
            "claims": tuple(each for each in study.claims if _can_be_told(each, arms, workloads)),
        }
    )


def _left_of(arm: Arm, chosen: Sequence[AnyWorkload], change: Profile) -> Arm | None:
    under = [workload for workload in chosen if arm.is_under(workload.workload)]
    left = left_of(arm.factors, under, change.drop, keep=False)
    if not left:
        return None
    return arm.model_copy(update={"workloads": left if len(left) < len(chosen) else None})


def _shortened_workload(workload: AnyWorkload, change: Profile) -> AnyWorkload:
    if isinstance(workload, StartupWorkload):
        starts = workload.starts if change.starts is None else change.starts
        return workload.model_copy(update={"starts": starts})
    scaled = _scaled(workload, change)
    changed = _timing(scaled, change)
    changed["groups"] = tuple(_ramped(group, change) for group in scaled.groups)
    return _with_faults_inside(scaled.model_copy(update=changed), workload)


def _with_faults_inside(shorter: Workload, whole: Workload) -> Workload:
    """Faults come as early, as a share of the window, and last as long."""
    if not whole.faults or not whole.window_ns or shorter.window_ns is None:
        return shorter
    share = shorter.window_ns / whole.window_ns
    faults = tuple(fault.in_shorter_time(share) for fault in whole.faults)
    return shorter.model_copy(update={"faults": faults})


def _scaled(workload: Workload, change: Profile) -> Workload:
    """The same load in less time and by fewer users: stages, delays and stop rules, and a duration."""
    time, users = change.time_share, change.users_share
    if time == users == 1.0:
        return workload
    changed: dict[str, Any] = {
        "groups": tuple(_scaled_group(group, time, users) for group in workload.groups),
        "stop": workload.stop.in_shorter_time(time),
    }
    if workload.steady_within_ns is None:
        changed["duration_ns"] = whole_seconds_ns(workload.duration_ns * time)
        if workload.warm_up_ns:
            changed["warm_up_ns"] = int(workload.warm_up_ns * time) // SECOND_NS * SECOND_NS
    return workload.model_copy(update=changed)


def _scaled_group(group: Group, time: float, users: float) -> Group:
    arrivals = group.arrivals
    is_closed = isinstance(arrivals, Users)
    stages = arrivals.changed(users if is_closed else 1.0, time, whole=is_closed)
    return group.model_copy(
        update={
            "arrivals": arrivals.model_copy(update={"stages": stages}),
            "start_ns": round(group.start_ns * time),
            "stop": group.stop.in_shorter_time(time),
        }
    )


def _ramped(group: Group, change: Profile) -> Group:
    """Users that begin at once come one after the other, where a profile says so."""
    arrivals = group.arrivals
    if not isinstance(arrivals, Users) or len(arrivals.stages) != 1:
        return group
    ramp_ns = arrivals.length_ns if change.ramp_ns is None else change.ramp_ns
    if change.ramp_ns is None and change.warm_up_ns is not None:
        ramp_ns = min(ramp_ns, change.warm_up_ns)
    ramp = Users(stages=(Stage(to=arrivals.highest, over_ns=ramp_ns),))
    return group.model_copy(update={"arrivals": ramp})


def _timing(workload: Workload, change: Profile) -> dict[str, Any]:
    """Change what the profile names. Where a warm-up becomes another kind, the window stays as long.

    A warm-up that a profile sets is all there is, unless it asks for a load before the load, too.
    """
    steady_within_ns, warm_up_ns = workload.steady_within_ns, workload.warm_up_ns
    window_ns = workload.duration_ns - (warm_up_ns or 0)
    if change.warm_up_ns is not None:
        steady_within_ns, warm_up_ns = None, change.warm_up_ns
    elif change.steady_within_ns is not None and workload.kind == "load":
        steady_within_ns, warm_up_ns = change.steady_within_ns, None
    warmed_within_ns = change.warmed_within_ns
    if warmed_within_ns is None and change.warm_up_ns is None and steady_within_ns is None:
        warmed_within_ns = workload.warmed_within_ns
    was_watched = workload.steady_within_ns is not None
    if change.duration_ns is not None:
        duration_ns = change.duration_ns
    elif change.window_ns is not None or was_watched or steady_within_ns is not None:
        duration_ns = (change.window_ns or window_ns) + (warm_up_ns or 0)
    else:
        duration_ns = workload.duration_ns
    return {
        "duration_ns": duration_ns,
        "warm_up_ns": warm_up_ns,
        "steady_within_ns": steady_within_ns,
        "warmed_within_ns": warmed_within_ns,
    }


def _asked_of(
    question: Question, arms: Sequence[Arm], workloads: Sequence[AnyWorkload]
) -> Question:
    """Leave the workloads under which arms are left to compare."""
    names = {workload.workload for workload in workloads}
    about = [arm for arm in arms if question.is_about(arm.factors)]
    kept = tuple(
        name
        for name in question.workloads
        if name in names
        and compared([arm.factors for arm in about if arm.is_under(name)], question.compare)
    )
    return question.model_copy(update={"workloads": kept})


def _can_be_told(claim: Claim, arms: Sequence[Arm], workloads: Sequence[AnyWorkload]) -> bool:
    """Whether its workload is left, and both of its arms under it."""
    left = {arm.id for arm in arms if arm.is_under(claim.workload)}
    names = {workload.workload for workload in workloads}
    return claim.workload in names and {claim.of, claim.against} <= left
