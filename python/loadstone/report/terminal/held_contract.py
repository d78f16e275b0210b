"""What `check` says of a stack that was held against its contract, or could not be."""

from rich.console import Console

from loadstone.errors import StepFailed
from loadstone.measure.whole_contract import HeldContract


def print_held(console: Console, title: str, held: HeldContract) -> None:
    """Print what holds, what does not, and which declared deviation must be taken out."""
    failed, deviating = held.of_state("failed"), held.of_state("deviates")
    clauses = {result.clause for result in held.results}
    holding = len(held.results) - len(failed) - len(deviating)
    console.print(
        f"{'holds' if held.holds else 'failed':<8} {title}: "
        f"{holding} of {len(held.results)} checks of {len(clauses)} clauses",
        markup=False,
    )
    for result in failed:
        console.print(f"    {result.clause}  {result.title}: {result.message}", markup=False)
    for each in held.deviations:
        if each in held.needless:
            console.print(
                f"    {each.clause}  is declared a deviation, and holds: take it out of the manifest",
                markup=False,
            )
        else:
            console.print(f"    {each.clause}  deviates as declared: {each.reason}", markup=False)


def print_not_held(console: Console, title: str, failure: StepFailed) -> None:
    """Print why it could not be held, with the end of its log."""
    console.print(f"failed   {title}: {failure.message}", markup=False)
    for line in failure.log_tail.splitlines():
        console.print(f"    | {line}", markup=False)


def print_skipped(console: Console, title: str, reason: str) -> None:
    """Print why it is left out."""
    console.print(f"skipped  {title}: {reason}", markup=False)
