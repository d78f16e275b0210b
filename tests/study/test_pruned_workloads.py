"""Arms that are run under some of a study's workloads only, and questions about some of its arms."""

import pytest
from small_lab import SmallLab, load_study, plan_of

from loadstone.errors import InputError
from loadstone.study.design.order import runs_until
from loadstone.study.values.model import Plan, Workload


def cells(plan: Plan) -> set[tuple[str, str]]:
    return {(run.arm, run.workload) for run in plan.runs}


@pytest.mark.parametrize(
    ("pruning", "left"),
    [
        ("except: [{gateway: node, workload: busy}]", {"go busy", "go steady", "node steady"}),
        ("only: [{workload: steady}, {gateway: go}]", {"go busy", "go steady", "node steady"}),
    ],
)
def test_a_map_with_a_workload_prunes_an_arm_under_that_workload_alone(
    lab: SmallLab, pruning: str, left: set[str]
) -> None:
    path = lab.study("    margin: 3%\n", f"    margin: 3%\n    workloads: [steady]\n{pruning}\n")
    plan = plan_of(path, lab.catalogue)
    assert {" ".join(cell) for cell in cells(plan)} == left
    assert len(plan.runs) == 6 * len(left)
    for block in range(1, plan.blocks + 1):
        assert runs_until(plan, block) == block * len(left)
        assert {run.block for run in plan.runs[: runs_until(plan, block)]} == {*range(1, block + 1)}


def test_an_arm_without_a_workload_left_is_no_arm(lab: SmallLab) -> None:
    lab.study("[go, node]", "[go, node, {stack: go, label: a}]")
    path = lab.study(
        "seed: 7", "seed: 7\nexcept: [{gateway: a, workload: busy}, {gateway: a, workload: steady}]"
    )
    assert [arm.id for arm in load_study(path, lab.catalogue).arms] == ["go", "node"]


def test_a_profile_leaves_out_arms_that_have_none_of_its_workloads(lab: SmallLab) -> None:
    lab.study("[go, node]", "[go, node, {stack: go, label: a}]")
    lab.study("smoke: {blocks: 1,", "smoke: {blocks: 1, workloads: [steady],")
    path = lab.study("seed: 7", "seed: 7\nexcept: [{gateway: a, workload: steady}]")
    plan = plan_of(path, lab.catalogue, "smoke")
    assert [arm.id for arm in plan.arms] == ["go", "node"]
    assert cells(plan) == {("go", "steady"), ("node", "steady")}


@pytest.mark.parametrize(
    ("added", "message", "remedy"),
    [
        (
            "except: [{workload: busy}]",
            "workloads[0]: no arm is left under busy",
            "take it out, or exclude less",
        ),
        (
            "except: [{workload: bussy}]",
            "except[0].workload: bussy is not a level of workload",
            "did you mean busy?",
        ),
        (
            "except: [{gateway: node, workload: busy}]",
            "questions[0].workloads: under busy no two arms are run that differ in gateway alone",
            "name the workloads",
        ),
    ],
)
def test_pruning_that_leaves_a_hole_is_refused(
    lab: SmallLab, added: str, message: str, remedy: str
) -> None:
    with pytest.raises(InputError) as caught:
        load_study(lab.study("seed: 7", f"seed: 7\n{added}"), lab.catalogue)
    assert message in caught.value.message
    assert (caught.value.remedy or "").startswith(remedy)


def test_a_workload_with_an_operation_that_a_stack_lacks_is_refused_until_it_is_pruned(
    lab: SmallLab,
) -> None:
    lab.change(
        "systems/shop/system.yaml",
        "dependencies:",
        "scenarios:\n"
        "  - {operation: buy, legs: {client: h1c, upstream: h1c}}\n"
        "  - {operation: look, legs: {client: h1c, upstream: h1c}}\n"
        "dependencies:",
    )
    lab.change(
        "systems/shop/gateway/node/stack.yaml", "stack: node", "stack: node\noperations: [look]"
    )
    path = lab.study("    margin: 3%\n", "    margin: 3%\n    workloads: [steady]\n")
    with pytest.raises(InputError) as caught:
        load_study(path, lab.catalogue)
    assert "workloads: node does not have the operation buy of busy" in caught.value.message
    assert caught.value.remedy == "prune with `except: [{gateway: node, workload: busy}]`"
    path = lab.study("seed: 7", "seed: 7\nexcept: [{gateway: node, workload: busy}]")
    assert ("node", "busy") not in cells(plan_of(path, lab.catalogue))


def test_first_requests_of_an_operation_that_a_stack_lacks_are_refused_too(lab: SmallLab) -> None:
    lab.change(
        "systems/shop/system.yaml",
        "dependencies:",
        "scenarios:\n"
        "  - {operation: buy, legs: {client: h1c, upstream: h1c}}\n"
        "  - {operation: look, legs: {client: h1c, upstream: h1c}}\n"
        "dependencies:",
    )
    lab.change(
        "systems/shop/gateway/node/stack.yaml", "stack: node", "stack: node\noperations: [look]"
    )
    first = "kind: footprint\nfirst: [{operation: buy, post: /buy}]"
    lab.change("systems/shop/workloads/steady.yaml", "kind: load", first)
    path = lab.study("workloads: [busy, steady]", "workloads: [steady]")
    with pytest.raises(InputError, match="node does not have the operation buy of steady"):
        load_study(path, lab.catalogue)


def test_a_question_may_be_asked_of_some_of_the_arms(lab: SmallLab) -> None:
    lab.study("[go, node]", "[go, node, {stack: go, label: a}]")
    for text, message in [
        ("{gatewai: go}", "where.gatewai: is not a factor of this study"),
        ("{client: h2}", "where.client: h2 is not a level of client"),
        ("{gateway: [go, nobody]}", "where.gateway: nobody is not a level of gateway"),
        ("{gateway: go}", "compare: gateway has one level, go"),
    ]:
        path = lab.root / "studies" / "which.yaml"
        before = path.read_text()
        path.write_text(before.replace("    margin: 3%\n", f"    margin: 3%\n    where: {text}\n"))
        with pytest.raises(InputError) as caught:
            load_study(path, lab.catalogue)
        assert f"questions[0].{message}" in caught.value.message
        path.write_text(before)
    path = lab.study("    margin: 3%\n", "    margin: 3%\n    where: {client: h1c}\n")
    (question,) = load_study(path, lab.catalogue).questions
    assert question.where == {"client": "h1c"}
    path = lab.study("where: {client: h1c}", "where: {gateway: [go, node]}")
    (question,) = load_study(path, lab.catalogue).questions
    arms = load_study(path, lab.catalogue).arms
    assert [arm.id for arm in arms if question.is_about(arm.factors)] == ["go", "node"]


def test_a_question_may_be_about_a_group_and_an_operation_of_it(lab: SmallLab) -> None:
    lab.change("systems/shop/workloads/steady.yaml", "group: buyers", "group: lookers")
    before = (lab.root / "studies" / "which.yaml").read_text()
    for about, workloads in [
        ("group: buyers", ("busy",)),
        ("operation: look", ("steady",)),
        ("group: lookers\n    operation: look", ("steady",)),
    ]:
        path = lab.study("    margin: 3%\n", f"    margin: 3%\n    {about}\n")
        (question,) = load_study(path, lab.catalogue).questions
        assert question.workloads == workloads
        assert (question.group is None) is ("group" not in about)
        assert (question.operation is None) is ("operation" not in about)
        path.write_text(before)
    for about, message in [
        ("group: sellers", "group[0]: sellers is not known here"),
        ("operation: sell", "operation[0]: sell is not known here"),
        ("group: buyers\n    operation: look", "no workload of this study"),
    ]:
        path = lab.study("    margin: 3%\n", f"    margin: 3%\n    {about}\n")
        with pytest.raises(InputError) as caught:
            load_study(path, lab.catalogue)
        assert message in caught.value.message
        path.write_text(before)


def test_the_profile_named_default_is_run_where_none_is_named(lab: SmallLab) -> None:
    path = lab.study(
        "profiles:\n",
        "profiles:\n  default: {except: [{gateway: node, workload: busy}], blocks: 2}\n",
    )
    lab.study("    margin: 3%\n", "    margin: 3%\n    workloads: [steady]\n")
    plan = plan_of(path, lab.catalogue)
    assert plan.profile == "default"
    assert cells(plan) == {("go", "busy"), ("go", "steady"), ("node", "steady")}
    assert len(plan.runs) == 2 * 3
    assert len(cells(plan_of(path, lab.catalogue, "smoke"))) == 4


def test_a_profile_leaves_out_what_nothing_is_left_of(lab: SmallLab) -> None:
    path = lab.study("smoke: {blocks: 1,", "smoke: {blocks: 1, except: [{workload: busy}],")
    plan = plan_of(path, lab.catalogue, "smoke")
    assert [workload.workload for workload in plan.workloads] == ["steady"]
    assert [question.workloads for question in plan.questions] == [("steady",)]
    assert [arm.workloads for arm in plan.arms] == [("steady",), ("steady",)]


@pytest.mark.parametrize(
    ("typed", "message"),
    [
        ("{except: [{gateway: rust}]}", "profiles.short.except[0].gateway: rust is not a level"),
        (
            "{except: [{workload: stead}]}",
            "profiles.short.except[0].workload: stead is not a level",
        ),
        ("{except: [{}]}", "profiles.short.except[0]: names no factor"),
        ("{except: [{gateway: go}]}", "profiles.short.except: leaves no question to answer"),
        ("{ramp: 3s}", "profiles.short.ramp: reaches into what is measured of busy"),
    ],
)
def test_a_wrong_pruning_or_ramp_of_a_profile_is_refused(
    lab: SmallLab, typed: str, message: str
) -> None:
    path = lab.study("profiles:\n", f"profiles:\n  short: {typed}\n")
    with pytest.raises(InputError) as caught:
        load_study(path, lab.catalogue)
    assert message in caught.value.message


def test_a_ramp_brings_closed_users_one_after_the_other(lab: SmallLab) -> None:
    path = lab.study("smoke: {blocks: 1,", "long: {ramp: 2s}\n  smoke: {blocks: 1,")
    busy, steady = plan_of(path, lab.catalogue, "long").workloads
    assert isinstance(busy, Workload)
    assert isinstance(steady, Workload)
    assert [(stage.to, stage.over_ns) for stage in busy.arrivals.stages] == [(50, 2_000_000_000)]
    assert steady.arrivals.is_steady  # a rate is no users
