import base64
import json
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from loadstone.contract.declare import sample_check
from loadstone.contract.model import Contract, Sample
from loadstone.contract.samples import check_samples
from loadstone.errors import InputError, StepFailed
from loadstone.study.values.model import Operation
from loadstone.study.values.payload import payload

SENT = payload("array", 1024)
OPERATION = Operation(
    operation="passthrough",
    method="POST",
    path="/passthrough",
    headers=(("content-type", "application/json"),),
    body=SENT,
)
TRANSFORM = Operation(
    operation="transform",
    method="POST",
    path="/transform",
    headers=(("content-type", "application/json"),),
    body=payload("array", 50),
)
ONE = {OPERATION.operation: OPERATION}
BOTH = {**ONE, TRANSFORM.operation: TRANSFORM}
DOCUMENT = "<root><size>50B</size><payload>0123456789</payload><payload>ABCDEFGH</payload></root>"


def line(**changes: Any) -> bytes:
    body = changes.pop("sent", SENT).encode()
    sample = {
        "operation": "passthrough",
        "at_ns": 1_500_000_000,
        "status": 200,
        "headers": [["Content-Type", "application/json"], ["Date", "today"]],
        "body": base64.b64encode(body).decode(),
        "body_bytes": len(body),
        "truncated": False,
    }
    return json.dumps({**sample, **changes}).encode() + b"\n"


def document_line(**changes: Any) -> bytes:
    headers = [["Content-Type", "application/xml"]]
    return line(**{"operation": "transform", "headers": headers, "sent": DOCUMENT, **changes})


def write(directory: Path, data: bytes) -> Path:
    path = directory / "samples.ndjson"
    path.write_bytes(data)
    return path


def test_samples_that_equal_their_requests_hold(contract: Contract, tmp_path: Path) -> None:
    cut = line(body=base64.b64encode(SENT[:100].encode()).decode(), truncated=True)
    results = check_samples(contract, write(tmp_path, line() + cut), ONE)
    assert (results.checked, results.failed) == (2, ())


def test_samples_of_several_groups_are_told_by_cell_or_by_group(
    contract: Contract, tmp_path: Path
) -> None:
    lines = line(operation="one.passthrough") + line(group="one", session=7, step=0)
    results = check_samples(contract, write(tmp_path, lines), {"one.passthrough": OPERATION})
    assert (results.checked, results.failed) == (2, ())


@pytest.mark.parametrize(
    ("named", "deviated"), [("PT-7", 1), ("PT-*", 2), ("PT-8", 1), ("TR-*", 0)]
)
def test_a_sample_that_deviates_as_declared_is_counted_and_no_failure(
    contract: Contract, tmp_path: Path, named: str, deviated: int
) -> None:
    path = write(tmp_path, line() + line(status=502) + line(headers=[]))
    results = check_samples(contract, path, ONE, deviates=[named])
    assert (results.checked, results.deviated) == (3, deviated)
    assert len(results.failed) == 2 - deviated


def test_samples_behind_a_window_are_left_out(contract: Contract, tmp_path: Path) -> None:
    late = line(status=502, at_ns=2_000_000_000)
    path = write(tmp_path, line() + late)
    results = check_samples(contract, path, ONE, before_ns=2_000_000_000)
    assert (results.checked, results.failed) == (1, ())
    assert len(check_samples(contract, path, ONE).failed) == 1


@pytest.mark.parametrize(
    ("changes", "failure"),
    [
        ({"status": 502}, "PT-7: passthrough at 1.500 s: the status is 502, not 200"),
        ({"sent": SENT[:-1]}, "PT-7: passthrough at 1.500 s: the body's size is 1023, not 1024"),
        ({"sent": SENT.replace("0123", "0132")}, "PT-7: passthrough at 1.500 s: the body is "),
        ({"body": "", "truncated": False}, "PT-7: passthrough at 1.500 s: the kept body is cut"),
        ({"headers": []}, "PT-8: passthrough at 1.500 s: Content-Type is [], not "),
        ({"operation": "other"}, "samples.ndjson:1: unknown operation 'other'"),
        ({"status": "ok"}, "samples.ndjson:1: not a sample: status: "),
        ({"body": "%"}, "samples.ndjson:1: "),
    ],
)
def test_a_sample_that_does_not_hold_is_named(
    contract: Contract, tmp_path: Path, changes: dict[str, Any], failure: str
) -> None:
    results = check_samples(contract, write(tmp_path, line(**changes) + line()), ONE)
    assert results.checked == 2
    assert len(results.failed) == 1
    assert results.failed[0].startswith(failure)


def test_documents_that_are_their_requests_hold(contract: Contract, tmp_path: Path) -> None:
    shown = DOCUMENT.replace("0123456789", "&#48;123456789").replace("root>", "root >")
    cut = [
        document_line(body=base64.b64encode(DOCUMENT[:size].encode()).decode(), truncated=True)
        for size in (0, 3, 40, 60, len(DOCUMENT) - 1)
    ]
    data = b"".join([document_line(), document_line(sent=shown), *cut])
    results = check_samples(contract, write(tmp_path, data), BOTH)
    assert (results.checked, results.failed) == (7, ())


@pytest.mark.parametrize(
    ("changes", "failure"),
    [
        ({"status": 400}, "TR-6: transform at 1.500 s: the status is 400, not 200"),
        (
            {"sent": DOCUMENT.replace("0123", "0132")},
            "TR-6: transform at 1.500 s: piece 6 is '0132456789'",
        ),
        ({"sent": DOCUMENT[:-1]}, "TR-6: transform at 1.500 s: NotXml: unclosed token"),
        ({"sent": TRANSFORM.body}, "TR-6: transform at 1.500 s: NotXml: "),
        ({"sent": ""}, "TR-6: transform at 1.500 s: NotXml: no element found"),
        ({"body_bytes": 86}, "TR-6: transform at 1.500 s: the kept body's size is 85, not 86"),
        (
            {"sent": DOCUMENT[:60].replace("50B", "60B"), "truncated": True},
            "TR-6: transform at 1.500 s: the document begins otherwise",
        ),
        ({"headers": []}, "TR-2: transform at 1.500 s: Content-Type is [], not "),
    ],
)
def test_a_document_that_is_not_its_request_is_named(
    contract: Contract, tmp_path: Path, changes: dict[str, Any], failure: str
) -> None:
    data = document_line(**changes) + line() + document_line()
    results = check_samples(contract, write(tmp_path, data), BOTH)
    assert results.checked == 3
    assert len(results.failed) == 1
    assert results.failed[0].startswith(failure)


def test_a_line_that_is_no_json_fails(contract: Contract, tmp_path: Path) -> None:
    results = check_samples(contract, write(tmp_path, b"[]\n{\n" + line()), ONE)
    assert results.checked == 3
    assert [failure.split(" ")[0] for failure in results.failed] == [
        "samples.ndjson:1:",
        "samples.ndjson:2:",
    ]


@given(st.integers(1, len(line()) - 1))
def test_a_torn_last_line_is_left_out(contract: Contract, length: int) -> None:
    with TemporaryDirectory() as name:
        path = write(Path(name), line() + line()[:length])
        results = check_samples(contract, path, ONE)
    assert (results.checked, results.failed) == (1, ())


def test_a_file_that_is_missing_is_named(contract: Contract, tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"samples\.ndjson: cannot be read"):
        check_samples(contract, tmp_path / "samples.ndjson", ONE)


def test_a_sample_check_that_breaks_is_no_failure_of_the_service(
    contract: Contract, tmp_path: Path
) -> None:
    @sample_check("A-1", "it breaks", operation="transform")
    def breaks(sample: Sample) -> None:
        raise KeyError(sample.status)

    broken = Contract(contract.checks, (*contract.sample_checks, breaks))
    assert check_samples(broken, write(tmp_path, line()), ONE).failed == ()
    path = write(tmp_path, line() + document_line())
    with pytest.raises(StepFailed, match=r"error in the check .*_samples\.py:\d+: KeyError: 200$"):
        check_samples(broken, path, BOTH)
