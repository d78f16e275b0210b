"""What belongs to a build: the copy and the digest are of the same sources."""

import os
import shutil
import socket
from collections.abc import Callable
from pathlib import Path

import pytest

from loadstone.deploy.sources import copy, digest, sources
from loadstone.errors import StepFailed


def written(path: Path, text: str = "text") -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text)
    return path


def tree(directory: Path, *files: str) -> Path:
    for name in files:
        written(directory / name)
    return directory


def names(directory: Path) -> list[str]:
    return sorted(str(path.relative_to(directory)) for path in directory.rglob("*"))


def test_only_the_top_of_a_stack_has_outputs_of_builds_and_any_folder_has_caches(
    tmp_path: Path,
) -> None:
    kept = (
        "src/bin/main.rs",
        "src/target/mod.rs",
        "lib/node_modules/own/index.js",
        "venv/.venv/pyvenv.cfg",
    )
    left_out = (
        "bin/gateway",
        "target/debug/main",
        "node_modules/express/index.js",
        ".venv/bin/python",
        "__pycache__/main.pyc",
        "gateway/inner/__pycache__/main.pyc",
        "gateway/.mypy_cache/x",
        "gateway/.pytest_cache/x",
        "gateway/.ruff_cache/x",
    )
    own = tree(tmp_path / "own", *kept, "gateway/inner/main.py")
    before = digest(own)
    tree(own, *left_out)
    assert digest(own) == before
    copy(own, tmp_path / "copy")
    found = names(tmp_path / "copy")
    assert set(kept) <= set(found)
    assert not set(left_out) & set(found)
    assert [source.name for source in sources(own)] == found


def test_a_file_that_is_called_like_an_output_is_a_source(tmp_path: Path) -> None:
    own = tree(tmp_path / "own", "target", "bin")
    copy(own, tmp_path / "copy")
    assert names(tmp_path / "copy") == ["bin", "target"]


def add_executable_bit(own: Path) -> None:
    (own / "start.sh").chmod(0o755)


def change_content(own: Path) -> None:
    (own / "start.sh").write_text("other")


def rename(own: Path) -> None:
    (own / "start.sh").rename(own / "begin.sh")


def add_empty_folder(own: Path) -> None:
    (own / "logs").mkdir()


def change_deep_source(own: Path) -> None:
    (own / "src" / "bin" / "main.rs").write_text("other")


def replace_by_folder(own: Path) -> None:
    (own / "start.sh").unlink()
    (own / "start.sh").mkdir()


def change_behind_linked_file(own: Path) -> None:
    (own.parent / "shared" / "part.txt").write_text("other")


def change_behind_linked_folder(own: Path) -> None:
    (own.parent / "shared" / "folder" / "part.txt").write_text("other")


@pytest.mark.parametrize(
    "change",
    [
        add_executable_bit,
        change_content,
        rename,
        add_empty_folder,
        change_deep_source,
        replace_by_folder,
        change_behind_linked_file,
        change_behind_linked_folder,
    ],
)
def test_another_tree_is_another_digest_and_the_same_again_the_first(
    tmp_path: Path, change: Callable[[Path], None]
) -> None:
    shared = tree(tmp_path / "shared", "part.txt", "folder/part.txt")
    own = tree(tmp_path / "own", "start.sh", "src/bin/main.rs")
    (own / "part.txt").symlink_to(shared / "part.txt")
    (own / "folder").symlink_to("../shared/folder")
    before = digest(own)
    again = tmp_path / "again"
    shutil.copytree(own, again)
    assert digest(again) == before
    change(own)
    assert digest(own) != before


def test_names_and_contents_cannot_be_taken_for_each_other(tmp_path: Path) -> None:
    trees = [tmp_path / name for name in ("one", "two", "three", "four")]
    written(trees[0] / "a", "b\nc")
    written(trees[1] / "a\nb", "c")
    written(trees[2] / "a", "b")
    written(trees[2] / "b", "c")
    written(trees[3] / os.fsdecode(b"a\xff"), "b\nc")
    assert len({digest(each) for each in trees}) == len(trees)


def test_the_copy_stands_alone_and_keeps_executable_bits(tmp_path: Path) -> None:
    shared = written(tmp_path / "shared.sh", "echo shared")
    shared.chmod(0o755)
    own = tree(tmp_path / "own", "empty/.keep")
    (own / "empty" / ".keep").unlink()
    (own / "start.sh").symlink_to(shared)
    copy(own, tmp_path / "copy")
    copied = tmp_path / "copy" / "start.sh"
    assert not copied.is_symlink()
    assert copied.read_text() == "echo shared"
    assert os.access(copied, os.X_OK)
    assert (tmp_path / "copy" / "empty").is_dir()
    assert digest(tmp_path / "copy") == digest(own)


@pytest.mark.parametrize("target", ["..", "nowhere", "link", "/dev/zero"])
def test_a_link_that_cannot_be_followed_has_a_digest_and_fails_the_copy_by_name(
    tmp_path: Path, target: str
) -> None:
    own = tree(tmp_path / "own", "src/main.rs")
    before = digest(own)
    (own / "src" / "link").symlink_to(target)
    assert digest(own) != before
    with pytest.raises(StepFailed, match=r"cannot be copied to .*/src/link: ") as failure:
        copy(own, tmp_path / "copy")
    assert failure.value.step == "build"


def test_a_pipe_is_not_waited_for(tmp_path: Path) -> None:
    own = tree(tmp_path / "own", "main.rs")
    os.mkfifo(own / "pipe")
    digest(own)
    with pytest.raises(StepFailed, match="neither file nor folder"):
        copy(own, tmp_path / "copy")


def test_a_project_keeps_its_programs_and_leaves_out_what_is_not_its_own(tmp_path: Path) -> None:
    kept = (
        *("bin/www", "src/main.rs", "src/target/mod.rs", "web/index.js"),
        *("loadstone/index.js", "plan.json/x"),
    )
    left_out = (
        ".git/HEAD",
        "node_modules/express/index.js",
        "web/node_modules/vue/index.js",
        "target/debug/main",
        ".venv/bin/python",
        "env/pyvenv.cfg",
        "env/bin/python",
        "lab/loadstone.yaml",
        "lab/.loadstone/builds/x",
        "results/again-1/plan.json",
        "results/again-1/runs/001/run.json",
        "src/__pycache__/main.pyc",
    )
    own = tree(tmp_path / "own", *kept)
    before = digest(own, is_project=True)
    tree(own, *left_out)
    assert digest(own, is_project=True) == before
    copy(own, tmp_path / "copy", is_project=True)
    found = set(names(tmp_path / "copy"))
    assert set(kept) <= found
    assert not set(left_out) & found
    written(own / "bin" / "www", "other")
    assert digest(own, is_project=True) != before


def test_the_file_of_a_further_worktree_is_no_source(tmp_path: Path) -> None:
    own = tree(tmp_path / "own", "main.rs")
    before = digest(own, is_project=True)
    written(own / ".git", "gitdir: elsewhere")
    assert digest(own, is_project=True) == before


def test_a_project_may_hold_links_that_lead_nowhere_and_what_is_listened_at(tmp_path: Path) -> None:
    own = tmp_path / "own"
    written(own / "main.go", "package main")
    (own / "gone").symlink_to("nowhere")
    (own / "round").symlink_to(".")
    os.mkfifo(own / "pipe")
    with socket.socket(socket.AF_UNIX) as listener:
        listener.bind(str(own / "socket"))
        copy(own, tmp_path / "copy", is_project=True)
    made = tmp_path / "copy"
    assert {path.name for path in made.iterdir()} == {"main.go", "gone", "round"}
    assert (made / "gone").readlink() == Path("nowhere")
    assert (made / "round").readlink() == Path()
