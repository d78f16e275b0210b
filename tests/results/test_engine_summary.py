"""What a record may lack of a run of another tool, the engine's own summary may not."""

import json
from pathlib import Path
from typing import Any

import pytest
from pydantic import ValidationError

from loadstone.results.engine_summary import EngineSummary
from loadstone.results.load_facts import LoadFacts
from results_builder import Behaviour, build_results

SCHEMA = Path(__file__).resolve().parents[2] / "schemas" / "engine-event.schema.json"
MAY_LACK = ("protocol", "spoken", "streams", "stop", "connections", "redirects", "engine")


def summary(directory: Path) -> dict[str, Any]:
    results = build_results(directory, arms={"go": Behaviour()}, blocks=1)
    (path,) = results.glob("runs/*/run.json")
    return json.loads(path.read_text())["load"]


def test_everything_that_the_engine_writes_is_known_by_the_record() -> None:
    written = json.loads(SCHEMA.read_text())["$defs"]["LoadFacts"]
    assert set(written["properties"]) <= set(LoadFacts.model_fields)
    assert set(LoadFacts.model_fields) == set(EngineSummary.model_fields)


@pytest.mark.parametrize("name", MAY_LACK)
def test_what_another_tool_may_not_tell_the_engine_must(tmp_path: Path, name: str) -> None:
    whole = summary(tmp_path)
    EngineSummary.model_validate(whole)
    lacking = {**whole, name: None}
    LoadFacts.model_validate(lacking)
    with pytest.raises(ValidationError, match=name):
        EngineSummary.model_validate(lacking)
    del lacking[name]
    with pytest.raises(ValidationError, match=name):
        LoadFacts.model_validate(lacking)
