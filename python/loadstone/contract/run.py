"""Run the checks of a contract on a running service, within bounded time."""

import time
from collections.abc import Collection, Iterable, Mapping, Sequence
from pathlib import Path

from loadstone.contract.deadline import Deadline
from loadstone.contract.faults import is_of_the_service
from loadstone.contract.model import CheckResult, Contract, ContractCheck
from loadstone.contract.place import broken_check
from loadstone.contract.stand import Surroundings
from loadstone.contract.subject import UPSTREAM_LEG, Subject
from loadstone.contract.upstream import RecordingUpstream
from loadstone.errors import StepFailed
from loadstone.study.values.held_to import is_covered
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
    around: Surroundings | None = None,
) -> tuple[CheckResult, ...]:
    """Run the checks in order and return what became of each.

    A check may take `check_seconds`, or what it declares. Behind `budget_seconds` none is begun, so
    that those that are run before and after every load cannot hold it up; the rest is skipped. So is a
    check that needs the recording upstream, or what stands `around` the service, where there is none.
    What a check did to that is undone behind it.

    `legs` says what is spoken; a leg that it does not name speaks HTTP/1.1 in cleartext. Callers over
    TLS verify the service by the PEM file `authority`. `operations` are those that the service has;
    none: every one. Checks that are about other protocols or operations are left out of the result,
    since the service does not promise them, and with `quick_only` those that are not quick. A check
    that fails deviates where its clause is one that `deviates` names: the service is known not to hold
    it.
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
        elif check.needs_stand and around is None:
            results.append(_result(check, "skipped", "it needs the parts around the service"))
        elif budget_seconds is not None and spent_seconds >= budget_seconds:
            results.append(_result(check, "skipped", f"{budget_seconds} s were spent before it"))
        else:
            deadline = Deadline(check_seconds if check.seconds is None else check.seconds)
            at_hand = around if check.needs_stand else None
            subject = Subject(base_url, upstream, deadline, spoken, authority, operations, at_hand)
            results.append(_judged(_run(check, subject, upstream), deviates))
            if at_hand is not None:
                at_hand.restore()
    return tuple(results)


def refuse_broken_checks(results: Iterable[CheckResult]) -> None:
    """Raise StepFailed('check') where a check is in error: whether its clause holds is not known."""
    broken = [result.message for result in results if result.state == "error"]
    if broken:
        raise StepFailed("check", in_short(broken))


def in_short(failures: Sequence[str]) -> str:
    """Return what became of checks as one text: the first in words, the others by their number."""
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
    error: Exception | None = None
    try:
        check.function(subject)
    except Exception as raised:  # told apart below
        error = raised
    if upstream is not None and upstream.script_errors:
        error = upstream.script_errors[0]  # what the check saw of the service follows from it
    if error is not None:
        return _broken(check, error)
    if upstream is not None and (faults := upstream.faults):
        return _result(check, "failed", f"what the upstream received is {faults[0]}")
    return _result(check, "passed", "")


def _broken(check: ContractCheck, error: Exception) -> CheckResult:
    if not is_of_the_service(error):
        return _result(check, "error", broken_check(check.function, error))
    if isinstance(error, AssertionError):
        return _result(check, "failed", str(error) or "an assertion without words")
    return _result(check, "failed", f"{type(error).__name__}: {error}")


def _judged(result: CheckResult, deviates: Collection[str]) -> CheckResult:
    if result.state == "failed" and is_covered(result.clause, deviates):
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
