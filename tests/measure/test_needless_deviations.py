"""A declared deviation that holds is an error, unless it is of some versions alone."""

import pytest

from loadstone.contract.model import CheckResult
from loadstone.errors import ExitCode
from loadstone.measure.prepare.whole_contract import HeldContract
from loadstone.study.values.held_to import Deviation


@pytest.mark.parametrize(
    ("versions", "code"), [(None, ExitCode.DOES_NOT_HOLD), ("before 2.8", ExitCode.OK)]
)
def test_a_deviation_that_holds(versions: str | None, code: ExitCode) -> None:
    deviation = Deviation(clause="PT-18", reason="it ends in order", versions=versions)
    passed = CheckResult(clause="PT-18", title="it is told", state="passed")
    held = HeldContract((passed,), (deviation,))
    assert held.exit_code == code
    assert held.needless == (() if versions else (deviation,))
    assert deviation.why.endswith("it ends in order")
