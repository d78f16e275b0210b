"""The entry point: commands are wired here, errors become messages and exit codes here, and nothing
else happens.
"""

import sys

from rich.console import Console

from loadstone.cli import (
    audit,
    bench,
    check,
    cluster,
    compare,
    doctor,
    explain,
    import_results,
    init,
    quickstart,
    report,
    run,
    systems,
)
from loadstone.cli.app import app
from loadstone.deploy.interruptible import interruptible
from loadstone.errors import ExitCode, Interrupted, LoadstoneError

COMMANDS = (
    quickstart,
    doctor,
    init,
    systems,
    check,
    bench,
    run,
    cluster,
    compare,
    report,
    import_results,
    audit,
    explain,
)
"""In the order in which a new user meets them, which is the order of `--help`."""

for _module in COMMANDS:
    _module.register(app)


def main() -> None:
    """Run the command line and leave with its exit code."""
    try:
        with interruptible():
            app()
    except (LoadstoneError, Interrupted) as error:
        console = Console(stderr=True, highlight=False)
        console.print(f"error: {error.message}", markup=False, soft_wrap=True)
        if error.remedy:
            console.print(f"hint: {error.remedy}", markup=False, soft_wrap=True)
        sys.exit(ExitCode.COULD_NOT_RUN)
    except (
        Exception
    ):  # a defect: Python would leave with 1, which says that something does not hold
        sys.excepthook(*sys.exc_info())
        sys.exit(ExitCode.COULD_NOT_RUN)
