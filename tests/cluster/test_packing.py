"""What of several roots goes to a machine: one root, in which the nearer one's entries win."""

from pathlib import Path

import pytest

from loadstone.cluster.packing import pack_roots, unpack
from loadstone.errors import LoadstoneError
from loadstone.study.systems.catalogue import Catalogue
from loadstone.study.systems.roots import own_root


def written(path: Path, text: str = "") -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text)
    return path


def a_root(folder: Path, *systems: str) -> Path:
    """A root with systems of one stack each, and a runtime and a study named as its folder."""
    written(folder / "loadstone.yaml", "format: 1\n")
    written(folder / "runtimes" / f"{folder.name}.yaml", folder.name)
    written(folder / "studies" / f"{folder.name}.yaml", folder.name)
    for system in systems:
        written(folder / "systems" / system / "system.yaml", folder.name)
        stack = folder / "systems" / system / "service" / "go"
        written(stack / "stack.yaml", folder.name)
        written(stack / "main.go", folder.name)
    return folder


def arrived(roots: tuple[Path, ...], folder: Path) -> Path:
    archive = folder / "packed.tar.gz"
    archive.write_bytes(pack_roots(roots))
    unpack(archive, folder / "there")
    return folder / "there"


def test_all_roots_arrive_as_one(tmp_path: Path) -> None:
    own, shipped = a_root(tmp_path / "own", "billing"), a_root(tmp_path / "shipped", "gateways")
    there = arrived((own, shipped), tmp_path)
    assert own_root(there, environment={}) == there.resolve()
    catalogue = Catalogue(there)
    assert catalogue.systems() == ("billing", "gateways")
    assert catalogue.runtimes() == catalogue.studies() == ("own", "shipped")
    assert (there / "systems/gateways/service/go/main.go").read_text() == "shipped"


def test_of_two_systems_of_one_name_the_nearer_root_s_goes_whole(tmp_path: Path) -> None:
    own, shipped = a_root(tmp_path / "own", "gateways"), a_root(tmp_path / "shipped", "gateways")
    written(shipped / "systems/gateways/service/rust/stack.yaml", "shipped")
    there = arrived((own, shipped), tmp_path)
    files = {path for path in (there / "systems").rglob("*") if path.is_file()}
    assert {path.read_text() for path in files} == {"own"}
    assert not (there / "systems/gateways/service/rust").exists()


def test_what_builds_made_stays_and_what_links_lead_to_goes(tmp_path: Path) -> None:
    own = a_root(tmp_path / "own", "gateways")
    stack = own / "systems/gateways/service/go"
    written(stack / "node_modules/pad/index.js", "made")
    (stack / "shared").symlink_to(written(tmp_path / "elsewhere/lib.go", "linked").parent)
    (stack / "again").symlink_to(stack)
    (stack / "gone").symlink_to(tmp_path / "nothing")
    there = arrived((own,), tmp_path) / "systems/gateways/service/go"
    assert {path.name for path in there.iterdir()} == {"stack.yaml", "main.go", "shared"}
    assert (there / "shared/lib.go").read_text() == "linked"
    assert not (there / "shared").is_symlink()


def test_half_an_archive_leaves_no_folder(tmp_path: Path) -> None:
    archive = tmp_path / "packed.tar.gz"
    archive.write_bytes(pack_roots((a_root(tmp_path / "own", "gateways"),))[:-30])
    with pytest.raises(LoadstoneError, match=r"packed.tar.gz cannot be unpacked"):
        unpack(archive, tmp_path / "there")
    assert not (tmp_path / "there").exists()
