"""Published raw data of k6 (a dissertation's): the audit must find what is wrong with it, and no more.

The files are not part of this repository; without them beside the checkout nothing is tested here.
"""

from pathlib import Path

import pytest

from loadstone.analysis.cells.run import examine_run
from loadstone.findings.model import Finding, Severity
from loadstone.importers.import_file import import_file
from loadstone.results.record import RunRecord

DATA = Path(__file__).resolve().parents[2].parent / "shared" / "data" / "thesis-k6"
HUNG = "4-cfg2-balAOTHTTP1.csv.gz"
HEALTHY = (
    "1-cfg1-balAOTHTTP1.csv.gz",
    "1-cfg1-balAOTHTTP2.csv.gz",
    "1-cfg1-javaAOTHTTP1.csv.gz",
    "1-cfg1-javaAOTHTTP2.csv.gz",
)

pytestmark = pytest.mark.skipif(
    not DATA.is_dir(), reason="the published data is not at ../shared/data/thesis-k6"
)


def audited(name: str, directory: Path) -> tuple[RunRecord, dict[str, Finding]]:
    record = import_file(
        "k6",
        DATA / name,
        directory / "run",
        arrivals=None,
        warm_up_ns=0,
        on_progress=lambda _read, _total: None,
    )
    findings = examine_run(record, directory / "run").findings
    return record, {each.code: each for each in findings}


def test_38_of_100_users_that_hang_withhold_the_figures(tmp_path: Path) -> None:
    record, findings = audited(HUNG, tmp_path)
    assert (record.load.users, record.outcomes["ok"], record.load.load_ns) == (
        100,
        1860,
        30 * 10**9,
    )
    found = findings["littles-law"]
    assert found.severity is Severity.WITHHOLD
    assert "100 users, but X (R + Z) = 62.00/s x" in found.evidence
    assert {"throughput", "response_time.*"} <= set(found.metrics)


def test_durations_that_were_replaced_afterwards_are_found(tmp_path: Path) -> None:
    _, findings = audited(HUNG, tmp_path)
    found = findings["contradicting-times"]
    assert found.severity is Severity.WITHHOLD
    assert "in 127 of 1,860 requests" in found.evidence


@pytest.mark.parametrize("name", HEALTHY)
def test_ten_users_who_pause_are_pinned_and_not_withheld(tmp_path: Path, name: str) -> None:
    record, findings = audited(name, tmp_path)
    assert (record.load.users, record.outcomes["ok"]) == (10, 300)
    assert record.iterations.count == 300
    assert 1.006e9 < record.iterations.pause_mean_ns < 1.009e9  # a second, and the script
    assert {"pinned-throughput", "coarse-times"} <= set(findings)
    assert Severity.WITHHOLD not in {each.severity for each in findings.values()}


@pytest.mark.parametrize("name", HEALTHY)
def test_users_in_step_are_no_independent_requests(tmp_path: Path, name: str) -> None:
    _, findings = audited(name, tmp_path)
    assert "300 requests tell as much as" in findings["correlated-requests"].evidence
