"""Which files are the lab's own code."""

from pathlib import Path

import pytest

import loadstone
from loadstone.results import lab_code as lab_code_module
from loadstone.results.lab_code import lab_code


def test_in_a_checkout_it_is_every_python_file_of_the_package() -> None:
    assert lab_code() == tuple(sorted(Path(loadstone.__file__).resolve().parent.rglob("*.py")))


def test_what_a_wheel_installs_beside_it_is_not_of_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("study/plan.py", "__init__.py", "shipped/systems/shop/contract/buy_checks.py"):
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).touch()
    monkeypatch.setattr(lab_code_module, "INSTALLED", tmp_path / "shipped")
    assert lab_code() == (tmp_path / "__init__.py", tmp_path / "study" / "plan.py")
