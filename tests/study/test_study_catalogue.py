"""Finding the root, and what is below it."""

from pathlib import Path

import pytest
from small_lab import SmallLab

from loadstone.errors import InputError
from loadstone.study.systems.catalogue import open_catalogue


def test_the_root_is_the_nearest_folder_above(lab: SmallLab) -> None:
    inside = lab.root / "systems/shop/gateway"
    assert open_catalogue(inside, {}).root == lab.root.resolve()


def test_the_variable_overrides_where_one_stands(lab: SmallLab, tmp_path: Path) -> None:
    found = open_catalogue(Path("/"), {"LOADSTONE_ROOT": str(lab.root)})
    assert found.root == lab.root.resolve()


def test_elsewhere_the_checkout_of_the_package_is_taken(tmp_path: Path) -> None:
    root = open_catalogue(tmp_path, {}).root
    assert (root / "python/loadstone/study/systems/catalogue.py").is_file()


def test_a_variable_that_names_no_root_is_refused(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="LOADSTONE_ROOT names it") as caught:
        open_catalogue(tmp_path, {"LOADSTONE_ROOT": str(tmp_path)})
    assert caught.value.path == tmp_path


def test_names_are_sorted_and_come_from_the_folders(lab: SmallLab) -> None:
    (lab.root / "systems/shop/gateway/empty").mkdir()
    assert lab.catalogue.systems() == ("shop",)
    assert lab.catalogue.workloads("shop") == ("busy", "steady")
    assert lab.catalogue.stack_names("shop", "gateway") == ("go", "node")
    assert [
        each.stack for each in lab.catalogue.stacks(lab.catalogue.system("shop"), "gateway")
    ] == ["go", "node"]
    assert lab.catalogue.runtimes() == ("go", "node")


def test_an_unknown_name_is_refused_with_the_known_ones(lab: SmallLab) -> None:
    for find in (
        lambda: lab.catalogue.system("../shop"),
        lambda: lab.catalogue.workload("shop", "../busy"),
        lambda: lab.catalogue.stack(lab.catalogue.system("shop"), "gateway", "rust"),
        lambda: lab.catalogue.runtime("deno"),
    ):
        with pytest.raises(InputError, match="unknown") as caught:
            find()
        assert "known: " in (caught.value.remedy or "")


def test_a_broken_stack_does_not_hinder_another(lab: SmallLab) -> None:
    lab.write("systems/shop/gateway/node/stack.yaml", "[")
    assert lab.catalogue.stack(lab.catalogue.system("shop"), "gateway", "go").stack == "go"
