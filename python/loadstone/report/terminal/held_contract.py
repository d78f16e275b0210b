"""What `check` says of a stack that was held against its contract, or could not be."""

from rich.console import Console

from loadstone.errors import ExitCode, StepFailed
from loadstone.measure.prepare.whole_contract import HeldContract
from loadstone.study.values.held_to import EVERY, Deviation, covers
from loadstone.text.plain import plain
from loadstone.text.words import listed

_WORDS = {ExitCode.OK: "holds", ExitCode.DOES_NOT_HOLD: "failed", ExitCode.COULD_NOT_RUN: "error"}


def print_held(console: Console, title: str, held: HeldContract) -> None:
    """Print what holds, what does not, what could not be held since the check is broken itself, and
    which declared deviation must be taken out.
    """
    failed, broken = held.of_state("failed"), held.of_state("error")
    deviating = list(dict.fromkeys(result.clause for result in held.of_state("deviates")))
    clauses = {result.clause for result in held.results}
    holding = len(held.results) - len(failed) - len(broken) - len(held.of_state("deviates"))
    console.print(
        f"{_WORDS[held.exit_code]:<8} {title}: "
        f"{holding} of {len(held.results)} checks of {len(clauses)} clauses",
        markup=False,
    )
    for result in (*broken, *failed):
        console.print(f"    {result.clause}  {result.title}: {result.message}", markup=False)
    for each in held.deviations:
        if each in held.needless:
            console.print(
                f"    {each.clause}  is declared a deviation, and holds: take it out of the manifest",
                markup=False,
            )
        elif met := [clause for clause in deviating if covers(each.clause, clause)]:
            named = _named(each, met)
            console.print(f"    {named}  deviates as declared: {each.reason}", markup=False)
        elif each.versions is not None:
            said = f"holds here, and is no error: {each.why}"
            console.print(f"    {each.clause}  {said}", markup=False)


def _named(deviation: Deviation, met: list[str]) -> str:
    """`PT-9`; of several `TR-* (TR-1 and TR-3)`."""
    several = deviation.clause.endswith(EVERY)
    return f"{deviation.clause} ({listed(met)})" if several else deviation.clause


def print_not_held(console: Console, title: str, failure: StepFailed) -> None:
    """Print why it could not be held, with the end of its log."""
    console.print(f"failed   {title}: {failure.message}", markup=False)
    for line in failure.log_tail.splitlines():
        console.print(f"    | {plain(line)}", markup=False)


def print_skipped(console: Console, title: str, reason: str) -> None:
    """Print why it is left out."""
    console.print(f"skipped  {title}: {reason}", markup=False)
