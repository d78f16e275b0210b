"""Why a run failed where no step said so: an error that the lab knows, or a defect of the lab."""

import traceback
from pathlib import Path

import loadstone
from loadstone.errors import LoadstoneError
from loadstone.results import folder
from loadstone.results.record import Failure

TRACEBACK = "lab-error.log"
"""Among the logs of the run."""
_LONGEST_MESSAGE = 500
"""Characters: a validator's message can have pages, and the traceback has all of it."""


def failure_of(error: Exception, step: str, logs: Path) -> Failure:
    """Return why a run failed in a step, with the type of the exception and its place in the lab.

    What the lab did not reckon with is called a defect, and its traceback is kept among the logs: the
    service that was measured is not to blame.
    """
    told = f"{type(error).__name__} at {_place(error)}"
    if isinstance(error, LoadstoneError):
        return Failure(step=step, reason=f"{error.message} ({told})", log_tail="")
    logs.mkdir(parents=True, exist_ok=True)
    (logs / TRACEBACK).write_text("".join(traceback.format_exception(error)), encoding="utf-8")
    message = " ".join(str(error).split())[:_LONGEST_MESSAGE]
    reason = f"this is a defect of the lab: {told}: {message}; see {folder.LOGS}/{TRACEBACK}"
    return Failure(step=step, reason=reason, log_tail="")


def _place(error: Exception) -> str:
    """File and line of the lab where it was raised, or came out of somebody else's code."""
    package = Path(loadstone.__file__).parent
    for frame in reversed(traceback.extract_tb(error.__traceback__)):
        path = Path(frame.filename)
        if path.is_relative_to(package):
            return f"{path.relative_to(package.parent)}:{frame.lineno}"
    return "an unknown place"
