"""Hold a running service against its contract, within bounded time."""

import time
from collections.abc import Sequence

from loadstone.contract.client import Deadline
from loadstone.contract.model import CheckResult, Contract, ContractCheck
from loadstone.contract.subject import Subject
from loadstone.contract.upstream import RecordingUpstream

CHECK_SECONDS = 5.0
"""For one check: a hundred times what the slowest needs, since the machine may be busy."""
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
) -> tuple[CheckResult, ...]:
    """Run the checks in order, each within `check_seconds`, all within `budget_seconds` if given.

    `quick_only` leaves the others out of the result. Skipped are checks that need an upstream
    where there is none, and those that the budget does not reach.
    """
    began = time.monotonic()
    results = []
    for check in contract.checks:
        if quick_only and not check.quick:
            continue
        seconds = check_seconds
        if budget_seconds is not None:
            seconds = min(seconds, budget_seconds - (time.monotonic() - began))
        if check.needs_upstream and upstream is None:
            results.append(_result(check, "skipped", "it needs the recording upstream"))
        elif seconds <= 0:
            results.append(_result(check, "skipped", f"{budget_seconds} s were spent before it"))
        else:
            results.append(_run(check, base_url, upstream, seconds))
    return tuple(results)


def in_short(failures: Sequence[str]) -> str:
    """Return failed checks as one text: the first of them in words, the others by their number."""
    shown = "; ".join(failures[:_SHOWN_FAILURES])
    more = len(failures) - _SHOWN_FAILURES
    return f"{shown}; and {more} more" if more > 0 else shown


def _run(
    check: ContractCheck, base_url: str, upstream: RecordingUpstream | None, seconds: float
) -> CheckResult:
    if upstream is not None:
        upstream.forget()
    subject = Subject(base_url, upstream, Deadline(seconds))
    try:
        check.function(subject)
    except AssertionError as error:
        return _result(check, "failed", str(error) or "an assertion without words")
    except Exception as error:  # whatever breaks a check is the service's failure, and shown
        return _result(check, "failed", f"{type(error).__name__}: {error}")
    return _result(check, "passed", "")


def _result(check: ContractCheck, state: str, message: str) -> CheckResult:
    return CheckResult.model_validate(
        {
            "clause": check.clause,
            "title": check.title,
            "state": state,
            "message": message[:_SHOWN_CHARACTERS],
        }
    )
