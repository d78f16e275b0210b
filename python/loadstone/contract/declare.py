"""How a system's contract declares its checks.

    @check("PT-20", "another method is 405 and names the one allowed", quick=True)
    def another_method(subject: Subject) -> None: ...

A file of checks may import `loadstone.contract` and `loadstone.study.payload`, not its neighbours.
"""

from collections.abc import Callable

from loadstone.contract.model import ContractCheck, Sample, SampleCheck
from loadstone.contract.subject import Subject


def check(
    clause: str, title: str, *, quick: bool = False, needs_upstream: bool = False
) -> Callable[[Callable[[Subject], None]], ContractCheck]:
    """Declare a check of a clause.

    `quick` ones take milliseconds, change nothing, and are held in every run; they work with any
    upstream. `needs_upstream` ones script and read the recording upstream.
    """
    if quick and needs_upstream:
        raise ValueError(f"{clause}: a quick check is held where no recording upstream is")

    def declare(function: Callable[[Subject], None]) -> ContractCheck:
        return ContractCheck(clause, title, quick, needs_upstream, function)

    return declare


def sample_check(clause: str, title: str) -> Callable[[Callable[[Sample], None]], SampleCheck]:
    """Declare a check of a response that the engine kept under load."""

    def declare(function: Callable[[Sample], None]) -> SampleCheck:
        return SampleCheck(clause, title, function)

    return declare
