"""What `run` says first of arms that are built from revisions of a repository."""

from collections import defaultdict
from collections.abc import Iterator, Mapping

from loadstone.study.values.checkout import Checkout
from loadstone.study.values.manifest import Stack
from loadstone.study.values.service_choice import ServiceChoice, StackChoice


def checkout_lines(stacks: Mapping[ServiceChoice, Stack]) -> Iterator[str]:
    """Yield which commit each is, what of it is not built, and which are the same code twice."""
    same: dict[tuple[str, ...], list[str]] = defaultdict(list)
    for choice, stack in stacks.items():
        if not isinstance(choice, StackChoice) or stack.checkout is None:
            continue
        checkout = stack.checkout
        yield f"{choice.label}: {checkout.text} of {checkout.repository}"
        for note in _notes(checkout):
            yield f"  {note}"
        same[(choice.service, choice.stack, choice.runtime, *checkout.content)].append(choice.label)
    for labels in same.values():
        if len(labels) > 1:
            yield (
                f"{' and '.join(labels)} are the same code: no difference between them "
                "is one of the code"
            )


def _notes(checkout: Checkout) -> Iterator[str]:
    if checkout.leaves_out:
        yield (
            "the working tree has uncommitted changes, which are left out: commit them, or write "
            "`git: working-tree`"
        )
    yield from checkout.notes
