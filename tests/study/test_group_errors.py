"""Groups that are wrong: each is refused with its file, line and key, and what to do."""

from pathlib import Path

import pytest
from small_lab import SmallLab

from loadstone.errors import InputError
from loadstone.study.files.workload_file import read_workload

MIX = """\
workload: mix
kind: load
duration: 60s
each_group:
  think: 1s
  let: {mail: "{{group}}-{{session_number}}"}
parts:
  hello:
  - {operation: hello, get: /}
groups:
- group: readers
  users: 5
  session:
  - part: hello
- group: writers
  users: {stages: [{to: 5, over: 10s}]}
  session:
  - {operation: write, post: /items, json: {mail: "{{mail}}"}}
"""
DEALT = "users: 10\ngroups:"
RATE = "rate: {per_second: 5, connections: 2}"

CASES: dict[str, tuple[list[tuple[str, str]], str]] = {
    "group beside groups": (
        [("groups:", "group: all\ngroups:")],
        "mix.yaml:11: groups: stands beside group",
    ),
    "a group's key beside groups": (
        [("groups:", "think: 1s\ngroups:")],
        "mix.yaml:10: think: stands beside groups",
    ),
    "neither group nor groups": (
        [(MIX[MIX.index("each_group") :], "users: 5\nsession: [{operation: a, get: /}]\n")],
        "mix.yaml:1: group or groups is missing",
    ),
    "each_group without groups": (
        [
            (
                MIX[MIX.index("groups:\n- group") :],
                "group: all\nusers: 5\nsession: [{part: hello}]\n",
            )
        ],
        "mix.yaml:4: each_group: stands beside no groups",
    ),
    "a name in each_group": (
        [("  think: 1s", "  group: all")],
        "mix.yaml:5: each_group.group: belongs to one group",
    ),
    "a share in each_group": (
        [("  think: 1s", "  share: 50%")],
        "mix.yaml:5: each_group.share: belongs to one group",
    ),
    "a group twice": (
        [("group: writers", "group: readers")],
        "mix.yaml:15: groups[1].group: readers is the name of an earlier group",
    ),
    "no part of that name": (
        [("part: hello", "part: helo")],
        "mix.yaml:14: groups[0].session[0].part: helo is no part",
    ),
    "a part in a part": (
        [("  - {operation: hello, get: /}", "  - part: hello")],
        "mix.yaml:9: parts.hello[0].part: parts hold no parts",
    ),
    "a part in a part's alternatives": (
        [
            (
                "  - {operation: hello, get: /}",
                "  - choose:\n    - {weight: 1, steps: [{part: hello}]}",
            )
        ],
        "mix.yaml:10: parts.hello[0].choose[0].steps[0].part: parts hold no parts",
    ),
    "users at the top and in a group": (
        [("groups:", DEALT)],
        "mix.yaml:10: users: stands here and in group readers",
    ),
    "users at the top and in each_group": (
        [("groups:", DEALT), ("  think: 1s", "  users: 5"), ("  users: 5\n  session", "  session")],
        "mix.yaml:10: users: stands here and in each_group",
    ),
    "a share of nothing": (
        [("  users: 5", "  users: 5\n  share: 50%")],
        "mix.yaml:13: groups[0].share: needs users or rate at the top",
    ),
    "shares that are not all": (
        [
            ("groups:", DEALT),
            ("  users: 5\n", "  share: 50%\n"),
            ("  users: {stages: [{to: 5, over: 10s}]}\n", "  share: 45%\n"),
        ],
        "mix.yaml:17: groups[1].share: come to 95 %, not 100 %",
    ),
    "a share missing": (
        [
            ("groups:", DEALT),
            ("  users: 5\n", "  share: 50%\n"),
            ("  users: {stages: [{to: 5, over: 10s}]}\n", ""),
        ],
        "mix.yaml:16: groups[1]: share is missing, and other groups have one",
    ),
    "a share that leaves nobody": (
        [
            ("groups:", DEALT),
            ("  users: 5\n", "  share: 99%\n"),
            ("  users: {stages: [{to: 5, over: 10s}]}\n", "  share: 1%\n"),
        ],
        "mix.yaml:17: groups[1].share: leaves no user for group writers",
    ),
    "fewer connections than groups": (
        [
            ("groups:", "rate: {per_second: 10, connections: 1}\ngroups:"),
            ("  users: 5\n", ""),
            ("  users: {stages: [{to: 5, over: 10s}]}\n", ""),
        ],
        "mix.yaml:10: rate.connections: must be 2 or more, not 1",
    ),
    "neither users nor a rate": (
        [("  users: 5\n", "")],
        "mix.yaml:11: groups[0]: users or rate is missing",
    ),
    "no session": (
        [("  session:\n  - part: hello\n", "")],
        "mix.yaml:11: groups[0]: session is missing",
    ),
    "a group that comes too late": (
        [("  users: 5", "  users: 5\n  start_after: 60s")],
        "mix.yaml:13: groups[0].start_after: begins after the load has ended",
    ),
    "stages that last too long behind their delay": (
        [("  users: {stages", "  start_after: 51s\n  users: {stages")],
        "mix.yaml:17: groups[1].users.stages: last longer than duration",
    ),
    "nobody who could leave": (
        [("  users: 5", f"  {RATE}\n  leave: after_request")],
        "mix.yaml:13: groups[0].leave: nobody leaves a rate",
    ),
    "a rate with a pace": (
        [("  users: 5", f"  {RATE}\n  pace: 10s")],
        "mix.yaml:13: groups[0].pace: a rate paces its sessions",
    ),
    "a rate whose sessions have a past": (
        [("  users: 5", f"  {RATE}\n  once: [{{operation: log-in, get: /log-in}}]")],
        "mix.yaml:13: groups[0].once: an arrived session has no past",
    ),
    "fewer sessions than connections": (
        [("  users: 5", "  rate: {per_second: 5, connections: 20, sessions: 19}")],
        "mix.yaml:12: groups[0].rate.sessions: must not be less than connections",
    ),
    "cookies of a word": (
        [("  users: 5", "  users: 5\n  cookies: 'some'")],
        "mix.yaml:13: groups[0].cookies: must be true or false, not 'some'",
    ),
    "a rule of a group for part of a second": (
        [("  users: 5", "  users: 5\n  stop: {p99: {above: 1s, for: 1500ms}}")],
        "mix.yaml:13: groups[0].stop.p99.for: must be whole seconds, not 1500ms",
    ),
    "a share of nothing yet": (
        [("[{to: 5, over: 10s}]", "[{up: 10%, over: 10s}]")],
        "mix.yaml:16: groups[1].users.stages[0].up: there is nothing yet to be more than",
    ),
    "half a user more": (
        [("[{to: 5, over: 10s}]", "[{up: 1.5, over: 10s}]")],
        "mix.yaml:16: groups[1].users.stages[0].up: must be a whole number of users",
    ),
    "up without a time": (
        [("[{to: 5, over: 10s}]", "[{up: 5, hold: 10s}]")],
        "mix.yaml:16: groups[1].users.stages[0]: has either to and over, or up and over",
    ),
    "up too often": (
        [("[{to: 5, over: 10s}]", "[{up: 1000, over: 0s, times: 66}]")],
        "mix.yaml:16: groups[1].users.stages: rise above 65535 users",
    ),
    "more connections than ports": (
        [("users: 5\n", "users: 40000\n"), ("{to: 5, over", "{to: 40000, over")],
        "mix.yaml:10: groups: have 80000 connections together, 65535 at most",
    ),
    "too many cells": (
        [
            (
                "  session:\n  - part: hello\n",
                "  session:\n"
                + "".join(f"  - {{operation: o{n}, get: /}}\n" for n in range(30))
                + "  - {operation: p, get: /, check: {status: [200, 404], or_end: 409}}\n",
            )
        ],
        "mix.yaml:10: groups: has 34 cells, 32 at most",
    ),
    "too many requests": (
        [("  - part: hello\n", "  - part: hello\n" * 10_001)],
        "mix.yaml:13: groups[0].session: has 10001 requests, 10000 at most",
    ),
    "an unknown word for several groups": (
        [("  - {operation: hello, get: /}", '  - {operation: hello, get: "/{{facilty}}"}')],
        "mix.yaml:9: parts.hello[0].get: facilty is not known here, in group readers",
    ),
    "an unknown word in each_group": (
        [("{{group}}-{{session_number}}", "{{owner.email}}")],
        "mix.yaml:6: each_group.let.mail: owner.email is not known here, in group readers",
    ),
    "the name of an operation for two": (
        [("  - part: hello", "  - part: hello\n  - {operation: hello, get: /other}")],
        "mix.yaml:15: groups[0].session[1].operation: hello is the name of an earlier operation",
    ),
}


def read(lab: SmallLab, text: str = MIX) -> object:
    return read_workload(lab.write("systems/shop/workloads/mix.yaml", text))


def test_what_is_made_wrong_below_is_right(lab: SmallLab) -> None:
    read(lab)


@pytest.mark.parametrize(("changes", "message"), CASES.values(), ids=CASES.keys())
def test_a_wrong_group_is_refused_with_file_line_and_key(
    lab: SmallLab, changes: list[tuple[str, str]], message: str
) -> None:
    text = MIX
    for old, new in changes:
        assert text.count(old) >= 1, old
        text = text.replace(old, new, 1)
    with pytest.raises(InputError) as caught:
        read(lab, text)
    assert caught.value.remedy
    folder = lab.root / "systems/shop/workloads"
    assert caught.value.message.removeprefix(f"{folder}/").startswith(message)


LIKE_CASES = {
    "no such workload": (
        "like: mix",
        "like: mixed",
        "more.yaml:2: like: mixed is no workload of shop",
    ),
    "of itself": ("like: mix", "like: more", "more.yaml:2: like: more is no workload of shop"),
    "like one that is like another": (
        "like: mix",
        "like: other",
        "more.yaml:2: like: other is itself like another",
    ),
    "like starts": (
        "like: mix",
        "like: starts",
        "more.yaml:2: like: starts is a workload of starts",
    ),
    "wrong in what it takes": (
        "duration: 30s",
        "duration: 5s",
        "mix.yaml:16: groups[1].users.stages: last longer than duration",
    ),
    "wrong in what it says": (
        "duration: 30s",
        "duration: 30s\neach_group: {think: none}",
        "more.yaml:4: each_group.think: 'none' is not a duration",
    ),
    "without a kind": ("like: mix", "group: all", "more.yaml:1: kind: is missing"),
}


@pytest.mark.parametrize(("old", "new", "message"), LIKE_CASES.values(), ids=LIKE_CASES.keys())
def test_a_workload_like_none_is_refused(lab: SmallLab, old: str, new: str, message: str) -> None:
    folder = Path("systems/shop/workloads")
    lab.write(str(folder / "mix.yaml"), MIX)
    lab.write(str(folder / "other.yaml"), "workload: other\nlike: mix\n")
    lab.write(str(folder / "starts.yaml"), "workload: starts\nkind: startup\n")
    more = "workload: more\nlike: mix\nduration: 30s\n"
    assert more.count(old) == 1
    path = lab.write(str(folder / "more.yaml"), more.replace(old, new))
    with pytest.raises(InputError) as caught:
        read_workload(path)
    assert caught.value.remedy
    assert caught.value.message.removeprefix(f"{path.parent}/").startswith(message)
