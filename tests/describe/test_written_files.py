"""What is written, and that it is written as a whole or not at all."""

import json
import subprocess
from pathlib import Path
from typing import Any

import pytest
import yaml
from described import PROJECT, hold_to_schemas, init, text_of, written
from hypothesis import given
from hypothesis import strategies as st

from loadstone.describe.branches import ignored_files, main_branch
from loadstone.describe.model import Description, MadeRequest, MadeWorkload
from loadstone.describe.write import write_files
from loadstone.describe.yaml_text import flow, unwritable
from loadstone.errors import InputError, LoadstoneError
from loadstone.study.design.resolve import resolve_plan
from loadstone.study.files.yaml_file import read_yaml
from loadstone.study.systems.catalogue import Catalogue, open_catalogue
from loadstone.study.values.dependency import Account

GET = MadeRequest(name="get-a", method="get", path="/a", status=200)
DESCRIPTION = Description(
    made_of="a test",
    title="A shop: #1 \u2028 {{x}}",
    workloads=[MadeWorkload("reads", "callers", "A test.", [GET])],
    measured=["reads"],
    ready=GET,
    checks=[GET],
)
DOCUMENT = {
    "openapi": "3.0.0",
    "paths": {"/a": {"get": {"responses": {"200": {"description": "it"}}}}},
}


def document(folder: Path) -> Path:
    path = folder / "openapi.json"
    path.write_text(json.dumps(DOCUMENT))
    return path


def git(folder: Path, *words: str) -> None:
    identity = ("-c", "user.name=a", "-c", "user.email=a@example.com")
    subprocess.run(["git", *identity, *words], cwd=folder, check=True, capture_output=True)


def test_every_file_is_commented_and_valid(tmp_path: Path) -> None:
    root = init(tmp_path, openapi=document(tmp_path)).folder
    for path in root.rglob("*.yaml"):
        assert path.read_text().startswith("#"), path
    hold_to_schemas(root)
    assert yaml.safe_load((root / "loadstone.yaml").read_text()) == {"format": 1}
    assert "results/" in (root / ".gitignore").read_text()


def test_the_study_plans_with_the_shipped_runtimes(tmp_path: Path) -> None:
    root = init(tmp_path, openapi=document(tmp_path)).folder
    catalogue = open_catalogue(root, {})
    resolved = resolve_plan(root / "studies" / "again.yaml", catalogue)
    name = next((root / "systems").iterdir()).name
    assert [arm.id for arm in resolved.plan.arms] == [name, "again"]
    (stack,) = {each.directory for each in resolved.stacks.values()}
    assert stack == tmp_path.resolve()
    assert resolve_plan(root / "studies" / "again.yaml", catalogue, "smoke").plan.blocks == 1
    assert resolve_plan(root / "studies" / "again.yaml", catalogue, "first").plan.blocks == 3


def test_nothing_is_overwritten_and_nothing_is_left_half_written(tmp_path: Path) -> None:
    (tmp_path / "loadstone").mkdir()
    with pytest.raises(InputError, match="is there already") as caught:
        init(tmp_path, openapi=document(tmp_path))
    assert "mv loadstone" in (caught.value.remedy or "")
    assert list((tmp_path / "loadstone").iterdir()) == []
    assert {path.name for path in tmp_path.iterdir()} == {"loadstone", "openapi.json"}


def test_what_the_lab_would_refuse_is_not_left(tmp_path: Path) -> None:
    files = {f"{PROJECT.system}/system.yaml": "system: [\n"}
    with pytest.raises(LoadstoneError, match="refused by the lab itself"):
        write_files(tmp_path, files, PROJECT)
    assert list(tmp_path.iterdir()) == []


def test_a_folder_that_cannot_be_written_is_named(tmp_path: Path) -> None:
    missing = tmp_path / "gone"
    with pytest.raises(InputError, match="cannot be written") as caught:
        write_files(missing, {}, PROJECT)
    assert caught.value.remedy


def test_a_home_is_no_project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HOME", str(tmp_path))
    with pytest.raises(InputError, match="is no folder of a project") as caught:
        init(tmp_path, openapi=document(tmp_path))
    assert "mkdir" in (caught.value.remedy or "")


def test_with_a_second_branch_it_is_compared_with_main(tmp_path: Path) -> None:
    git(tmp_path, "init", "--initial-branch", "main")
    path = document(tmp_path)
    assert main_branch(tmp_path) is None, "nothing is committed"
    git(tmp_path, "add", ".")
    git(tmp_path, "commit", "-m", "first")
    assert main_branch(tmp_path) is None, "one branch alone"
    git(tmp_path, "switch", "--create", "faster")
    assert main_branch(tmp_path) == "main"
    git(tmp_path, "switch", "main")
    assert main_branch(tmp_path) is None, "it is main that is checked out"
    git(tmp_path, "switch", "faster")
    root = init(tmp_path, openapi=path).folder
    study = yaml.safe_load((root / "studies" / "branch.yaml").read_text())
    name = next((root / "systems").iterdir()).name
    assert study["arms"]["api"] == [
        {"label": "main", "git": "main", "stack": name},
        {"label": "branch", "git": "HEAD", "stack": name},
    ]
    hold_to_schemas(root, with_study=False)


def test_what_git_leaves_out_is_told_where_commits_are_built(tmp_path: Path) -> None:
    git(tmp_path, "init", "--initial-branch", "main")
    (tmp_path / ".gitignore").write_text(".env\n*.log\nbuild/\n")
    (tmp_path / "build").mkdir()
    for name in (".env", "a.log", "build/x"):
        (tmp_path / name).write_text("")
    path = document(tmp_path)
    git(tmp_path, "add", ".")
    git(tmp_path, "commit", "-m", "first")
    assert ignored_files(tmp_path) == (".env",)
    assert init(tmp_path, openapi=path).project.notes == ()
    (tmp_path / "loadstone").rename(tmp_path / "before")
    git(tmp_path, "switch", "--create", "faster")
    (note,) = init(tmp_path, openapi=path).project.notes
    assert note.startswith("Git leaves out .env, so that neither commit has them")


def test_a_clone_of_one_branch_knows_main_from_its_origin(tmp_path: Path) -> None:
    origin, clone = tmp_path / "origin", tmp_path / "clone"
    origin.mkdir()
    git(origin, "init", "--initial-branch", "main")
    git(origin, "commit", "--allow-empty", "-m", "first")
    git(tmp_path, "clone", str(origin), str(clone))
    git(clone, "switch", "--create", "faster")
    git(clone, "branch", "--delete", "--force", "main")
    assert main_branch(clone) == "origin/main"
    git(clone, "switch", "--detach")
    assert main_branch(clone) == "origin/main"


def test_a_driver_is_told_and_a_database_written_where_it_is_asked_for(tmp_path: Path) -> None:
    (tmp_path / "package.json").write_text('{"dependencies": {"pg": "8"}}')
    made = init(tmp_path, openapi=document(tmp_path))
    assert made.project.driver is not None
    assert "# package.json names pg." in text_of(made.folder)
    made.folder.rename(tmp_path / "before")
    root = init(tmp_path, openapi=tmp_path / "openapi.json", database="postgres").folder
    catalogue = Catalogue(root)
    system = catalogue.system(catalogue.systems()[0])
    assert system.dependencies == {"database": "postgres"}
    assert system.service("api").variables == {
        "DATABASE_URL": "postgresql://api:api@{database}/database"
    }
    assert system.options_of("database").account == Account(user="api", password="api")
    assert [path.name for path in system.seed_of("database")] == ["schema.sql"]


@pytest.mark.parametrize(
    ("files", "database", "variables"),
    [
        (
            {"pom.xml": "<project><artifactId>spring-boot</artifactId></project>"},
            "postgres",
            {
                "SPRING_DATASOURCE_URL": "jdbc:postgresql://{database}/database",
                "SPRING_DATASOURCE_USERNAME": "api",
                "SPRING_DATASOURCE_PASSWORD": "api",
            },
        ),
        (
            {"pom.xml": "<project><artifactId>quarkus</artifactId></project>"},
            "mariadb",
            {
                "QUARKUS_DATASOURCE_JDBC_URL": "jdbc:mariadb://{database}/database",
                "QUARKUS_DATASOURCE_USERNAME": "api",
                "QUARKUS_DATASOURCE_PASSWORD": "api",
            },
        ),
        (
            {"go.mod": "module shop\n"},
            "mariadb",
            {"DATABASE_URL": "api:api@tcp({database})/database"},
        ),
        (
            {"go.mod": "module shop\n"},
            "postgres",
            {"DATABASE_URL": "postgresql://api:api@{database}/database?sslmode=disable"},
        ),
        ({}, "mariadb", {"DATABASE_URL": "mysql://api:api@{database}/database"}),
    ],
)
def test_a_service_is_told_of_its_database_as_its_framework_reads_it(
    tmp_path: Path, files: dict[str, str], database: str, variables: dict[str, str]
) -> None:
    for name, text in files.items():
        (tmp_path / name).write_text(text)
    root = init(tmp_path, openapi=document(tmp_path), database=database).folder
    catalogue = Catalogue(root)
    system = catalogue.system(catalogue.systems()[0])
    assert system.service("api").variables == variables


@pytest.mark.parametrize(
    ("asked", "message", "remedy"),
    [
        ({}, "nothing tells the API", "--openapi FILE"),
        ({"url": "http://127.0.0.1:1/", "har": Path("a.har")}, "told in two ways", "give one of"),
        ({"har": Path("a.har"), "with_writes": True}, "--writes is of an OpenAPI", "take it out"),
        ({"openapi": Path("gone.yaml")}, "cannot be read", "check the path"),
        ({"url": "https://127.0.0.1:1/"}, "over TLS", "http://"),
        ({"url": "http://192.0.2.1/"}, "not loopback; nothing was sent", "--allow-target"),
        ({"url": "http://127.0.0.1:1/"}, "was not answered", "start the service"),
        ({"url": "ftp://127.0.0.1/"}, "is not an http", "for example"),
    ],
)
def test_each_error_names_what_to_do(
    tmp_path: Path, asked: dict[str, Any], message: str, remedy: str
) -> None:
    with pytest.raises(LoadstoneError, match=message) as caught:
        init(tmp_path, **asked)
    assert remedy in (caught.value.remedy or "")
    assert list(tmp_path.iterdir()) == []


def test_a_document_in_its_usual_place_is_pointed_to(tmp_path: Path) -> None:
    document(tmp_path)
    with pytest.raises(LoadstoneError) as caught:
        init(tmp_path)
    assert caught.value.remedy == "there is one: loadstone init --openapi openapi.json"


VALUES = st.recursive(
    st.none()
    | st.booleans()
    | st.integers(-(10**19), 10**19)
    | st.floats()
    | st.text(max_size=10)
    | st.sampled_from(
        ["yes", "Null", "1e3", "1.0", "2024-01-01", "a: b", "# c", "\u2028", "\ufeff", " "]
    ),
    lambda inner: (
        st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=6), inner, max_size=3)
    ),
    max_leaves=10,
)


@given(value=VALUES)
def test_a_value_is_read_as_it_was_written_or_cannot_be(
    tmp_path_factory: pytest.TempPathFactory, value: Any
) -> None:
    if unwritable(value) is not None:
        return
    path = tmp_path_factory.mktemp("value") / "a.yaml"
    path.write_text(f"a: {flow(value)}\nb: [{flow(value)}, x]\n")
    tree = read_yaml(path).tree
    assert tree["a"] == value
    assert tree["b"][0] == value
    assert type(tree["a"]) is type(value)


def test_a_title_is_what_it_was(tmp_path: Path) -> None:
    root = written(tmp_path, DESCRIPTION)
    title = Catalogue(root).system("shop").title
    assert title == "A shop: #1   {{x}}"
