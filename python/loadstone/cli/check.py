"""`loadstone check`: hold stacks against the contract of their system."""

from contextlib import ExitStack
from typing import TYPE_CHECKING, Annotated

import typer
from rich.console import Console

from loadstone.cli.app import messages, output, sweep_leftovers
from loadstone.cli.completion import complete_stacks, complete_systems
from loadstone.cli.heartbeat import heartbeat
from loadstone.cli.root import RootOption, opened_catalogue
from loadstone.errors import ExitCode, StepFailed

if TYPE_CHECKING:
    from loadstone.measure.prepare.whole_contract import HeldContract


def register(app: typer.Typer) -> None:
    """Add the command."""
    app.command("check", short_help="Hold stacks against their contract")(check)


def check(
    system: Annotated[
        str,
        typer.Argument(metavar="SYSTEM", help="A system's name", autocompletion=complete_systems),
    ],
    stack: Annotated[
        list[str] | None,
        typer.Option(
            "--stack",
            metavar="STACK",
            help="Only this stack, or SERVICE/STACK; may be repeated",
            show_default="all",
            autocompletion=complete_stacks,
        ),
    ] = None,
    root: RootOption = None,
) -> None:
    """Build and start each stack, and hold it against every clause of the system's contract, over the
    legs of every scenario that it has.

    Where a system has several services, the first stack that can run here stands for each other one
    that is needed meanwhile.

    Exit code: 0 all hold, 1 one does not, 2 it could not run, as when a check itself is broken, or no
    runtime of a stack that was named is here.

    Example: loadstone check mediation --stack go
    """
    from loadstone.measure.prepare.check_stacks import check_stacks

    sweep_leftovers()
    with ExitStack() as steps:
        shown = _Shown(output(), steps)
        not_here = check_stacks(opened_catalogue(root), system, stack or [], shown)
    raise typer.Exit(ExitCode.COULD_NOT_RUN if stack and not_here else shown.code)


class _Shown:
    """Prints each stack as it is held, and keeps the exit code."""

    def __init__(self, console: Console, steps: ExitStack) -> None:
        self.code = ExitCode.OK
        self._console, self._steps = console, steps

    def step(self, text: str) -> None:
        """Say what begins, and again and again how long it has lasted."""

        def say(line: str) -> None:
            messages().print(line, markup=False)

        self._steps.close()
        say(text)
        self._steps.enter_context(heartbeat(text, say))

    def skipped(self, title: str, reason: str) -> None:
        """Say why it is left out."""
        from loadstone.report.terminal.held_contract import print_skipped

        self._steps.close()
        print_skipped(self._console, title, reason)

    def failed(self, title: str, failure: StepFailed) -> None:
        """Say why it could not be held."""
        from loadstone.report.terminal.held_contract import print_not_held

        self._steps.close()
        print_not_held(self._console, title, failure)
        self.code = max(self.code, ExitCode.DOES_NOT_HOLD)

    def held(self, title: str, held: "HeldContract") -> None:
        """Say what of the contract holds."""
        from loadstone.report.terminal.held_contract import print_held

        self._steps.close()
        print_held(self._console, title, held)
        self.code = max(self.code, held.exit_code)
