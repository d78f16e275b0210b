"""What `audit` is given: a study's results, one run, or a folder of runs, each with its findings."""

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from loadstone.analysis.analyse import analyse
from loadstone.analysis.cells.parallel_cells import OnRead, unseen
from loadstone.analysis.cells.run import RunFigures
from loadstone.analysis.cells.run_alone import RunAlone, examine_alone
from loadstone.analysis.model import Analysis
from loadstone.errors import InputError
from loadstone.findings.model import Finding
from loadstone.results import folder
from loadstone.results.read import read_record
from loadstone.results.record import RunRecord


@dataclass(frozen=True)
class AuditedStudy:
    """A results folder of `loadstone run`."""

    directory: Path
    analysis: Analysis
    findings: tuple[Finding, ...]

    @property
    def name(self) -> str:
        """Of the study."""
        return self.analysis.study

    @property
    def withheld(self) -> tuple[str, ...]:
        """`arm/workload/metric` of every figure that is withheld."""
        return tuple(
            f"{cell.arm}/{cell.workload}/{figure.metric}"
            for cell in self.analysis.cells
            for figure in cell.figures
            if figure.state == "withheld"
        )


@dataclass(frozen=True)
class AuditedRun:
    """The folder of one run, of our own or imported."""

    directory: Path
    record: RunRecord
    alone: RunAlone

    @property
    def name(self) -> str:
        """Of the run."""
        return self.record.run.id

    @property
    def figures(self) -> RunFigures:
        """By metric."""
        return self.alone.figures

    @property
    def findings(self) -> tuple[Finding, ...]:
        """On the run."""
        return self.alone.findings

    @property
    def withheld(self) -> tuple[str, ...]:
        """Every metric that is withheld."""
        return tuple(name for name, figure in self.figures.items() if figure.state == "withheld")


Audited = AuditedStudy | AuditedRun


def read_and_audit(path: Path, on_read: OnRead = unseen) -> Iterator[Audited]:
    """Read and audit what is at a path. `InputError` where that is neither a study nor a run nor
    runs.
    """
    if (path / folder.PLAN).is_file():
        analysis, findings = analyse(path, on_read=on_read)
        yield AuditedStudy(path, analysis, findings)
        return
    directories = [path] if (path / folder.RECORD).is_file() else _runs_in(path)
    if not directories:
        raise InputError(
            f"holds neither {folder.PLAN} nor {folder.RECORD}, and no folder that does",
            path=path,
            remedy="give a results folder, the folder of a run, or a folder of runs as "
            "`loadstone import` makes it",
        )
    for number, directory in enumerate(directories):
        on_read(number, len(directories))
        record = read_record(directory / folder.RECORD)
        yield AuditedRun(directory, record, examine_alone(record, directory))


def _runs_in(path: Path) -> list[Path]:
    if not path.is_dir():
        raise InputError("there is no such folder", path=path, remedy="give a folder of results")
    return sorted(each.parent for each in path.glob(f"*/{folder.RECORD}"))
