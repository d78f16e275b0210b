"""The committed JSON Schemas: fresh, complete, and true of the committed files."""

from pathlib import Path
from typing import Any

import pytest
from jsonschema import Draft202012Validator
from small_lab import SmallLab, plan_of

from loadstone.generate import schemas, systems_page
from loadstone.generate.committed_files import stale, write_or_check
from loadstone.study.files.yaml_file import read_yaml
from loadstone.study.systems.catalogue import open_catalogue
from loadstone.study.systems.scenario_cell import scenario_cell
from loadstone.study.values.model import Protocol

ROOT = Path(__file__).resolve().parents[2]
DATA = ROOT / "tests/study/data"


def validator(name: str) -> Draft202012Validator:
    return Draft202012Validator(schemas.schema(name))


def test_the_committed_schemas_are_fresh() -> None:
    assert schemas.main(["--check"]) == 0


def test_a_missing_and_an_edited_file_are_stale(tmp_path: Path) -> None:
    made = {tmp_path / path.name: text for path, text in schemas.files().items()}
    assert write_or_check(made, "made", None, []) == 0
    assert stale(made) == ()
    (tmp_path / "study.schema.json").unlink()
    (tmp_path / "plan.schema.json").write_text("{}")
    assert {path.name for path in stale(made)} == {"study.schema.json", "plan.schema.json"}
    assert write_or_check(made, "made", None, ["--check"]) == 1


def test_the_committed_page_of_systems_is_fresh_and_shows_what_a_stack_lacks() -> None:
    assert systems_page.main(["--check"]) == 0
    catalogue = open_catalogue(ROOT)
    system = catalogue.system("mediation")
    stack = catalogue.stack(system, "gateway", "node")
    over_tls = next(each for each in system.scenarios if each.name == "passthrough h1 -> h1")
    fewer = stack.model_copy(update={"protocols_on": {"bun": {"client": (Protocol.H1C,)}}})
    assert scenario_cell(over_tls, fewer) == "not on bun"
    without = stack.model_copy(update={"operations": ("transform",)})
    assert scenario_cell(over_tls, without) == "-"


@pytest.mark.parametrize("name", schemas.SHAPES)
def test_a_schema_is_a_schema(name: str) -> None:
    Draft202012Validator.check_schema(schemas.schema(name))


@pytest.mark.parametrize("name", schemas.SHAPES)
def test_every_field_has_a_sentence(name: str) -> None:
    whole = schemas.schema(name)
    for mapping in (whole, *whole["$defs"].values()) if "$defs" in whole else (whole,):
        for field, described in mapping.get("properties", {}).items():
            assert described.get("description"), f"{mapping['title']}.{field}"


def typed_files() -> list[tuple[str, Path]]:
    return [
        ("root", ROOT / "loadstone.yaml"),
        *(("study", path) for path in sorted(ROOT.glob("studies/*.yaml"))),
        *(("system", path) for path in sorted(ROOT.glob("systems/*/system.yaml"))),
        *(("workload", path) for path in sorted(ROOT.glob("systems/*/workloads/*.yaml"))),
        *(("workload", path) for path in sorted(DATA.glob("*/workloads/*.yaml"))),
        *(("stack", path) for path in sorted(ROOT.glob("systems/*/*/*/stack.yaml"))),
        *(("runtime", path) for path in sorted(ROOT.glob("runtimes/*.yaml"))),
    ]


@pytest.mark.parametrize(
    ("name", "path"), typed_files(), ids=[str(path.relative_to(ROOT)) for _, path in typed_files()]
)
def test_a_committed_file_is_valid(name: str, path: Path) -> None:
    validator(name).validate(read_yaml(path).tree)


@pytest.mark.parametrize(
    ("name", "change"),
    [
        ("study", {"block": 6}),
        ("study", {"blocks": 0}),
        ("study", {"seed": None}),
        ("study", {"study": "../x"}),
    ],
)
def test_a_schema_refuses_what_the_reader_refuses(
    lab: SmallLab, name: str, change: dict[str, Any]
) -> None:
    tree = read_yaml(lab.study()).tree
    assert validator(name).is_valid(tree)
    assert not validator(name).is_valid({**tree, **change})


def test_a_workload_has_not_both_users_and_a_rate(lab: SmallLab) -> None:
    tree = read_yaml(lab.root / "systems/shop/workloads/busy.yaml").tree
    assert validator("workload").is_valid(tree)
    both = {**tree, "rate": {"per_second": 1, "connections": 1}}
    assert not validator("workload").is_valid(both)


def test_a_workload_has_a_kind_or_is_like_another(lab: SmallLab) -> None:
    tree = read_yaml(lab.root / "systems/shop/workloads/busy.yaml").tree
    neither = {key: value for key, value in tree.items() if key != "kind"}
    assert not validator("workload").is_valid(neither)
    assert validator("workload").is_valid({**neither, "like": "steady"})


@pytest.mark.parametrize(
    ("change", "valid"),
    [
        ({"users": {"stages": [{"to": 20, "over": "10s"}, {"hold": "1m"}]}}, True),
        ({"users": {"stages": []}}, False),
        ({"users": {"stages": [{"till": 20}]}}, False),
        ({"think": "500ms"}, True),
        ({"think": {"uniform": ["1s", "2s"]}}, True),
        ({"think": {"uniform": ["1s"]}}, False),
        ({"stop": {"failures": {"above": "50%", "for": "10s"}}}, True),
        ({"stop": {"failures": {"above": "50%"}}}, False),
        ({"streams": 0}, False),
    ],
)
def test_a_workload_may_change_pause_and_stop(
    lab: SmallLab, change: dict[str, Any], valid: bool
) -> None:
    tree = read_yaml(lab.root / "systems/shop/workloads/busy.yaml").tree
    assert validator("workload").is_valid({**tree, **change}) is valid


def test_a_plan_as_written_is_valid(lab: SmallLab) -> None:
    plan = plan_of(lab.study(), lab.catalogue)
    validator("plan").validate(plan.model_dump(mode="json"))
