"""Every error that Loadstone raises on purpose, and the exit codes.

LoadstoneError            exit 2: it could not run
├── InputError            a file or an argument is wrong: says which, where, and what to do
├── TargetRefused         an address that is neither loopback nor allowed
├── Unavailable           a tool, stack or runtime that this machine lacks
├── RecordsUnwritable     the disk does not take the records: every later run would fail, too
├── WireLost              the lab of another machine is gone; others do its blocks (cluster.wire)
├── StepFailed            one run failed in a named step; other runs go on
│   Caught by whoever knows the place, and told as one of the above:
├── WrongValueError       a value that is wrong by itself; a ValueError, too, as validators want it
│   └── WrongTemplateError   of a template, and where in it (study.templates.wrong)
├── YamlNotTaken          correct YAML with what the lab does not take (study.files.yaml_file)
├── CycleError            services that need each other in a circle (study.systems.start_order)
├── ReferenceNotTaken     a $ref that leads out of its document, nowhere, or round (openapi.document)
├── NotJudged             an answer of which it cannot be told whether it fits (openapi.answers)
├── NotHeld               a sampled answer that a check cannot be held against (contract.faults)
├── CannotMake            an operation of which no request can be made (describe.model)
├── HandFailed            what a check wanted done to a dependency was not done (contract.stand)
├── SqlFailed             a statement of the lab's that a database refused (deploy.dependencies.sql)
├── GitFailed             git refused, or did not end (machine.git)
├── _LoadOver             a load that ended while one of its faults was done (measure.loading.faults)
├── BrokenPayload         a histogram whose counts are cut or foreign (results.payloads)
└── ServiceFault          what a service sent is not of its protocol or format (contract.faults): the
                          base of BrokenMessage, Http2Fault, SpokenWrongly, and of a contract's own
Interrupted               exit 2: SIGINT or SIGTERM; no Exception, or it would pass for a failure

What is no error but an answer is a value: a runtime that is not here, a process that is not found.
"""

from enum import IntEnum
from pathlib import Path


class ExitCode(IntEnum):
    """What the process says at its end. The engine uses the same numbers."""

    OK = 0
    """It ran, and what it checks holds."""
    DOES_NOT_HOLD = 1
    """It ran; a figure is withheld, a run failed, or a check does not hold."""
    COULD_NOT_RUN = 2
    """It could not run: wrong input, or something is missing."""


class LoadstoneError(Exception):
    """The base: a message for a person, and optionally the remedy on a line of its own."""

    def __init__(self, message: str, remedy: str | None = None) -> None:
        super().__init__(message)
        self.message = message
        self.remedy = remedy


class InputError(LoadstoneError):
    """A wrong file: carries its path, and line and key where they are known."""

    def __init__(
        self,
        message: str,
        *,
        path: Path | None = None,
        line: int | None = None,
        key: str | None = None,
        remedy: str | None = None,
    ) -> None:
        place = "" if path is None else f"{path}{'' if line is None else f':{line}'}: "
        at_key = "" if key is None else f"{key}: "
        super().__init__(f"{place}{at_key}{message}", remedy)
        self.path, self.line, self.key = path, line, key


class TargetRefused(LoadstoneError):
    """Load may go to loopback, or to what the author lists as their own; to nothing else."""


class Unavailable(LoadstoneError):
    """Something that this machine lacks; the message says what, the remedy how to get it."""


class RecordsUnwritable(LoadstoneError):
    """Records cannot be written; the message says where, why, and how much room there is."""


class StepFailed(LoadstoneError):
    """One step of one run failed, and other runs go on.

    `step` is build, deploy, seed, start-up, check, reset or load; `probe` where `doctor` probes.
    """

    def __init__(self, step: str, message: str, log_tail: str = "") -> None:
        super().__init__(f"{step}: {message}")
        self.step, self.reason, self.log_tail = step, message, log_tail


class WrongValueError(LoadstoneError, ValueError):
    """A value that is wrong by itself; where it was typed is added when it is reported."""


class Interrupted(BaseException):
    """A signal asked for the end; everything started is torn down before the process leaves."""

    def __init__(self, message: str, remedy: str | None = None) -> None:
        super().__init__(message)
        self.message = message
        self.remedy = remedy
