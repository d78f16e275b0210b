"""A study's file turned into what it means: every name resolved, every profile checked.

Left out: the order of the runs, which is `plan.py`.
"""

import ipaddress
import math
import re
from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

from loadstone.stats.comparison.adaptive import LOOKS
from loadstone.study.design.claims import claims_of
from loadstone.study.design.entry import loaded_part
from loadstone.study.design.faults import judge_faults
from loadstone.study.design.late_looks import is_watched
from loadstone.study.design.levels import arms_of, casts_of
from loadstone.study.design.order import blocks_of
from loadstone.study.design.profile import shortened as in_profile
from loadstone.study.design.pruning import judge_partial, partials_of, with_workloads
from loadstone.study.design.questions import questions_of
from loadstone.study.files.own_service import judge_running
from loadstone.study.files.raw import parse
from loadstone.study.files.study_file import ADAPTIVE, RawPlacement, RawProfile, RawStudy
from loadstone.study.files.timing_file import steady_within_ns
from loadstone.study.files.warmed_file import judge_warmed
from loadstone.study.files.yaml_file import KeyPath, YamlFile, read_yaml
from loadstone.study.systems.catalogue import Catalogue
from loadstone.study.values.manifest import Stack, System
from loadstone.study.values.model import (
    AnyWorkload,
    Limits,
    PlacementWish,
    Profile,
    StartupWorkload,
    Study,
    Workload,
)
from loadstone.study.values.service_choice import ServiceChoice
from loadstone.text.quoted import shortened, suggestion

MOST_RUNS = 10_000
"""At ten seconds a run this is more than a day; it bounds what a plan can hold."""

_HOST_AND_PORT = re.compile(r"[A-Za-z0-9]([A-Za-z0-9.-]*[A-Za-z0-9])?(:(?P<port>[0-9]{1,5}))?")


class ReadStudy(NamedTuple):
    """A study, and what its names stand for."""

    study: Study
    system: System
    """What is loaded: all of the system, or the part at another entry."""
    whole: System
    """As its file has it."""
    stacks: dict[ServiceChoice, Stack]
    """Of the choices that are stacks."""


def read_study(path: Path, catalogue: Catalogue) -> ReadStudy:
    """Read a study with all that it names, each file once. Raises InputError; starts nothing."""
    source = read_yaml(path)
    raw = parse(source, RawStudy)
    if raw.system not in catalogue.systems():
        raise source.error(
            ("system",),
            f"{raw.system} is not a known system; looked in {catalogue.places}",
            suggestion(raw.system, catalogue.systems()),
        )
    whole = catalogue.system(raw.system)
    system = loaded_part(source, raw, whole)
    _judge_names(source, ("workloads",), raw.workloads, catalogue.workloads(raw.system))
    loads = tuple(catalogue.workload(raw.system, name) for name in raw.workloads)
    casts = casts_of(source, raw, system, catalogue)
    arms = arms_of(source, raw, system, casts, loads)
    judge_running(source, arms, loads)
    judge_faults(system, arms, loads)
    study = Study(
        study=raw.study,
        goal=" ".join(raw.goal.split()),
        system=raw.system,
        entry=None if system is whole else system.entry,
        arms=arms,
        workloads=loads,
        blocks=_most(raw.blocks),
        looks=_looks(raw.blocks),
        order=raw.order,
        seed=raw.seed,
        allow_target=_allowed(source, raw.allow_target),
        limits=_limits(source, raw, system),
        placement=_placement(source, raw.placement),
        questions=questions_of(source, raw, arms, loads),
        claims=claims_of(source, raw, arms, loads),
        analysis=raw.analysis,
        late_look_ns=raw.late_look or 0,
        profiles={name: _profile(each) for name, each in raw.profiles.items()},
    )
    _judge_size(source, ("blocks",), study)
    _judge_starts(source, ("blocks",), study)
    for name in study.profiles:
        _judge_profile(source, study, name)
    _judge_late_look(source, study)
    levels = [level for levels in casts.values() for level in levels.values()]
    stacks = {level.choice: level.stack for level in levels if level.stack is not None}
    return ReadStudy(study, system, whole, stacks)


def _judge_size(source: YamlFile, at: KeyPath, study: Study) -> None:
    runs = sum(
        blocks_of(study, workload)
        for workload in study.workloads
        for arm in study.arms
        if arm.is_under(workload.workload)
    )
    if runs > MOST_RUNS:
        raise source.error(at, f"makes {runs} runs, more than {MOST_RUNS}", "ask for fewer")


def _judge_starts(source: YamlFile, at: KeyPath, study: Study) -> None:
    """A look before the first start could decide nothing, and would take its part of the level."""
    for workload in study.workloads:
        if not study.looks or not isinstance(workload, StartupWorkload):
            continue
        if workload.starts * study.looks[0] < study.blocks:
            raise source.error(
                at,
                f"{ADAPTIVE} spreads {workload.starts} starts of {workload.workload} over "
                f"{study.blocks} blocks: none are before the look after block {study.looks[0]}",
                f"ask for at least {-(-study.blocks // study.looks[0])} starts, or for a number of "
                "blocks",
            )


def _judge_late_look(source: YamlFile, study: Study) -> None:
    """A late look without a run that could take it is a slip; a profile may do without."""
    forms = (study, *(in_profile(study, name) for name in study.profiles))
    if study.late_look_ns and not any(
        is_watched(each) for form in forms for each in form.workloads
    ):
        raise source.error(
            ("late_look",),
            "looks behind a warm-up until steady, and no workload of the study has one",
            "write `warm_up: steady` and a window in a workload, or leave late_look out",
        )


def _judge_names(source: YamlFile, at: KeyPath, typed: list[str], known: tuple[str, ...]) -> None:
    for position, name in enumerate(typed):
        if name not in known:
            raise source.error(
                (*at, position), f"{name} is not a known workload", suggestion(name, known)
            )
        if name in typed[:position]:
            raise source.error((*at, position), f"{name} is there twice", "keep one of the two")


def _limits(source: YamlFile, raw: RawStudy, system: System) -> dict[str, Limits]:
    known = system.names
    found = {}
    for service, limits in raw.limits.items():
        if service not in known:
            raise source.error(
                ("limits", service),
                f"is not a service of {system.name}",
                suggestion(service, known),
            )
        if system.service(service).is_bench:
            raise source.error(
                ("limits", service),
                f"{service} has the role bench: it stands with what measures, and a limit would hold "
                "back every arm",
                "take it out",
            )
        if limits.warm_up_cpus is not None and limits.warm_up_cpus <= (limits.cpus or math.inf):
            raise source.error(
                ("limits", service, "warm_up_cpus"),
                "is not more than cpus" if limits.cpus is not None else "stands without cpus",
                "give the window fewer cpus than the warm-up, or take warm_up_cpus out",
            )
        found[service] = Limits(
            cpus=limits.cpus, memory_bytes=limits.memory, warm_up_cpus=limits.warm_up_cpus
        )
    return found


def _placement(source: YamlFile, raw: RawPlacement | None) -> PlacementWish | None:
    if raw is None:
        return None
    if both := sorted(set(raw.service) & set(raw.bench)):
        raise source.error(
            ("placement",),
            f"gives CPU {both[0]} to both roles",
            "give the service CPUs of its own; on a machine with one CPU leave placement out",
        )
    return PlacementWish(service=tuple(raw.service), bench=tuple(raw.bench))


def _allowed(source: YamlFile, typed: list[str]) -> tuple[str, ...]:
    for position, target in enumerate(typed):
        if not _is_target(target):
            raise source.error(
                ("allow_target", position),
                f"{shortened(target)!r} is not a host or host:port",
                "write a name or an address of your own, such as staging.example:8080",
            )
    return tuple(typed)


def _is_target(text: str) -> bool:
    if found := _HOST_AND_PORT.fullmatch(text):
        return found["port"] is None or 1 <= int(found["port"]) <= 65_535
    try:
        ipaddress.IPv6Address(text)
    except ValueError:
        return False
    return True


def _most(blocks: int | str) -> int:
    return LOOKS[-1] if isinstance(blocks, str) else blocks


def _looks(blocks: int | str | None) -> tuple[int, ...]:
    return LOOKS if isinstance(blocks, str) else ()


def _profile(raw: RawProfile) -> Profile:
    return Profile(
        blocks=None if raw.blocks is None else _most(raw.blocks),
        looks=_looks(raw.blocks),
        duration_ns=raw.duration,
        warm_up_ns=raw.warm_up if isinstance(raw.warm_up, int) else None,
        steady_within_ns=steady_within_ns(raw.warm_up),
        warmed_within_ns=None if raw.warmed is None else raw.warmed.at_most,
        window_ns=raw.window,
        ramp_ns=raw.ramp,
        time_share=1.0 if raw.scale is None else raw.scale.time,
        users_share=1.0 if raw.scale is None else raw.scale.users,
        drop=partials_of(raw.except_ or ()),
        workloads=None if raw.workloads is None else tuple(raw.workloads),
        seed=raw.seed,
        starts=raw.starts,
    )


def _judge_profile(source: YamlFile, study: Study, name: str) -> None:
    at: KeyPath = ("profiles", name)
    profile = study.profiles[name]
    if profile.workloads is not None:
        names = tuple(workload.workload for workload in study.workloads)
        _judge_names(source, (*at, "workloads"), list(profile.workloads), names)
    levels = {
        factor: tuple(dict.fromkeys(arm.factors[factor] for arm in study.arms))
        for factor in study.arms[0].factors
    }
    known = with_workloads(levels, study.workloads)
    for position, partial in enumerate(profile.drop):
        judge_partial(source, (*at, "except", position), partial, known)
    shorter = in_profile(study, name)
    _judge_size(source, (*at, "blocks"), shorter)
    _judge_starts(source, at, shorter)
    if not shorter.questions:
        raise source.error(
            (*at, "except" if profile.drop else "workloads"),
            "leaves no question to answer",
            "keep a workload of a question",
        )
    _judge_duration(source, at, profile, study.workloads)
    for workload in shorter.workloads:
        _judge_window(source, at, profile, workload)
        _judge_ramp(source, (*at, "ramp"), profile, workload)
        if profile.warmed_within_ns is not None:
            judge_warmed(source, (*at, "warmed"), workload)


def _judge_ramp(source: YamlFile, at: KeyPath, profile: Profile, workload: AnyWorkload) -> None:
    if profile.ramp_ns is None or isinstance(workload, StartupWorkload):
        return
    if workload.is_open:
        return  # a rate has no users to bring
    warm_up_ns = workload.steady_within_ns or workload.warm_up_ns
    if warm_up_ns is not None and profile.ramp_ns > warm_up_ns:
        raise source.error(
            at,
            f"reaches into what is measured of {workload.workload}, whose warm-up lasts "
            f"{warm_up_ns // 10**9}s",
            "give the profile a shorter ramp or a longer warm_up",
        )


def _judge_duration(
    source: YamlFile, at: KeyPath, profile: Profile, workloads: Sequence[AnyWorkload]
) -> None:
    """A duration has its warm-up in it, a window has it before it: one of the two can be meant."""
    if profile.duration_ns is None:
        return
    if profile.window_ns is not None:
        raise source.error(
            (*at, "window"), "duration and window exclude each other", "keep one of the two"
        )
    steady = [
        each.workload
        for each in workloads
        if isinstance(each, Workload) and each.steady_within_ns is not None
    ]
    if profile.steady_within_ns is not None or (steady and profile.warm_up_ns is None):
        raise source.error(
            (*at, "duration"),
            f"has no place behind a warm-up until steady{f', as of {steady[0]}' if steady else ''}",
            "write window in its place, or a warm_up of whole seconds beside it",
        )


def _judge_window(source: YamlFile, at: KeyPath, profile: Profile, workload: AnyWorkload) -> None:
    if isinstance(workload, StartupWorkload) or workload.warm_up_ns is None:
        return
    if workload.warm_up_ns >= workload.duration_ns:
        key = "duration" if profile.warm_up_ns is None else "warm_up"
        raise source.error(
            (*at, key),
            f"leaves nothing to measure of {workload.workload}: its warm-up of "
            f"{workload.warm_up_ns // 10**9}s is not shorter than {workload.duration_ns // 10**9}s",
            "give the profile a shorter warm_up or a longer duration",
        )
