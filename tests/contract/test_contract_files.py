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


HELPED = """
from loadstone.contract.declare import check

from .lib.naming import clause

@check(clause(), "it is named by a helper")
def one(subject): ...
"""


def write_helped(system: Path, helper: str) -> Path:
    (system / "lib").mkdir(parents=True)
    (system / "lib" / "naming.py").write_text(helper)
    (system / "a_checks.py").write_text(HELPED)
    return system


def clause_of(text: str) -> str:
    return f'def clause():\n    return "{text}"\n'


def test_two_systems_may_name_their_helpers_alike(tmp_path: Path) -> None:
    systems = [write_helped(tmp_path / name, clause_of(f"A-{name}")) for name in ("one", "two")]
    assert [load_contract(system).checks[0].clause for system in systems] == ["A-one", "A-two"]


def test_helpers_may_use_each_other_and_are_imported_late_too(tmp_path: Path) -> None:
    system = write_helped(tmp_path / "one", "from .numbers import first as clause\n")
    (system / "lib" / "numbers.py").write_text(clause_of("A-1").replace("clause", "first"))
    (system / "b_checks.py").write_text(
        HELPED.replace("clause(),", '"A-2",').replace("...", "from .lib import naming")
    )
    one, late = load_contract(system).checks
    assert (one.clause, late.clause) == ("A-1", "A-2")
    late.function(None)  # type: ignore[arg-type]


def test_a_helper_that_changed_is_read_anew(tmp_path: Path) -> None:
    system = write_helped(tmp_path / "one", clause_of("A-1"))
    assert load_contract(system).checks[0].clause == "A-1"
    (system / "lib" / "naming.py").write_text(clause_of("A-other"))
    assert load_contract(system).checks[0].clause == "A-other"


@pytest.mark.parametrize(
    ("helper", "place", "message"),
    [
        ("x = 1\ndef (", "lib/naming.py:2", "SyntaxError: "),
        ("\nraise KeyError('a')", "lib/naming.py:2", "KeyError: 'a'"),
        ("def clause():\n    return {}[1]", "lib/naming.py:2", "KeyError: 1"),
        ("import no_such_module", "lib/naming.py:1", "No module named 'no_such_module'"),
        ("from .gone import x", "lib/naming.py:1", "No module named 'one.lib.gone'"),
        ("clauses = 1", "a_checks.py:4", "cannot import name 'clause' from 'one.lib.naming'"),
        ("def clause(x): ...", "a_checks.py:6", "TypeError: clause() missing 1 required"),
    ],
)
def test_a_broken_helper_is_named_with_its_line(
    tmp_path: Path, helper: str, place: str, message: str
) -> None:
    system = write_helped(tmp_path / "one", helper)
    with pytest.raises(InputError) as raised:
        load_contract(system)
    assert str(raised.value).startswith(f"{system / place}: ")
    assert message in str(raised.value)


def test_a_check_that_another_file_imports_is_held_once(tmp_path: Path) -> None:
    (tmp_path / "a_checks.py").write_text(CHECK.replace("{n}", "1"))
    (tmp_path / "b_checks.py").write_text("from .a_checks import one")
    assert [check.clause for check in load_contract(tmp_path).checks] == ["A-1"]


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
