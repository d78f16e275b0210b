"""Run the sample checks of a contract on the responses that the engine kept of a load."""

import json
from base64 import b64decode
from collections.abc import Collection, Iterator, Mapping
from pathlib import Path
from typing import Annotated, Any

from pydantic import Field, ValidationError

from loadstone.contract.faults import is_of_the_service
from loadstone.contract.model import Contract, Sample, SampleResults
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
    checked, deviated, failed = 0, 0, list[str]()
    for number, line in enumerate(lines, start=1):
        try:
            sample = _sample(line, operations)
        except ValueError as error:
            checked += 1
            failed.append(f"{samples_path.name}:{number}: {error}")
        else:
            if before_ns is None or sample.at_ns < before_ns:
                checked += 1
                for clause, seen in _failures(contract, sample):
                    if is_covered(clause, deviates):
                        deviated += 1
                    else:
                        failed.append(f"{clause}: {seen}")
    return SampleResults(checked=checked, failed=tuple(failed), deviated=deviated)


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


def _failures(contract: Contract, sample: Sample) -> Iterator[tuple[str, str]]:
    """Yield the clause of each check that does not hold, and what was seen."""
    operation = sample.operation.operation
    place = f"{operation} at {sample.at_ns / 1e9:.3f} s"
    for check in contract.sample_checks:
        if check.operation not in (None, operation):
            continue
        try:
            check.function(sample)
        except AssertionError as error:
            yield check.clause, f"{place}: {error}"
        except Exception as error:
            if not is_of_the_service(error):
                # It would break by every other sample as well.
                raise StepFailed("check", broken_check(check.function, error)) from error
            yield check.clause, f"{place}: {type(error).__name__}: {error}"
