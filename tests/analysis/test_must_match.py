"""Which facts two results folders must share, and what is refused without reading a run."""

import json
from pathlib import Path
from typing import Any

import pytest

from loadstone.analysis.compare.two_folders import compare_folders
from loadstone.errors import InputError
from results_builder import Behaviour, build_results, closed, rate

HEALTHY = Behaviour()
SHORT = closed(seconds=1, warm_up=0)
ENVIRONMENT: dict[str, Any] = {
    "machine": {"cpu_model": "Example CPU 3000", "cpus": 2},
    "versions": {"loadstone": "0.1.0", "loadstone-engine": "0.1.0"},
    "code": {"system mediation": "ab" * 32},
    "service_cpus": [1],
    "bench_cpus": [0],
}


def built(directory: Path, name: str, **options: Any) -> Path:
    defaults = {"arms": {"go": HEALTHY}, "workloads": (SHORT,), "environment": ENVIRONMENT}
    return build_results(directory, name=name, blocks=1, **(defaults | options))


def refusal(first: Path, second: Path) -> InputError:
    with pytest.raises(InputError) as error:
        compare_folders(first, second)
    return error.value


def changed(part: str, **facts: object) -> dict[str, Any]:
    return ENVIRONMENT | {part: ENVIRONMENT[part] | facts}


@pytest.mark.parametrize(
    ("environment", "told"),
    [
        (changed("machine", cpu_model="Other"), "cpu_model: Example CPU 3000 and Other"),
        (changed("machine", cpus=4), "cpus: 2 and 4"),
        (changed("versions", loadstone="0.2.0"), "version of loadstone: 0.1.0 and 0.2.0"),
        (
            changed("versions", **{"loadstone-engine": "0.2.0"}),
            "version of loadstone-engine: 0.1.0 and 0.2.0",
        ),
        (
            changed("code", **{"system mediation": "ef" * 32}),
            "contract and definition of the system: abab",
        ),
        (ENVIRONMENT | {"service_cpus": [0, 1]}, "service_cpus: [1] and [0, 1]"),
        (ENVIRONMENT | {"bench_cpus": [2]}, "bench_cpus: [0] and [2]"),
        (
            ENVIRONMENT
            | {"machines": {"c": {"engines": {"a": {"machine": {"cpu_model": "Small"}}}}}},
            "engines elsewhere: [] and ['Small']",
        ),
        ({"machine": {"cpus": 2}}, "cpu_model: Example CPU 3000 and not recorded"),
    ],
)
def test_another_environment_is_refused_with_both_values(
    tmp_path: Path, environment: dict[str, Any], told: str
) -> None:
    first, second = built(tmp_path, "a"), built(tmp_path, "b", environment=environment)
    assert told in refusal(first, second).message


def put(path: Path, key: tuple[str | int, ...], value: object) -> None:
    content = json.loads(path.read_text())
    place = content
    for step in key[:-1]:
        place = place[step]
    place[key[-1]] = value
    path.write_text(json.dumps(content))


@pytest.mark.parametrize(
    ("key", "value", "told"),
    [
        (
            ("workloads", 0, "duration_ns"),
            2_000_000_000,
            "workload closed, duration_ns: 1000000000 and 2000000000",
        ),
        (
            ("workloads", 0, "groups", 0, "session", 0, "operation"),
            "x",
            "workload closed, session: ",
        ),
        (("workloads", 0, "groups", 0, "group"), "x", "workload closed, groups: callers and x"),
        (("workloads", 0, "stop", "first_timeout"), True, "workload closed, stop: "),
        (("system",), "other", "system: mediation and other"),
        (("limits",), {"gateway": {"cpus": 1.0}}, "limit of gateway, cpus: not recorded and 1.0"),
        (("arms", 0, "factors", "client"), "h2", "arm go, client: h1c and h2"),
        (("arms", 0, "page_cache"), "cold", "arm go, page cache: not recorded and cold"),
        (
            ("arms", 0, "legs", "upstream"),
            "h2",
            "arm go, protocol of upstream: not recorded and h2",
        ),
    ],
)
def test_another_plan_is_refused_with_both_values(
    tmp_path: Path, key: tuple[str | int, ...], value: object, told: str
) -> None:
    first, second = built(tmp_path, "a"), built(tmp_path, "b")
    put(second / "plan.json", key, value)
    assert told in refusal(first, second).message


def test_what_differs_of_several_groups_is_told_with_their_names(tmp_path: Path) -> None:
    first, second = built(tmp_path, "a"), built(tmp_path, "b")
    for folder in (first, second):
        plan = json.loads((folder / "plan.json").read_text())
        groups = plan["workloads"][0]["groups"]
        groups.append(groups[0] | {"group": "raters"})
        (folder / "plan.json").write_text(json.dumps(plan))
    put(second / "plan.json", ("workloads", 0, "groups", 1, "pace_ns"), 1_000_000_000)
    told = refusal(first, second).message
    assert "workload closed, raters, pace_ns: not recorded and 1000000000" in told


def test_services_that_were_held_by_other_means_are_not_compared(tmp_path: Path) -> None:
    first, second = built(tmp_path, "a"), built(tmp_path, "b")
    for folder, way in ((first, "cgroup v1"), (second, "cgroup v2")):
        (record,) = folder.glob("runs/*/run.json")
        held = {"isolation": way, "cpus": 1.0, "memory_bytes": None}
        put(record, ("processes", 0, "confinement"), held)
    assert "arm go, isolation: cgroup v1 and cgroup v2" in refusal(first, second).message


@pytest.mark.parametrize("named", [(), ("first",), ("second",), ("first", "second")])
def test_a_setting_must_have_one_level_wherever_it_is_named(
    tmp_path: Path, named: tuple[str, ...]
) -> None:
    """A study that does not name a setting has its first level: that may be the same one."""
    first, second = built(tmp_path, "first"), built(tmp_path, "second")
    for folder, delay in ((first, "5"), (second, "50")):
        put(folder / "plan.json", ("arms", 0, "settings"), {"mood": "calm", "delay": delay})
        if folder.name in named:
            put(folder / "plan.json", ("arms", 0, "factors", "delay"), delay)
    told = refusal(first, second).message.splitlines()[1:]
    assert [line.strip() for line in told] == ["arm go, delay: 5 and 50"]
    put(second / "plan.json", ("arms", 0, "settings", "delay"), "5")
    compare_folders(first, second)


def test_every_fact_that_differs_is_named_at_once(tmp_path: Path) -> None:
    first = built(tmp_path, "a")
    other = ENVIRONMENT | {"machine": {"cpu_model": "Other", "cpus": 8}}
    second = built(tmp_path, "b", workloads=(closed(8, seconds=1, warm_up=0),), environment=other)
    told = refusal(first, second)
    assert [line.partition(":")[0].strip() for line in told.message.splitlines()[1:]] == [
        "workload closed, arrivals",
        "cpu_model",
        "cpus",
    ]
    assert told.remedy == "measure one of them again under the conditions of the other"


def test_folders_without_a_common_arm_or_workload_are_refused(tmp_path: Path) -> None:
    first = built(tmp_path, "a", arms={"go": HEALTHY, "rust": HEALTHY})
    second = built(tmp_path, "b", arms={"node": HEALTHY, "bun": HEALTHY})
    assert (
        f"has no arm of {first}: node, bun there, go, rust here" in refusal(first, second).message
    )
    third = built(tmp_path, "c", workloads=(rate(10, seconds=1, warm_up=0),))
    told = refusal(first, third).message
    assert f"no workload that {first} asks a question of is in both" in told


def test_a_folder_is_not_compared_with_itself(tmp_path: Path) -> None:
    first = built(tmp_path, "a")
    told = refusal(first, tmp_path / "a" / ".." / "a").message
    assert "both folders are the same" in told
