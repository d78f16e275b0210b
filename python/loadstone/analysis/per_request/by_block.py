"""Block by block: the runs of arms under one workload, read, and compared pair by pair."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from loadstone.analysis.compare.pairs import Pair
from loadstone.analysis.per_request.described import Described, described, too_few
from loadstone.analysis.per_request.request_test import request_test
from loadstone.analysis.per_request_model import RequestTest
from loadstone.results.load_facts import OperationFacts
from loadstone.results.read import StoredRun
from loadstone.results.request_times import request_times

RunsOfArms = Mapping[str, Mapping[int, StoredRun]]
"""Of one workload: by the arm's name and the block."""


@dataclass
class PairTests:
    """What was tested of one pair of arms."""

    tests: list[RequestTest] = field(default_factory=list)
    """In block order."""
    left_out: list[str] = field(default_factory=list)
    """Blocks without a test, each with the reason."""


def by_block(
    pairs: Sequence[Pair],
    runs: RunsOfArms,
    group: str | None = None,
    operation: str | None = None,
) -> dict[Pair, PairTests]:
    """Compare each pair in every block in which one of the two has a run.

    A block's runs are read once for all pairs, and let go before the next block's: single requests of
    a large study do not fit into the memory. `InputError` for a broken file.
    """
    found = {pair: PairTests() for pair in pairs}
    names = dict.fromkeys(name for pair in pairs for name in pair)
    for block in sorted({block for name in names for block in runs.get(name, {})}):
        read = {name: _described(runs.get(name, {}).get(block), group, operation) for name in names}
        for pair, told in found.items():
            baseline, other = (read[name] for name in pair)
            if isinstance(baseline, Described) and isinstance(other, Described):
                told.tests.append(request_test(baseline, other, block))
            else:
                reasons = (f"{name}: {read[name]}" for name in pair if isinstance(read[name], str))
                told.left_out.append(f"block {block}: {', '.join(reasons)}")
    return found


def _described(
    stored: StoredRun | None, group: str | None, operation: str | None
) -> Described | str:
    """The run as it is described, or why it is not."""
    if stored is None:
        return "no run"
    record = stored.record
    if record is None or not stored.completed:
        return stored.problem
    names = {
        name
        for name, facts in record.operations.items()
        if _is_asked(name, facts, group, operation)
    }
    is_all = group is None and operation is None
    times = request_times(record, stored.directory, None if is_all else names)
    return too_few(times) or described(times, stored.planned.id)


def _is_asked(name: str, facts: OperationFacts, group: str | None, operation: str | None) -> bool:
    """Whether a group's operation, as the record names it, is among those that are asked about. A
    record of one group need not tell it; answers of a further status are none of the operation.
    """
    if group is not None and facts.group not in (None, group):
        return False
    return operation is None or name in (operation, f"{facts.group}.{operation}")
