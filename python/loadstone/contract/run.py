"""Hold a running service against its contract, within bounded time."""

import time
from collections.abc import Collection, Mapping, Sequence
from pathlib import Path

from loadstone.contract.deadline import Deadline
from loadstone.contract.model import CheckResult, Contract, ContractCheck
from loadstone.contract.subject import UPSTREAM_LEG, Subject
from loadstone.contract.upstream import RecordingUpstream
from loadstone.study.values.manifest import CLIENT_LEG
from loadstone.study.values.model import Protocol

CHECK_SECONDS = 15.0
"""For one check: a cold JVM on a busy machine was seen to need over 5 s for 100 requests over TLS."""
_SHOWN_CHARACTERS = 300
_SHOWN_FAILURES = 3


def run_checks(
    contract: Contract,
    base_url: str,
    upstream: RecordingUpstream | None,
    *,
    quick_only: bool,
    budget_seconds: float | None,
    check_seconds: float = CHECK_SECONDS,
    legs: Mapping[str, Protocol] | None = None,
    authority: Path | None = None,
    operations: Collection[str] | None = None,
    deviates: Collection[str] = (),
) -> tuple[CheckResult, ...]:
    """Run the checks in order, each within `check_seconds`; after `budget_seconds` none is begun.

    `legs` are the protocols spoken, HTTP/1.1 in cleartext where a leg is not named; over TLS the
    service is verified by the PEM file `authority`. `operations` are those that the service has;
    none: every one. Checks that are about other protocols or operations are left out of the result,
    and with `quick_only` those that are not quick. Skipped are checks that need an upstream where
    there is none, and those that the budget does not reach. What fails of the clauses in `deviates`
    is known to.
    """
    began = time.monotonic()
    spoken = {CLIENT_LEG: Protocol.H1C, UPSTREAM_LEG: Protocol.H1C, **(legs or {})}
    results = []
    for check in contract.checks:
        if (quick_only and not check.quick) or not _is_about(check, spoken, operations):
            continue
        spent_seconds = time.monotonic() - began
        if check.needs_upstream and upstream is None:
            results.append(_result(check, "skipped", "it needs the recording upstream"))
        elif budget_seconds is not None and spent_seconds >= budget_seconds:
            results.append(_result(check, "skipped", f"{budget_seconds} s were spent before it"))
        else:
            deadline = Deadline(check_seconds)
            subject = Subject(base_url, upstream, deadline, spoken, authority, operations)
            results.append(_judged(_run(check, subject, upstream), deviates))
    return tuple(results)


def in_short(failures: Sequence[str]) -> str:
    """Return failed checks as one text: the first of them in words, the others by their number."""
    shown = "; ".join(failures[:_SHOWN_FAILURES])
    more = len(failures) - _SHOWN_FAILURES
    return f"{shown}; and {more} more" if more > 0 else shown


def _is_about(
    check: ContractCheck, legs: Mapping[str, Protocol], operations: Collection[str] | None
) -> bool:
    operation = check.operation
    return all(legs[leg] in protocols for leg, protocols in check.protocols.items()) and (
        operation is None or operations is None or operation in operations
    )


def _run(check: ContractCheck, subject: Subject, upstream: RecordingUpstream | None) -> CheckResult:
    if upstream is not None:
        upstream.forget()
    try:
        check.function(subject)
    except AssertionError as error:
        return _result(check, "failed", str(error) or "an assertion without words")
    except Exception as error:  # whatever breaks a check is the service's failure, and shown
        return _result(check, "failed", f"{type(error).__name__}: {error}")
    if upstream is not None and (faults := upstream.faults):
        return _result(check, "failed", f"what the upstream received is {faults[0]}")
    return _result(check, "passed", "")


def _judged(result: CheckResult, deviates: Collection[str]) -> CheckResult:
    if result.state == "failed" and result.clause in deviates:
        return result.model_copy(update={"state": "deviates"})
    return result


def _result(check: ContractCheck, state: str, message: str) -> CheckResult:
    return CheckResult.model_validate(
        {
            "clause": check.clause,
            "title": check.title,
            "state": state,
            "message": message[:_SHOWN_CHARACTERS],
        }
    )
