from pathlib import Path

import pytest

from loadstone.contract.load import load_contract
from loadstone.errors import InputError

CHECK = """
from loadstone.contract.declare import check, sample_check

@check("A-{n}", "title {n}", quick=True)
def one(subject): ...

@sample_check("A-{n}", "title {n}")
def two(sample): ...
"""


def test_checks_come_by_file_and_by_line(tmp_path: Path) -> None:
    for name, number in (("b_checks.py", 2), ("a_checks.py", 1)):
        (tmp_path / name).write_text(CHECK.replace("{n}", str(number)))
    (tmp_path / "other.py").write_text("raise SystemError")
    contract = load_contract(tmp_path)
    assert [(check.clause, check.title, check.quick) for check in contract.checks] == [
        ("A-1", "title 1", True),
        ("A-2", "title 2", True),
    ]
    assert [check.clause for check in contract.sample_checks] == ["A-1", "A-2"]


def test_two_systems_may_name_their_files_alike(tmp_path: Path) -> None:
    for system in ("one", "two"):
        (tmp_path / system).mkdir()
        (tmp_path / system / "a_checks.py").write_text(CHECK.replace("{n}", system))
    clauses = [load_contract(tmp_path / system).checks[0].clause for system in ("one", "two")]
    assert clauses == ["A-one", "A-two"]


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("import no_such_module", "ModuleNotFoundError: No module named 'no_such_module'"),
        ("x = 1\ndef (", "a_checks.py:2: SyntaxError"),
        (
            CHECK.replace("quick=True", "quick=True, needs_upstream=True"),
            "ValueError: A-{n}: a quick",
        ),
        ("x = 1", "no check is declared"),
    ],
)
def test_a_wrong_file_is_named(tmp_path: Path, text: str, message: str) -> None:
    (tmp_path / "a_checks.py").write_text(text)
    with pytest.raises(InputError) as raised:
        load_contract(tmp_path)
    assert str(raised.value).startswith(str(tmp_path))
    assert message in str(raised.value)


def test_a_folder_without_checks_is_refused(tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"no \*_checks\.py here"):
        load_contract(tmp_path / "missing")
