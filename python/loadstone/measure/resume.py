"""The results folders of a study: a new one, or the one that `--resume` goes on with.

A folder is of the study and the profile that its plan names. It is unfinished while a run that is
needed has no record, or was interrupted: a run that failed is a result, and stays.
"""

import re
from datetime import UTC, datetime
from pathlib import Path

from loadstone.errors import InputError, LoadstoneError
from loadstone.measure.environment import refuse_changes
from loadstone.results import folder
from loadstone.results.environment import Environment
from loadstone.results.looks import kept, runs_needed, stopped_after
from loadstone.results.read import read_environment, read_looks, read_plan, read_record
from loadstone.study.values.model import Plan
from loadstone.text.words import counted

_AGAIN = "run it without --resume"


def new_results_folder(parent: Path, study: str) -> Path:
    """Return a results folder that does not exist yet: `<study>-<UTC time>`."""
    stamp = datetime.now(UTC).strftime("%Y%m%dT%H%M%SZ")
    return parent / f"{study}-{stamp}"


def results_folders(parent: Path, study: str) -> tuple[Path, ...]:
    """Return the results folders that were made for a study of this name, the newest first."""
    name = re.compile(rf"{re.escape(study)}-\d{{8}}T\d{{6}}Z")
    found = [path for path in parent.glob("*") if name.fullmatch(path.name)]
    return tuple(sorted((path for path in found if (path / folder.PLAN).is_file()), reverse=True))


def unfinished_results(parent: Path, plan: Plan) -> Path:
    """Return the newest unfinished results of a plan's study and profile.

    Raises LoadstoneError where there are none, with what there is instead.
    """
    finished: list[Path] = []
    others: dict[str | None, Path] = {}
    unreadable: list[str] = []
    for results in results_folders(parent, plan.study):
        try:
            its_plan = read_plan(results / folder.PLAN)
        except InputError as error:
            unreadable.append(error.message)
            continue
        if its_plan.study != plan.study:
            continue
        if its_plan.profile != plan.profile:
            if its_plan.profile not in others and not is_finished(results, its_plan):
                others[its_plan.profile] = results
        elif is_finished(results, its_plan):
            finished.append(results)
        else:
            return results
    raise _nothing_to_resume(parent, plan, finished, others, unreadable)


def is_finished(results: Path, plan: Plan) -> bool:
    """Whether every run is done that is needed, and every look taken."""
    unfinished = unfinished_runs(results, plan)
    looks = kept(plan, read_looks(results, plan), unfinished)
    if any(run.id in unfinished for run in runs_needed(plan, looks)):
        return False
    return len(looks) == len(plan.looks) or stopped_after(looks) is not None


def unfinished_runs(results: Path, plan: Plan) -> set[str]:
    """Return the runs that need an attempt: neither completed, nor failed for their own reason."""
    found = set()
    for planned in plan.runs:
        path = results / folder.RUNS / planned.id / folder.RECORD
        if not path.is_file() or read_record(path).status == "interrupted":
            found.add(planned.id)
    return found


def refuse_another_study(results: Path, plan: Plan, environment: Environment) -> None:
    """Raise LoadstoneError where a study that is resumed has changed since it was begun."""
    try:
        before = read_plan(results / folder.PLAN)
        environment_before = read_environment(results / folder.ENVIRONMENT)
    except InputError as error:
        raise InputError(
            f"cannot be resumed: {error.message}",
            path=results,
            remedy="start the study anew without --resume",
        ) from error
    if before != plan:
        changed = [
            name for name in Plan.model_fields if getattr(before, name) != getattr(plan, name)
        ]
        raise LoadstoneError(
            f"the study changed since {results} was begun: {', '.join(changed)}",
            "restore it, or start the study anew without --resume",
        )
    refuse_changes(environment_before, environment)


def _nothing_to_resume(
    parent: Path,
    plan: Plan,
    finished: list[Path],
    others: dict[str | None, Path],
    unreadable: list[str],
) -> LoadstoneError:
    told, remedy = f"{parent} has no results of {plan.study}", _AGAIN
    if finished or others:
        told = f"{parent} has no unfinished results of {plan.study} {_with(plan.profile)}"
    if finished:
        told += (
            f": {counted(len(finished), 'folder')} of it, all finished, the newest {finished[0]}"
        )
        remedy += "; or first remove the folder of each run that is to be done again"
    for profile, results in others.items():
        told += f"; {_with(profile)}, {results} is unfinished"
        wanted = "without --profile" if profile is None else f"with --profile {profile}"
        remedy += f"; or resume {wanted}"
    if unreadable:
        told += f"; {counted(len(unreadable), 'folder')} cannot be read: {unreadable[0]}"
    return LoadstoneError(f"there is nothing to resume: {told}", remedy)


def _with(profile: str | None) -> str:
    return "without a profile" if profile is None else f"with the profile {profile}"
