"""How a system's contract declares its checks.

    @check("PT-20", "another method is 405 and names the one allowed", quick=True)
    def another_method(subject: Subject) -> None: ...

A file of checks may import `loadstone.contract` and `loadstone.study`, and what it shares with its
neighbours from `.lib`: the folder `lib` beside it holds the helpers of its system alone.
"""

from collections.abc import Callable, Mapping

from loadstone.contract.model import ContractCheck, Sample, SampleCheck, Spoken, spoken
from loadstone.contract.subject import UPSTREAM_LEG, Subject
from loadstone.study.values.manifest import CLIENT_LEG


def check(
    clause: str,
    title: str,
    *,
    quick: bool = False,
    needs_upstream: bool = False,
    needs_stand: bool = False,
    operation: str | None = None,
    client: Spoken = None,
    upstream: Spoken = None,
    service: str | None = None,
    seconds: float | None = None,
) -> Callable[[Callable[[Subject], None]], ContractCheck]:
    """Declare a check of a clause.

    `quick` ones take milliseconds, change nothing, and are held in every run; they work with any
    upstream. `needs_upstream` ones script and read the recording upstream; `needs_stand` ones stop and
    start the parts around the service, or start it anew (`contract/stand.py`). `operation` is the one
    that the check is about, `client` and `upstream` are the protocols that the clause is about on these
    legs; where a condition is not met, the check is not part of the contract.

    `service` is the one that it is held against, where that is not the system's entry. `seconds` is
    what it may take, where that is more than the usual.
    """
    if quick and (needs_upstream or needs_stand):
        raise ValueError(f"{clause}: a quick check is held where only the service itself stands")
    if quick and service is not None:
        raise ValueError(f"{clause}: a quick check is held in every run, at the system's entry")

    protocols = {CLIENT_LEG: spoken(client), UPSTREAM_LEG: spoken(upstream)}

    def declare(function: Callable[[Subject], None]) -> ContractCheck:
        return ContractCheck(
            clause,
            title,
            quick,
            needs_upstream,
            operation,
            protocols,
            function,
            needs_stand,
            service,
            seconds,
        )

    return declare


def sample_check(
    clause: str,
    title: str,
    *,
    operation: str | None = None,
    otherwise: Mapping[int, Callable[[Sample], None]] | None = None,
) -> Callable[[Callable[[Sample], None]], SampleCheck]:
    """Declare a check of a response that the engine kept under load.

    `operation` is the one whose responses it is about; none: all of them. `otherwise` says by the
    status what a failure that the contract allows, as of a service that is overloaded, is held to in
    place of the check.
    """

    def declare(function: Callable[[Sample], None]) -> SampleCheck:
        return SampleCheck(clause, title, operation, function, otherwise=otherwise or {})

    return declare
