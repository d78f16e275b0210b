"""Groups of a workload's file: what they mean. Those that are refused: `test_group_errors.py`."""

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from small_lab import SmallLab

from loadstone.study.files.workload_file import read_workload
from loadstone.study.values.arrivals import ConstantThink, Rate, Stage, Users, steady
from loadstone.study.values.dealt import dealt, dealt_rate, dealt_users
from loadstone.study.values.expression_text import text_shown
from loadstone.study.values.feeds import FileRows, Numbers
from loadstone.study.values.model import Workload
from loadstone.study.values.steps import Choose, Repeat, Send
from loadstone.study.values.stop_rules import MeanRule, P99Rule, StopRules

DATA = Path(__file__).parent / "data"
SECOND_NS = 10**9


def read(lab: SmallLab, text: str) -> Workload:
    workload = read_workload(lab.write("systems/shop/workloads/w.yaml", text))
    assert isinstance(workload, Workload)
    return workload


def of_data(name: str) -> Workload:
    system, _, workload = name.partition("/")
    found = read_workload(DATA / system / "workloads" / f"{workload}.yaml")
    assert isinstance(found, Workload)
    return found


HEAD = "workload: w\nkind: load\nduration: 60s\n"


def test_the_groups_of_a_booking_service_are_read() -> None:
    load = of_data("booking/load")
    names = [group.group for group in load.groups]
    assert names == ["adders", "bookers", "browsers", "raters", "deciders"]
    assert not load.is_flat
    assert len(load.cells) == 19
    adders, bookers, *_ = load.groups
    assert adders.leave == "after_request"
    assert adders.arrivals.length_ns == load.duration_ns == 1810 * SECOND_NS
    assert [stage.to for stage in adders.arrivals.stages] == [
        *(level for step in (20, 40, 60, 80, 100) for level in (step, step)),
        100,
        0,
    ]
    users_seconds = sum(group.arrivals.until(load.duration_ns) for group in load.groups)
    assert users_seconds == 707_500
    assert [each.let for each in bookers.lets] == ["at", "email"]
    assert "bookers.reserve.409" in load.cells
    assert adders.feeds[0].source == FileRows(
        file="../seed/small/owners.csv",
        sha256=adders.feeds[0].source.sha256,
        first=1,
        last=10,
        columns=("email",),
    )


def test_slots_of_two_groups_are_apart() -> None:
    *_, raters, deciders = of_data("booking/load").groups
    assert raters.feeds[0].source == Numbers(first=9601, last=95_999, step=2)
    assert deciders.feeds[0].source == Numbers(first=9602, last=95_999, step=2)


def test_a_workload_like_another_says_how_sessions_begin_as_a_whole() -> None:
    load, stress, fixed = (of_data(f"booking/{name}") for name in ("load", "stress", "fixed-rate"))
    assert [group.leave for group in stress.groups] == ["after_session"] * 5
    assert {group.arrivals for group in stress.groups} == {stress.groups[0].arrivals}
    assert stress.groups[0].arrivals.highest == 3000
    assert [group.session for group in stress.groups] == [group.session for group in load.groups]
    assert [group.lets for group in fixed.groups] == [group.lets for group in load.groups]
    assert fixed.duration_ns == 60 * SECOND_NS
    assert stress.timeout_ns == load.timeout_ns == 60 * SECOND_NS
    assert stress.stop.mean_response_time == MeanRule(
        above_ns=30 * SECOND_NS, for_ns=60 * SECOND_NS
    )
    assert load.stop == StopRules()


def test_a_rate_is_dealt_to_processes_of_their_own() -> None:
    fixed, mix = of_data("booking/fixed-rate"), of_data("conference/mix")
    assert {group.arrivals for group in fixed.groups} == {
        Rate(stages=steady(40), connections=40, poisson=True, sessions=20_000)
    }
    assert [group.arrivals.highest for group in mix.groups] == pytest.approx([270, 29.7, 0.3])
    assert [group.connections for group in mix.groups] == [89, 10, 1]
    assert mix.is_open


def test_a_flat_workload_is_one_group_whose_operations_keep_their_names() -> None:
    users = of_data("parking/users-100")
    assert users.is_flat
    assert list(users.cells) == ["list-users"]
    assert users.think == ConstantThink(constant_ns=SECOND_NS)
    park = of_data("parking/park-stress")
    assert park.think == users.think
    assert park.arrivals == Users(stages=(Stage(to=5000, over_ns=25 * SECOND_NS),))
    assert park.stop == StopRules(first_failure=True)
    assert (park.warm_up_ns, users.warm_up_ns) == (0, 10 * SECOND_NS)


def test_each_group_gives_what_a_group_lacks_and_joins_lets_and_feeds(lab: SmallLab) -> None:
    lab.write("systems/shop/workloads/a.csv", b"x\n1\n")
    lab.write("systems/shop/workloads/b.csv", b"x\n2\n")
    workload = read(
        lab,
        f"""{HEAD}\
each_group:
  users: 5
  think: 1s
  feed: {{a: a.csv, b: a.csv}}
  let: {{x: "{{{{a.x}}}}", y: "{{{{b.x}}}}"}}
  session: [{{operation: look, get: "/{{{{x}}}}/{{{{y}}}}"}}]
groups:
- group: one
- {{group: two, users: 7, think: 2s, feed: {{b: b.csv}}, let: {{y: "{{{{x}}}}-{{{{group}}}}"}}}}
""",
    )
    one, two = workload.groups
    assert (one.arrivals.highest, two.arrivals.highest) == (5, 7)
    assert (one.think, two.think) == tuple(
        ConstantThink(constant_ns=seconds * SECOND_NS) for seconds in (1, 2)
    )
    assert [feed.source.name for feed in two.feeds] == ["b.csv", "a.csv"]
    assert [let.let for let in two.lets] == ["x", "y"]
    assert [text_shown(let.text or "") for let in two.lets] == ["{{a.x}}", "{{x}}-two"]


def test_lets_are_made_in_the_order_in_which_they_need_each_other(lab: SmallLab) -> None:
    lets = 'c: "{{b}}-{{a}}", b: "{{a + 1}}", a: "{{session_number}}", d: "{{uuid()}}"'
    workload = read(
        lab, f"{HEAD}group: g\nusers: 1\nlet: {{{lets}}}\nsession: [{{operation: a, get: /}}]\n"
    )
    assert [let.let for let in workload.groups[0].lets] == ["a", "b", "c", "d"]


def test_stages_go_up_again_and_again(lab: SmallLab) -> None:
    stages = "[{to: 10, over: 0s}, {up: 50%, over: 5s, times: 2}, {up: 3, over: 1s, hold: 2s}]"
    workload = read(
        lab,
        f"{HEAD}group: g\nusers: {{stages: {stages}}}\nsession: [{{operation: a, get: /}}]\n",
    )
    assert workload.arrivals is not None
    assert [(stage.to, stage.over_ns // SECOND_NS) for stage in workload.arrivals.stages] == [
        (10, 0),
        (15, 5),
        (23, 5),
        (26, 1),
        (26, 2),
    ]


def test_steps_are_kept_as_they_are_nested(lab: SmallLab) -> None:
    workload = read(
        lab,
        f"""{HEAD}group: g
users: 1
session:
- choose:
  - {{weight: 1, steps: [{{operation: a, get: /, capture: {{id: /id}}}}]}}
  - {{weight: 3, steps: [{{operation: b, get: /, capture: {{id: {{header: x-id}}}}}}]}}
- repeat: 2
  steps: [{{operation: c, get: "/{{{{id}}}}", on_failure: go_on}}]
- {{operation: d, get: /, when: id, think: {{exponential: 1s}}}}
""",
    )
    choose, repeat, last = workload.groups[0].session
    assert isinstance(choose, Choose)
    assert [each.weight for each in choose.choose] == [1, 3]
    assert isinstance(repeat, Repeat)
    (inner,) = repeat.steps
    assert isinstance(inner, Send)
    assert inner.on_failure == "go_on"
    assert isinstance(last, Send)
    assert last.when == "id"
    assert [each.operation for each in workload.groups[0].operations] == ["a", "b", "c", "d"]
    assert workload.plain_session is None


def test_rules_of_a_group_and_of_all_are_apart(lab: SmallLab) -> None:
    workload = read(
        lab,
        f"""{HEAD}\
stop: {{p99: {{above: 1s, for: 10s}}}}
groups:
- {{group: one, users: 1, stop: {{first_timeout: true}}, session: [{{operation: a, get: /}}]}}
""",
    )
    assert workload.stop == StopRules(p99=P99Rule(above_ns=SECOND_NS, for_ns=10 * SECOND_NS))
    assert workload.groups[0].stop == StopRules(first_timeout=True)
    assert list(workload.cells) == ["one.a"]


def test_a_group_that_begins_later_makes_the_load_change_later(lab: SmallLab) -> None:
    text = f"""{HEAD}\
each_group: {{users: 1, session: [{{operation: a, get: /}}]}}
groups: [{{group: one}}, {{group: two, start_after: 20s}}]
"""
    workload = read(lab, text)
    assert workload.changes_ns == 20 * SECOND_NS
    assert workload.warm_up_ns == 0  # none to detect
    assert read(lab, text.replace(", start_after: 20s", "")).warm_up_ns is None


SHARES = st.lists(st.integers(1, 100), min_size=1, max_size=8).map(
    lambda parts: [part / sum(parts) for part in parts]
)


@given(st.integers(0, 2_000), SHARES)
def test_whole_numbers_are_dealt_to_the_last_and_never_fewer_of_more(
    total: int, shares: list[float]
) -> None:
    parts, more = dealt(total, shares), dealt(total + 1, shares)
    assert sum(parts) == total
    assert all(
        abs(part - total * share) < len(shares) for part, share in zip(parts, shares, strict=True)
    )
    assert all(one <= other for one, other in zip(parts, more, strict=True))


@given(SHARES, st.integers(8, 500), st.lists(st.integers(0, 500), min_size=1, max_size=5))
def test_users_and_rates_add_up(shares: list[float], connections: int, levels: list[int]) -> None:
    stages = tuple(Stage(to=level, over_ns=5) for level in levels)
    users = dealt_users(Users(stages=stages), shares)
    assert [sum(each.stages[at].to for each in users) for at in range(len(levels))] == levels
    rates = dealt_rate(Rate(stages=stages, connections=connections), shares)
    assert sum(each.connections for each in rates) == connections
    assert all(each.connections >= 1 for each in rates)
    assert sum(each.stages[0].to for each in rates) == pytest.approx(levels[0])
