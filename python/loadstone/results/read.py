"""Reads a results folder: its plan and, for every planned run, its record or the want of it.

A run that is missing, failed or interrupted stays in the list as such. The runs behind the stop of an
adaptive study, or behind its next look, are not in the list: nobody needs them. What is inside a
completed run's folder is read by `window.py`.
"""

import json
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any, TypeVar

from pydantic import ValidationError

from loadstone.errors import InputError
from loadstone.frozen import Frozen
from loadstone.results import folder
from loadstone.results.assignments import ASSIGNMENTS_VERSION, Assignment, Assignments
from loadstone.results.environment import Environment
from loadstone.results.late_look import until_window_end
from loadstone.results.looks import LOOKS_VERSION, Look, Looks, fits, runs_needed
from loadstone.results.record import READ_RECORD_VERSIONS, RunRecord
from loadstone.results.timeline import read_timeline
from loadstone.study.values.model import READ_PLAN_VERSIONS, Plan, PlannedRun
from loadstone.study.values.published import READ_PUBLISHED_VERSIONS, Published

_Model = TypeVar("_Model", bound=Frozen)


@dataclass(frozen=True)
class StoredRun:
    """One planned run and what is stored of it."""

    planned: PlannedRun
    directory: Path
    record: RunRecord | None
    """None where the run was never done, or was killed before it could write."""

    @cached_property
    def measured(self) -> RunRecord | None:
        """Its record, of a load that went on behind its window as if it had ended with it. `InputError`
        where the timeline of such a load cannot be read.
        """
        if self.record is None or self.record.window is None:
            return self.record
        if not self.record.window.late_look_ns:
            return self.record
        return until_window_end(self.record, read_timeline(self.directory / folder.TIMELINE))

    @property
    def completed(self) -> bool:
        """Whether it has figures."""
        return self.record is not None and self.record.status == "completed"

    @property
    def problem(self) -> str:
        """Why it has no figures: `step: reason`; empty for a completed run."""
        if self.completed:
            return ""
        if self.record is None:
            return "run: not done"
        if self.record.failure is None:
            return f"run: {self.record.status}"
        return f"{self.record.failure.step}: {self.record.failure.reason}"


@dataclass(frozen=True)
class Results:
    """A results folder."""

    directory: Path
    plan: Plan
    environment: Environment
    """Without any fact where there is no `environment.json`."""
    looks: tuple[Look, ...]
    """Those that an adaptive study took."""
    assignments: tuple[Assignment, ...]
    """Of blocks to sites, where there were several."""
    runs: tuple[StoredRun, ...]
    """Those that are needed, in the plan's order."""


def read_results(directory: Path) -> Results:
    """Read plan, environment, looks and records.

    `InputError` where the folder or its plan is missing, and for a file that is foreign, broken or
    of another version.
    """
    if not directory.is_dir():
        raise InputError(
            "there is no such folder",
            path=directory,
            remedy="give a results folder that `loadstone run` made",
        )
    plan = read_plan(directory / folder.PLAN)
    looks = read_looks(directory, plan)
    return Results(
        directory=directory,
        plan=plan,
        environment=read_environment(directory / folder.ENVIRONMENT),
        looks=looks,
        assignments=read_assignments(directory),
        runs=tuple(_read_run(directory, plan, planned) for planned in runs_needed(plan, looks)),
    )


def read_plan(path: Path) -> Plan:
    """Read `plan.json`; `InputError` where it is missing, foreign or of another version."""
    return _read(
        path, Plan, "plan_version", READ_PLAN_VERSIONS, "give a folder that `loadstone run` made"
    )


def read_record(path: Path) -> RunRecord:
    """Read `run.json`; `InputError` where it is missing, foreign or of another version."""
    return _read(path, RunRecord, "record_version", READ_RECORD_VERSIONS, "do the run again")


def read_looks(directory: Path, plan: Plan) -> tuple[Look, ...]:
    """Read `looks.json` of a results folder; empty where there is none. `InputError` for one that is
    foreign, of another version, or of another plan.
    """
    path = directory / folder.LOOKS
    if not path.exists():
        return ()
    remedy = "restore it: the study's runs were decided by it"
    looks = _read(path, Looks, "looks_version", (LOOKS_VERSION,), remedy).looks
    if not fits(looks, plan):
        raise InputError("these are not looks of the plan beside it", path=path, remedy=remedy)
    return looks


def read_assignments(directory: Path) -> tuple[Assignment, ...]:
    """Read `assignments.json` of a results folder; empty where there is none. `InputError` for one that
    is foreign or of another version.
    """
    path = directory / folder.ASSIGNMENTS
    if not path.exists():
        return ()
    remedy = "restore it: it says where each block was done"
    read = _read(path, Assignments, "assignments_version", (ASSIGNMENTS_VERSION,), remedy)
    return read.assignments


def _read_run(directory: Path, plan: Plan, planned: PlannedRun) -> StoredRun:
    run_directory = directory / folder.RUNS / planned.id
    path = run_directory / folder.RECORD
    if not path.exists():
        return StoredRun(planned, run_directory, record=None)
    record = read_record(path)
    stored = (record.run.study, record.run.arm, record.run.workload, record.run.block)
    if stored != (plan.study, planned.arm, planned.workload, planned.block):
        raise InputError(
            f"this is the record of {record.run.study}, arm {record.run.arm}, workload "
            f"{record.run.workload}, block {record.run.block}, not of the planned run",
            path=path,
            remedy="a foreign record was put here: remove it and resume the study",
        )
    return StoredRun(planned, run_directory, record)


def _read(
    path: Path, model: type[_Model], version_key: str, versions: tuple[int, ...], remedy: str
) -> _Model:
    content = _read_json(path, remedy)
    found = content.get(version_key) if isinstance(content, dict) else None
    if found is None:
        raise InputError(f"not a Loadstone file: no {version_key}", path=path, remedy=remedy)
    if found not in versions:
        raise InputError(
            f"{version_key} is {found}, and this Loadstone reads {' and '.join(map(str, versions))}",
            path=path,
            remedy="read it with the Loadstone that wrote it",
        )
    return _valid(path, model, content, remedy)


def _valid(path: Path, model: type[_Model], content: Any, remedy: str) -> _Model:
    try:
        return model.model_validate(content)
    except ValidationError as error:
        first = error.errors()[0]
        key = ".".join(map(str, first["loc"]))
        raise InputError(first["msg"], path=path, key=key, remedy=remedy) from None


def read_environment(path: Path) -> Environment:
    """Read `environment.json`; without any fact where there is none. `InputError` for another file.

    It has no version: facts are only ever added, and all of them may be missing.
    """
    if not path.exists():
        return Environment()
    remedy = "restore it, or remove it: no figure is made of it"
    return _valid(path, Environment, _read_json(path, remedy), remedy)


def read_published(path: Path) -> Published | None:
    """Read `published.json`; none where there is none. `InputError` for another file."""
    if not path.exists():
        return None
    return _read(
        path,
        Published,
        "published_version",
        READ_PUBLISHED_VERSIONS,
        "remove it: only the report shows it",
    )


def _read_json(path: Path, remedy: str) -> Any:
    try:
        return json.loads(path.read_bytes())
    except FileNotFoundError:
        raise InputError("the file is missing", path=path, remedy=remedy) from None
    except ValueError as error:
        raise InputError(f"not JSON ({error})", path=path, remedy=remedy) from None
