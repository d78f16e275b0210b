"""A profile shortens a study: fewer blocks or workloads, shorter loads. Everything else stays."""

from loadstone.errors import InputError
from loadstone.study.model import AnyWorkload, Profile, Question, StartupWorkload, Study
from loadstone.study.raw import suggestion


def shortened(study: Study, profile: str) -> Study:
    """A study as one of its profiles has it; questions without a workload left are left out.

    Raises InputError for a profile that the study does not have.
    """
    if profile not in study.profiles:
        raise InputError(
            f"the study {study.study} has no profile {profile!r}",
            remedy=suggestion(profile, list(study.profiles)),
        )
    change = study.profiles[profile]
    workloads = tuple(
        _shortened_workload(workload, change)
        for workload in study.workloads
        if change.workloads is None or workload.workload in change.workloads
    )
    names = {workload.workload for workload in workloads}
    return study.model_copy(
        update={
            "blocks": study.blocks if change.blocks is None else change.blocks,
            "looks": study.looks if change.blocks is None else change.looks,
            "seed": study.seed if change.seed is None else change.seed,
            "workloads": workloads,
            "questions": tuple(
                _of_workloads(question, names)
                for question in study.questions
                if names.intersection(question.workloads)
            ),
        }
    )


def _shortened_workload(workload: AnyWorkload, change: Profile) -> AnyWorkload:
    names = ("starts",) if isinstance(workload, StartupWorkload) else ("duration_ns", "warm_up_ns")
    changed = {name: getattr(change, name) for name in names}
    return workload.model_copy(
        update={name: value for name, value in changed.items() if value is not None}
    )


def _of_workloads(question: Question, names: set[str]) -> Question:
    kept = tuple(name for name in question.workloads if name in names)
    return question.model_copy(update={"workloads": kept})
