"""A stack from a revision of its repository: which commit it is, what it lacks, and what is refused."""

import tempfile
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from small_lab import STACK, SmallLab

from loadstone.errors import InputError, Unavailable
from loadstone.results import folder
from loadstone.study.design.resolve import resolve_plan
from loadstone.study.systems.catalogue import Catalogue
from loadstone.study.systems.checkout import OF_RESULTS, digest_of_changes
from loadstone.study.values.checkout import Checkout
from loadstone.study.values.manifest import Stack
from loadstone.study.values.service_choice import StackChoice
from repository import Repository

MANIFEST = "systems/shop/gateway/go/stack.yaml"


@pytest.fixture
def repository(lab: SmallLab, monkeypatch: pytest.MonkeyPatch) -> Repository:
    """The lab's root: `main` has its files, and `faster`, which is checked out, has another build."""
    monkeypatch.setenv("GIT_CONFIG_GLOBAL", "/dev/null")
    monkeypatch.setenv("GIT_CONFIG_NOSYSTEM", "1")
    found = Repository(lab.root)
    found.write(".gitignore", "ignored\n/studies/\n")
    found.write("runtimes/unused.yaml", "no runtime\n")
    found.commit("first")
    found.git("switch", "--quiet", "--create", "faster")
    lab.change(MANIFEST, "build: make", "build: make fast")
    found.commit("faster")
    return found


def stacks_of(lab: SmallLab, *levels: str) -> dict[str, Stack]:
    """Return the stacks that are built for these levels, by label."""
    study = lab.root / "studies/which.yaml"
    before = study.read_text()
    resolved = resolve_plan(lab.study("[go, node]", f"[{', '.join(levels)}]"), lab.catalogue)
    study.write_text(before)
    for choice in resolved.choices:
        assert isinstance(choice, StackChoice)
    plan = type(resolved.plan).model_validate_json(resolved.plan.model_dump_json())
    assert plan == resolved.plan
    return {choice.label: stack for choice, stack in resolved.stacks.items()}


def level(revision: str, label: str = "it") -> str:
    return f"{{label: {label}, git: '{revision}', stack: go}}"


def checkout_of(lab: SmallLab, revision: str) -> Checkout:
    found = stacks_of(lab, level(revision), "node")["it"].checkout
    assert found is not None
    return found


def test_a_branch_and_head_are_two_commits_of_one_stack_with_their_own_manifests(
    lab: SmallLab, repository: Repository
) -> None:
    before = repository.state()
    found = stacks_of(lab, level("main", "main"), level("HEAD", "branch"))
    assert [each.build for each in found.values()] == ["make", "make fast"]
    commits = [repository.git("rev-parse", name) for name in ("main", "faster")]
    checkouts = [each.checkout for each in found.values() if each.checkout is not None]
    assert [each.commit for each in checkouts] == commits
    for checkout in checkouts:
        assert checkout.repository == lab.root
        assert checkout.folder == "systems/shop/gateway/go"
        assert (checkout.changes, checkout.leaves_out, checkout.notes) == (None, False, ())
    assert repository.state() == before


@pytest.mark.parametrize("revision", ["v1", "main~0", "refs/heads/main", "faster^"])
def test_whatever_git_calls_a_commit_is_one(
    lab: SmallLab, repository: Repository, revision: str
) -> None:
    repository.git("tag", "--annotate", "--message", "one", "v1", "main")
    commit = repository.git("rev-parse", "main")
    assert checkout_of(lab, revision).commit == checkout_of(lab, commit[:10]).commit == commit


def test_the_only_stack_of_a_service_need_not_be_named(
    lab: SmallLab, repository: Repository
) -> None:
    (lab.root / "systems/shop/gateway/node/stack.yaml").unlink()
    found = stacks_of(lab, "go", "{label: main, git: main}")
    assert found["main"].stack == "go"


def test_a_commit_without_the_manifest_takes_that_of_the_working_tree_and_says_so(
    lab: SmallLab, repository: Repository
) -> None:
    lab.write("systems/shop/gateway/new/stack.yaml", STACK.format(stack="new"))
    lab.change("systems/shop/gateway/new/stack.yaml", "runtimes: [new]", "runtimes: [go]")
    repository.commit()
    found = stacks_of(lab, "{label: main, git: main, stack: new}", "node")["main"]
    assert found.stack == "new"
    assert found.checkout is not None
    assert found.checkout.notes == (
        "it has no stack.yaml of the stack: that of the working tree is taken",
    )


def test_uncommitted_changes_are_left_out_of_head_and_are_no_matter_of_another_commit(
    lab: SmallLab, repository: Repository
) -> None:
    lab.write("systems/shop/gateway/go/main.go", "package main\n")
    assert checkout_of(lab, "HEAD").leaves_out
    assert checkout_of(lab, "faster").leaves_out
    assert not checkout_of(lab, "main").leaves_out
    assert not checkout_of(lab, "working-tree").leaves_out


def test_a_working_tree_is_its_commit_and_what_is_changed_new_or_gone(
    lab: SmallLab, repository: Repository
) -> None:
    clean = checkout_of(lab, "working-tree")
    assert clean.content == checkout_of(lab, "HEAD").content
    lab.write("systems/shop/gateway/go/ignored", "by git\n")
    lab.write("results/trial-1/report.html", "of a run\n")
    for name in OF_RESULTS:
        lab.write(f"results/trial-1/{name}", "{}\n")
    lab.write(".loadstone/builds/x/main.go", "of a build\n")
    assert checkout_of(lab, "working-tree") == clean
    seen = [checkout_of(lab, "working-tree").changes]
    source = lab.write("systems/shop/gateway/go/main.go", "package main\n")
    seen.append(checkout_of(lab, "working-tree").changes)
    source.write_text("package other\n")
    seen.append(checkout_of(lab, "working-tree").changes)
    source.chmod(0o755)
    seen.append(checkout_of(lab, "working-tree").changes)
    source.unlink()
    (lab.root / "runtimes/unused.yaml").unlink()
    seen.append(checkout_of(lab, "working-tree").changes)
    assert seen[0] is None
    assert len(set(seen)) == len(seen), "each state is another build"


def test_the_folders_that_a_working_tree_leaves_out_are_those_of_results() -> None:
    assert OF_RESULTS == (folder.PLAN, folder.ENVIRONMENT)


TREES = st.dictionaries(st.text("ab -", min_size=1, max_size=3), st.binary(max_size=3))


def digest_of(files: dict[str, bytes]) -> str:
    with tempfile.TemporaryDirectory() as root:
        for name, content in files.items():
            Path(root, name).write_bytes(content)
        return digest_of_changes(Path(root), sorted(files))


@given(TREES, TREES)
def test_two_sets_of_changes_share_a_digest_only_where_they_are_the_same(
    one: dict[str, bytes], other: dict[str, bytes]
) -> None:
    assert (digest_of(one) == digest_of(other)) == (one == other)


def test_submodules_and_files_in_lfs_are_told(lab: SmallLab, repository: Repository) -> None:
    commit = repository.git("rev-parse", "main")
    lab.write(".gitattributes", "*.bin filter=lfs diff=lfs merge=lfs -text\n")
    repository.git("update-index", "--add", "--cacheinfo", f"160000,{commit},vendor/lib")
    repository.git("add", ".gitattributes")
    repository.git("commit", "--quiet", "--message", "with both")
    modules, lfs = checkout_of(lab, "HEAD").notes
    assert modules == "submodules are not checked out: vendor/lib"
    assert lfs.startswith("files in Git LFS stay pointers")
    assert "git lfs install" in lfs
    repository.git("config", "filter.lfs.smudge", "git-lfs smudge -- %f")
    assert checkout_of(lab, "HEAD").notes == (modules,)


HERE = "which.yaml:5: arms.gateway[1]"
CASES = {
    "an unknown revision": (
        "{label: own, git: mian, stack: go}",
        f"{HERE}.git: 'mian' is no revision of ROOT",
        "did you mean main? known: HEAD, working-tree, faster, main",
    ),
    "a file of a revision": (
        "{label: own, git: 'main:studies', stack: go}",
        f"{HERE}.git: 'main:studies' is no revision of ROOT",
        "known: HEAD",
    ),
    "an option of git": (
        "{label: own, git: '--output=x', stack: go}",
        f"{HERE}.git: '--output=x' is not a revision",
        "write a branch, a tag, a commit, HEAD or working-tree",
    ),
    "two words": ("{label: own, git: 'a b', stack: go}", f"{HERE}.git: 'a b' is not", "write"),
    "no stack of several": (
        "{label: own, git: main}",
        f"{HERE}.git: does not say which stack of shop/gateway is built",
        "add `stack`, one of: go, node",
    ),
    "an unknown stack": (
        "{label: own, git: main, stack: gp}",
        f"{HERE}.stack: gp is not a stack of shop/gateway",
        "known: go, node",
    ),
    "an unknown runtime": (
        "{label: own, git: main, stack: go, runtime: node}",
        f"{HERE}.runtime: node is not a runtime of the stack go",
        "known: go",
    ),
    "no label": ("{git: main, stack: go}", f"{HERE}.label: is missing", "add the key"),
    "a command": (
        "{label: own, git: main, command: sh}",
        f"{HERE}.git: does not belong here",
        "a command is run as it is",
    ),
    "an address": (
        "{label: own, git: main, url: 'http://127.0.0.1:1'}",
        f"{HERE}.git: does not belong here",
        "what is running already is not built",
    ),
    "a folder": (
        "{label: own, git: main, dir: .}",
        f"{HERE}.dir: does not belong here",
        "it belongs to command",
    ),
    "a label that is taken": (
        "{label: node, git: main, stack: go}",
        f"{HERE}.label: the label node is there twice",
        "choose another label",
    ),
}


@pytest.mark.parametrize(("typed", "message", "remedy"), CASES.values(), ids=CASES.keys())
def test_a_wrong_revision_is_refused_with_file_line_and_key(
    lab: SmallLab, repository: Repository, typed: str, message: str, remedy: str
) -> None:
    said, advice = refused(lab, typed)
    assert said.startswith(message)
    assert advice.startswith(remedy)


def refused(lab: SmallLab, typed: str) -> tuple[str, str]:
    path = lab.study("[go, node]", f"[node, {typed}]")
    with pytest.raises(InputError) as caught:
        resolve_plan(path, lab.catalogue)
    texts = (caught.value.message, caught.value.remedy or "")
    message, remedy = (text.replace(str(lab.root), "ROOT") for text in texts)
    return message.replace("ROOT/studies/", ""), remedy


def test_a_wrong_manifest_of_a_commit_is_named_with_the_commit(
    lab: SmallLab, repository: Repository
) -> None:
    lab.change(MANIFEST, "language: go", "langauge: go")
    commit = repository.commit()
    said, _ = refused(lab, level("HEAD"))
    assert said.startswith(
        f"ROOT/systems/shop/gateway/go/stack.yaml@{commit[:12]}:2: langauge: is not a known key"
    )


def test_a_stack_that_is_in_no_repository_is_refused(lab: SmallLab) -> None:
    said, advice = refused(lab, level("main"))
    assert said.startswith(
        f"{HERE}.git: needs a git repository around ROOT/systems/shop/gateway/go"
    )
    assert "not a git repository" in said
    assert advice.startswith("keep the stack in a repository")


@pytest.mark.parametrize("revision", ["HEAD", "working-tree"])
def test_a_repository_without_a_commit_is_refused(lab: SmallLab, revision: str) -> None:
    Repository(lab.root)
    said, advice = refused(lab, level(revision))
    assert said == f"{HERE}.git: ROOT has no commit yet"
    assert advice == "commit what is to be measured"


def test_a_shallow_clone_says_how_to_get_the_rest(
    lab: SmallLab, repository: Repository, tmp_path_factory: pytest.TempPathFactory
) -> None:
    clone = tmp_path_factory.mktemp("clone") / "shallow"
    repository.git("clone", "--quiet", "--depth=1", f"file://{lab.root}", str(clone))
    study = clone / "studies/which.yaml"
    study.parent.mkdir()
    study.write_text(lab.study("[go, node]", f"[go, {level('main')}]").read_text())
    with pytest.raises(InputError, match="'main' is no revision of") as caught:
        resolve_plan(study, Catalogue(clone))
    assert "`git fetch --unshallow` brings the rest" in (caught.value.remedy or "")


def test_without_git_it_is_said_how_to_get_it(
    lab: SmallLab, repository: Repository, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    with pytest.raises(Unavailable, match="git is not here") as caught:
        checkout_of(lab, "main")
    assert caught.value.remedy == "As root: `apt-get install git`."
