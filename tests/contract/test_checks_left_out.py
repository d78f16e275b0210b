"""Checks that are about other protocols or operations than a service has."""

import pytest

from loadstone.contract.declare import check
from loadstone.contract.expect import expect_equal
from loadstone.contract.model import Contract, Spoken
from loadstone.contract.run import run_checks
from loadstone.contract.subject import Subject
from loadstone.study.values.model import Protocol


@pytest.mark.parametrize(
    ("client", "wanted"),
    [
        (Protocol.H1C, ["every", "http/1.1"]),
        (Protocol.H1, ["every", "http/1.1", "tls"]),
        (Protocol.H2C, ["every", "http/2", "these"]),
        (Protocol.H2, ["every", "http/2", "tls", "these"]),
        (Protocol.H2_DOWNGRADE, ["every", "http/1.1", "tls"]),
    ],
)
def test_a_check_that_is_about_other_protocols_is_left_out(
    client: Protocol, wanted: list[str]
) -> None:
    def nothing(subject: Subject) -> None: ...

    conditions: dict[str, Spoken] = {
        "every": None,
        "http/1.1": "http/1.1",
        "http/2": "http/2",
        "tls": "tls",
        "these": (Protocol.H2C, Protocol.H2),
    }
    checks = [check("A-1", name, client=about)(nothing) for name, about in conditions.items()]
    checks.append(check("A-1", "other upstream", upstream="http/2")(nothing))
    results = run_checks(
        Contract(tuple(checks), ()),
        f"{client.scheme}://127.0.0.1:1",
        None,
        quick_only=False,
        budget_seconds=None,
        legs={"client": client},
    )
    assert [result.title for result in results] == wanted


def test_a_check_about_an_operation_that_the_service_leaves_out_is_left_out() -> None:
    def nothing(subject: Subject) -> None: ...

    checks = (check("A-1", "a", operation="a")(nothing), check("A-1", "b", operation="b")(nothing))
    url = "http://127.0.0.1:1"
    for operations, wanted in ((None, 2), (("a",), 1), ((), 0)):
        results = run_checks(
            Contract(checks, ()),
            url,
            None,
            quick_only=False,
            budget_seconds=None,
            operations=operations,
        )
        assert len(results) == wanted


def test_a_check_knows_which_operations_the_service_leaves_out() -> None:
    def has_only_a(subject: Subject) -> None:
        expect_equal([subject.offers(each) for each in "ab"], [True, False], "what is offered")

    checks = (check("A-1", "one")(has_only_a),)
    for operations, state in ((("a",), "passed"), (None, "failed")):
        (result,) = run_checks(
            Contract(checks, ()),
            "http://127.0.0.1:1",
            None,
            quick_only=False,
            budget_seconds=None,
            operations=operations,
        )
        assert result.state == state


def test_a_check_about_no_protocol_is_refused() -> None:
    with pytest.raises(ValueError, match="never held"):
        check("A-1", "none", client=())
