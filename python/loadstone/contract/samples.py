"""Run the sample checks of a contract on the responses that the engine kept of a load."""

import json
from base64 import b64decode
from collections.abc import Collection, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Annotated, Any

from pydantic import Field, ValidationError

from loadstone.contract.faults import NotHeld, is_of_the_service
from loadstone.contract.model import Contract, Sample, SampleCheck, SampleResults
from loadstone.contract.place import broken_check
from loadstone.errors import InputError, StepFailed
from loadstone.frozen import Frozen
from loadstone.study.values.held_to import is_covered
from loadstone.study.values.model import Operation


class _Line(Frozen):
    """One line of `samples.ndjson`, as the engine writes it."""

    operation: str
    """By the name that records have for it, or by that in its group."""
    group: str | None = None
    session: int | None = None
    step: int | None = None
    at_ns: Annotated[int, Field(ge=0)]
    status: int
    headers: tuple[tuple[str, str], ...]
    body: str
    """Base64."""
    body_bytes: Annotated[int, Field(ge=0)]
    truncated: bool


@dataclass
class _Told:
    """What is told of a sample, and how many later ones it stands for."""

    text: str
    further: int = 0

    def __str__(self) -> str:
        return f"{self.text}; {self.further} more of them" if self.further else self.text


@dataclass
class _Tally:
    """What became of the samples so far."""

    contract: Contract
    deviates: Collection[str]
    """Clauses that the service is known not to hold."""
    checked: int = 0
    deviated: int = 0
    failed: list[_Told] = field(default_factory=list)
    not_held: list[_Told] = field(default_factory=list)
    _for_all: dict[tuple[int, str, str], _Told] = field(default_factory=dict)
    """What stands for all samples of an operation, by its list, clause and operation."""

    def unreadable(self, text: str) -> None:
        """Note a line that is no sample."""
        self.checked += 1
        self.failed.append(_Told(text))

    def hold(self, sample: Sample) -> None:
        """Run every check that is about a sample. Raises StepFailed('check') where one breaks."""
        operation = sample.operation.operation
        checks = [
            each for each in self.contract.sample_checks if each.operation in (None, operation)
        ]
        place = f"{operation} at {sample.at_ns / 1e9:.3f} s"
        is_held = bool(checks)
        for check in checks:
            function = check.otherwise.get(sample.status, check.function)
            try:
                function(sample)
            except NotHeld as reason:
                is_held = False
                self._tell(self.not_held, check, operation, f"{operation}: {reason}", is_one=True)
            except AssertionError as error:
                self._fail(check, operation, f"{place}: {error}")
            except Exception as error:
                if not is_of_the_service(error):
                    # It would break by every other sample as well.
                    raise StepFailed("check", broken_check(function, error)) from error
                self._fail(check, operation, f"{place}: {type(error).__name__}: {error}")
        self.checked += is_held

    def _fail(self, check: SampleCheck, operation: str, text: str) -> None:
        if is_covered(check.clause, self.deviates):
            self.deviated += 1
        else:
            self._tell(self.failed, check, operation, text, is_one=check.one_for_all)

    def _tell(
        self, told: list[_Told], check: SampleCheck, operation: str, text: str, *, is_one: bool
    ) -> None:
        key = id(told), check.clause, operation
        if is_one and key in self._for_all:
            self._for_all[key].further += 1
            return
        told.append(_Told(f"{check.clause}: {text}"))
        if is_one:
            self._for_all[key] = told[-1]


def check_samples(
    contract: Contract,
    samples_path: Path,
    operations: Mapping[str, Operation],
    *,
    before_ns: int | None = None,
    deviates: Collection[str] = (),
) -> SampleResults:
    """Run every sample check on every sample of the operation that it is about, of those that came
    before a time of the load, or of all; `operations` are by what the file calls them. A check that
    fails is counted, and no failure, where its clause is one that `deviates` names.

    A last line without its end is left out: an engine that is killed leaves one. Any other line that
    cannot be read fails. Raises InputError where the file cannot be read, and StepFailed('check') where
    a check breaks by itself.
    """
    try:
        text = samples_path.read_bytes()
    except OSError as error:
        raise InputError(f"cannot be read: {error.strerror}", path=samples_path) from error
    *lines, _torn = text.split(b"\n")
    tally = _Tally(contract, deviates)
    for number, line in enumerate(lines, start=1):
        try:
            sample = _sample(line, operations)
        except ValueError as error:
            tally.unreadable(f"{samples_path.name}:{number}: {error}")
        else:
            if before_ns is None or sample.at_ns < before_ns:
                tally.hold(sample)
    return SampleResults(
        checked=tally.checked,
        failed=tuple(map(str, tally.failed)),
        not_held=tuple(map(str, tally.not_held)),
        deviated=tally.deviated,
    )


def _sample(line: bytes, operations: Mapping[str, Operation]) -> Sample:
    """One line as a value. Raises ValueError."""
    read: Any = json.loads(line)
    try:
        raw = _Line.model_validate(read)
    except ValidationError as error:
        first = error.errors()[0]
        key = ".".join(map(str, first["loc"]))
        raise ValueError(f"not a sample: {key}: {first['msg']}") from error
    operation = operations.get(raw.operation) or operations.get(f"{raw.group}.{raw.operation}")
    if operation is None:
        raise ValueError(f"unknown operation {raw.operation!r}")
    return Sample(
        operation=operation,
        at_ns=raw.at_ns,
        status=raw.status,
        headers=raw.headers,
        body=b64decode(raw.body, validate=True),
        body_bytes=raw.body_bytes,
        truncated=raw.truncated,
    )
