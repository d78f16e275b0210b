"""What a study would find of control groups, told without changing them."""

import os
from pathlib import Path

import pytest

from loadstone.deploy.confinement.choose import choose, own_groups_here
from loadstone.deploy.confinement.outlook import outlook
from loadstone.deploy.confinement.own_group import UNIFIED


def group(folder: Path, files: dict[str, str]) -> Path:
    folder.mkdir(parents=True, exist_ok=True)
    for name, text in files.items():
        (folder / name).write_text(text + "\n")
    return folder


def version2(folder: Path, **files: str) -> Path:
    names = {name.replace("_", ".", 1): text for name, text in files.items()}
    offered = {"cgroup.controllers": "cpu memory pids", "cgroup.subtree_control": ""}
    return group(folder, {**offered, **names})


def version1(folder: Path) -> dict[str, Path]:
    return {name: group(folder / name, {}) for name in ("cpu", "cpuacct", "memory")}


def test_it_tells_what_a_study_really_finds_here_and_leaves_nothing() -> None:
    own = own_groups_here()
    before = {path: set(path.glob("loadstone-*")) for path in own.values()}
    found = outlook(own)
    assert {path: set(path.glob("loadstone-*")) for path in own.values()} == before
    if found.isolation == "cgroup v2":
        pytest.skip("choosing would move this process into a group of its own")
    assert found.isolation == choose(own).isolation


def test_a_delegated_group_of_version_2_is_the_way(tmp_path: Path) -> None:
    own = version2(tmp_path, cgroup_subtree_control="cpu memory")
    found = outlook({UNIFIED: own})
    assert found.isolation == "cgroup v2"
    assert [each.controller for each in found.controllers] == ["cpu", "memory"]
    assert found.reason is None


def test_a_group_with_the_lab_alone_in_it_can_be_delegated_and_is_not_touched(
    tmp_path: Path,
) -> None:
    own = version2(tmp_path, cgroup_type="domain", cgroup_procs=str(os.getpid()))
    assert outlook({UNIFIED: own}).isolation == "cgroup v2"
    assert (own / "cgroup.subtree_control").read_text() == "\n"
    assert [path for path in own.iterdir() if path.is_dir()] == []


def test_a_group_with_others_in_it_cannot_be_used_and_the_remedy_is_named(tmp_path: Path) -> None:
    own = version2(tmp_path, cgroup_type="domain", cgroup_procs=f"1\n{os.getpid()}")
    found = outlook({UNIFIED: own})
    assert found.isolation == "affinity and rlimits"
    assert "other processes" in (found.reason or "")
    assert "Delegate=yes" in (found.remedy or "")
    assert {each.reason for each in found.controllers} == {"not mounted here"}


def test_version_1_stands_in_where_version_2_has_no_controllers(tmp_path: Path) -> None:
    unified = version2(tmp_path / "unified", cgroup_controllers="")
    found = outlook({UNIFIED: unified, **version1(tmp_path)})
    assert found.isolation == "cgroup v1"
    assert all(each.reason is None for each in found.controllers)
    assert "has no controller cpu, memory" in (found.reason or "")
    assert [path.name for path in (tmp_path / "cpu").iterdir()] == []


def test_a_controller_of_version_1_where_no_group_can_be_made_is_named(tmp_path: Path) -> None:
    own = version1(tmp_path)
    own["memory"] = tmp_path / "absent"
    found = outlook(own)
    assert found.isolation == "affinity and rlimits"
    assert [each.controller for each in found.controllers if each.reason] == ["memory"]


def test_without_any_control_group_that_is_said() -> None:
    found = outlook({})
    assert found.isolation == "affinity and rlimits"
    assert found.own_cpus is None
    assert found.own_memory_bytes is None


def test_the_tightest_limit_on_the_way_up_is_the_labs_own(tmp_path: Path) -> None:
    group(tmp_path, {"cpu.max": "50000 100000", "memory.max": "1073741824"})
    own = version2(tmp_path / "lab", cpu_max="max 100000", memory_max="max")
    found = outlook({UNIFIED: own})
    assert found.own_cpus == 0.5
    assert found.own_memory_bytes == 1 << 30


def test_limits_of_version_1_are_read_and_no_limit_is_none(tmp_path: Path) -> None:
    own = version1(tmp_path)
    group(own["cpu"], {"cpu.cfs_quota_us": "200000", "cpu.cfs_period_us": "100000"})
    group(own["memory"], {"memory.limit_in_bytes": "9223372036854771712"})
    found = outlook(own)
    assert found.own_cpus == 2
    assert found.own_memory_bytes is None
    group(own["cpu"], {"cpu.cfs_quota_us": "-1"})
    assert outlook(own).own_cpus is None
