"""A process that takes the place of another in mid-load is found; more workers, or fewer, are not."""

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

from changes import OfSecond, service_of, with_record, with_ticks

from loadstone.audit.service.restarts import service_restarted
from loadstone.findings.model import Finding, Severity
from loadstone.machine.procfs import TICK_NS
from loadstone.measure.loading.probe import Probe
from loadstone.results import folder
from loadstone.results.window import WindowedRun
from observed import observed

WARNING = Severity.WARNING


def restarted(
    directory: Path, youngest: OfSecond, processes: OfSecond = lambda s: 2
) -> list[Finding]:
    run = with_ticks(observed(directory), {"youngest_start_ns": youngest, "processes": processes})
    return list(service_restarted(run))


def test_a_process_in_the_place_of_another_is_told_with_its_time(tmp_path: Path) -> None:
    (finding,) = restarted(tmp_path, lambda s: 1e9 if s < 4.5 else 9e9)
    assert (finding.code, finding.severity) == ("service-restarted", WARNING)
    assert "1 process of gateway began in mid-load" in finding.evidence
    assert "4.6 s after its begin" in finding.evidence


def test_a_worker_that_was_missed_for_a_while_is_a_restart_too(tmp_path: Path) -> None:
    (finding,) = restarted(
        tmp_path, lambda s: 1e9 if s < 6 else 9e9, lambda s: 1 if 4 < s < 6 else 2
    )
    assert "6.0 s after" in finding.evidence


def test_more_workers_than_before_or_fewer_are_no_restart(tmp_path: Path) -> None:
    assert restarted(tmp_path / "more", lambda s: 1e9 + s // 3, lambda s: 2 + s // 3) == []
    assert restarted(tmp_path / "fewer", lambda s: 1e9 - s // 3, lambda s: 9 - s // 3) == []
    assert restarted(tmp_path / "same", lambda s: 1e9) == []
    assert list(service_restarted(observed(tmp_path / "unprobed"))) == []


def test_the_real_probe_sees_a_worker_replaced(tmp_path: Path) -> None:
    """A supervisor starts a worker anew once it has ended."""
    code = (
        "import subprocess, sys\n"
        "while True:\n"
        "    worker = subprocess.Popen(['sleep', '600'])\n"
        "    print(worker.pid, flush=True)\n"
        "    worker.wait()\n"
    )
    run = observed(tmp_path)
    with subprocess.Popen([sys.executable, "-c", code], stdout=subprocess.PIPE) as supervisor:
        assert supervisor.stdout is not None
        first = int(supervisor.stdout.readline())
        probe = Probe({service_of(run).name: supervisor.pid}, ())
        probe.tick()
        unchanged = list(service_restarted(written(run, probe)))
        time.sleep(2 * TICK_NS / 1e9)  # so that the next begins in another tick of the kernel
        os.kill(first, signal.SIGKILL)
        second = int(supervisor.stdout.readline())
        probe.tick()
        supervisor.kill()
        os.kill(second, signal.SIGKILL)
    assert unchanged == []
    (finding,) = service_restarted(written(run, probe))
    assert finding.code == "service-restarted"


def written(run: WindowedRun, probe: Probe) -> WindowedRun:
    """The run, anew, with the probe's ticks."""
    probe.write(run.directory / folder.RESOURCES)
    return with_record(run)
