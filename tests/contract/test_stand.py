"""What a check may do to the parts around a service, and that nothing of it is left behind it."""

from collections.abc import Iterator, Mapping
from contextlib import contextmanager

import pytest

from loadstone.contract.declare import check
from loadstone.contract.model import CheckResult, Contract, ContractCheck
from loadstone.contract.run import run_checks
from loadstone.contract.stand import Hand, HandFailed, RefusedStart, Restarted, ServiceProcess
from loadstone.contract.subject import Subject
from loadstone.errors import StepFailed


class Around:
    """Surroundings that write down what is asked of them."""

    def __init__(self, *, comes_back: bool = True) -> None:
        self.asked: list[str] = []
        self._comes_back = comes_back

    @property
    def process(self) -> ServiceProcess:
        raise AssertionError("no check here looks at the process")

    def dependency(self, name: str) -> Hand:
        self.asked.append(f"hand on {name}")
        raise HandFailed(f"{name} does not stop")

    @contextmanager
    def restarted(self, variables: Mapping[str, str], *, unready: bool) -> Iterator[Restarted]:
        self.asked.append(f"start with {dict(variables)}")
        raise AssertionError("it ended before it answered")
        yield

    def refused_start(self, variables: Mapping[str, str]) -> RefusedStart:
        self.asked.append(f"refuse {dict(variables)}")
        return RefusedStart(2, "", "service: PORT must be a number")

    def restore(self) -> None:
        self.asked.append("restore")
        if not self._comes_back:
            raise StepFailed("check", "database could not be brought back behind a check")


def hold(function: ContractCheck, around: Around | None) -> CheckResult:
    (result,) = run_checks(
        Contract((function,), ()),
        "http://127.0.0.1:9",
        None,
        quick_only=False,
        budget_seconds=None,
        around=around,
    )
    return result


@check("A-1", "it refuses a wrong port", needs_stand=True)
def refuses(subject: Subject) -> None:
    assert subject.stand.refused_start({"PORT": "x"}).exit_code == 2


@check("A-2", "it starts with a pool of one", needs_stand=True)
def starts(subject: Subject) -> None:
    with subject.stand.restarted({"POOL_SIZE": "1"}):
        pass


@check("A-3", "it bears that its database stops", needs_stand=True)
def stops(subject: Subject) -> None:
    subject.stand.dependency("database").stop()


@check("A-4", "it takes the stand without a word")
def undeclared(subject: Subject) -> None:
    assert subject.stand.process


def test_what_a_check_left_is_restored_behind_it() -> None:
    around = Around()
    assert hold(refuses, around).state == "passed"
    assert around.asked == ["refuse {'PORT': 'x'}", "restore"]


def test_a_service_that_does_not_start_with_other_variables_fails_the_check() -> None:
    around = Around()
    result = hold(starts, around)
    assert (result.state, result.message) == ("failed", "it ended before it answered")
    assert around.asked == ["start with {'POOL_SIZE': '1'}", "restore"]


def test_a_dependency_that_does_not_obey_is_no_finding_about_the_service() -> None:
    around = Around()
    result = hold(stops, around)
    assert result.state == "error"
    assert "database does not stop" in result.message
    assert around.asked[-1] == "restore"


def test_what_cannot_be_restored_ends_the_contract() -> None:
    with pytest.raises(StepFailed, match="could not be brought back"):
        hold(refuses, Around(comes_back=False))


def test_where_nothing_stands_around_the_service_the_check_is_skipped() -> None:
    result = hold(refuses, None)
    assert (result.state, result.message) == ("skipped", "it needs the parts around the service")


def test_a_check_that_does_not_declare_it_has_no_stand() -> None:
    around = Around()
    result = hold(undeclared, around)
    assert result.state == "error"
    assert "is not declared to need it" in result.message
    assert around.asked == []


@pytest.mark.parametrize("needs", [{"needs_stand": True}, {"service": "country"}])
def test_a_quick_check_is_about_the_entry_alone(needs: dict[str, object]) -> None:
    with pytest.raises(ValueError, match="quick"):
        check("A-5", "it is quick", quick=True, **needs)  # type: ignore[arg-type]
