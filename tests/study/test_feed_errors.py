"""Feeds that are wrong: each is refused with its file, line and key, and what to do."""

import pytest
from small_lab import SmallLab

from loadstone.errors import InputError
from loadstone.study.files.workload_file import read_workload

OWNERS = "email,age\nann@x.example,40\nbob@x.example,41\ncid@x.example,none\n"
TEXT = """\
workload: feed
kind: load
duration: 60s
group: owners
users: 2
feed: {owner: owners.csv}
session:
- {operation: a, post: /a, json: {email: "{{owner.email}}"}}
"""
RATE = "rate: {per_second: 500, connections: 50}"

CASES: dict[str, tuple[list[tuple[str, str]], str, str]] = {
    "a file that is nowhere": (
        [("owners.csv", "owner.csv")],
        OWNERS,
        "feed.yaml:6: feed.owner: owner.csv is neither beside the workload nor in the seed",
    ),
    "a file that is nowhere, in full": (
        [("owners.csv", "{file: owner.csv}")],
        OWNERS,
        "feed.yaml:6: feed.owner.file: owner.csv is neither beside the workload nor in the seed",
    ),
    "a file elsewhere": (
        [("owners.csv", "../../system.yaml")],
        OWNERS,
        "feed.yaml:6: feed.owner: '../../system.yaml' is not the name of a file",
    ),
    "a row without a value": ([], OWNERS + "dan\n", "owners.csv:5: has 1 columns, the header 2"),
    "a blank line": ([], OWNERS + "\n", "owners.csv:5: has 0 columns, the header 2"),
    "a row of two lines": (
        [],
        'email,age\n"a\nb",1\nc\n',
        "owners.csv:4: has 1 columns, the header 2",
    ),
    "a quote in the middle": (
        [],
        'email,age\n"a"b,1\n',
        "owners.csv:2: is no CSV: ',' expected after '\"'",
    ),
    "no row": ([], "email,age\n", "owners.csv:1: has no row"),
    "nothing": ([], "", "owners.csv:1: has no header"),
    "a column twice": ([], "email,email\na,b\n", "owners.csv:1: the column 'email' is there twice"),
    "a column without a name": ([], "email,\na,b\n", "owners.csv:1: column 2 has no name"),
    "a column that is none": (
        [("owner.email", "owner.mail")],
        OWNERS,
        "feed.yaml:8: session[0].json.email: owner.mail is not known here",
    ),
    "a text as a number": (
        [("{{owner.email}}", "{{number(owner.age)}}")],
        OWNERS,
        "feed.yaml:8: session[0].json.email: owner.age is not a number in every row of owners.csv",
    ),
    "rows behind the last": (
        [("owners.csv", "{file: owners.csv, rows: [1, 4]}")],
        OWNERS,
        "feed.yaml:6: feed.owner.rows: ends after row 3, the last",
    ),
    "rows the wrong way round": (
        [("owners.csv", "{file: owners.csv, rows: [3, 1]}")],
        OWNERS,
        "feed.yaml:6: feed.owner.rows: is empty",
    ),
    "rows of a range": (
        [("owners.csv", "{range: [1, 4], rows: [1, 2]}")],
        OWNERS,
        "feed.yaml:6: feed.owner.rows: is of a file",
    ),
    "steps of a file": (
        [("owners.csv", "{file: owners.csv, step: 2}")],
        OWNERS,
        "feed.yaml:6: feed.owner.step: is of a range",
    ),
    "a range of nothing": (
        [("owners.csv", "{range: [5, 4]}")],
        OWNERS,
        "feed.yaml:6: feed.owner.range: is empty",
    ),
    "a range that is not known beforehand": (
        [("owners.csv", '{range: [1, "{{session_number}}"]}')],
        OWNERS,
        "feed.yaml:6: feed.owner.range[1]: is not known beforehand",
    ),
    "a range to a word": (
        [("owners.csv", '{range: [1, "ten"]}')],
        OWNERS,
        "feed.yaml:6: feed.owner.range[1]: 'ten' is not a whole number",
    ),
    "neither a file nor a range": (
        [("owners.csv", "{take: once}")],
        OWNERS,
        "feed.yaml:6: feed.owner: has either file or range",
    ),
    "fewer rows than users": (
        [("owners.csv", "{file: owners.csv, take: once}"), ("users: 2", "users: 4")],
        OWNERS,
        "feed.yaml:6: feed.owner.take: feed owner has 3 rows for 4 users",
    ),
    "fewer rows than streams": (
        [("owners.csv", "{file: owners.csv, take: once}"), ("users: 2", "users: 2\nstreams: 2")],
        OWNERS,
        "feed.yaml:7: feed.owner.take: feed owner has 3 rows for 4 users",
    ),
    "fewer rows than sessions": (
        [
            ("owners.csv", "{range: [1, 20000], take: once}"),
            ("owner.email", "owner"),
            ("users: 2", RATE),
        ],
        OWNERS,
        "feed.yaml:6: feed.owner.take: the rate begins 30000 sessions, the feed has 20000 rows",
    ),
    "fewer rows than sessions that may come": (
        [
            ("owners.csv", "{range: [1, 30000], take: once}"),
            ("owner.email", "owner"),
            ("users: 2", RATE.replace("}", ", poisson: true}")),
        ],
        OWNERS,
        "feed.yaml:6: feed.owner.take: the rate begins 30693 sessions, the feed has 30000 rows",
    ),
    "a row for each user of a rate": (
        [("owners.csv", "{file: owners.csv, per: user}"), ("users: 2", RATE)],
        OWNERS,
        "feed.yaml:6: feed.owner.per: a rate has no users",
    ),
    "the name of a let": (
        [("session:", 'let: {owner: "{{session_number}}"}\nsession:')],
        OWNERS,
        "feed.yaml:6: feed.owner: owner is also the name of a let",
    ),
    "the name of a constant": (
        [("{owner:", "{run_id:")],
        OWNERS,
        "feed.yaml:6: feed.run_id: run_id is a word of templates",
    ),
    "no size of the seed": (
        [("users: 2", "users: 2\nseed: huge")],
        OWNERS,
        "feed.yaml:6: seed: huge is no size of the seed",
    ),
}


def refused(lab: SmallLab, text: str, owners: str) -> InputError:
    lab.write("systems/shop/workloads/owners.csv", owners.encode())
    with pytest.raises(InputError) as caught:
        read_workload(lab.write("systems/shop/workloads/feed.yaml", text))
    assert caught.value.remedy
    return caught.value


@pytest.mark.parametrize(("changes", "owners", "message"), CASES.values(), ids=CASES.keys())
def test_a_wrong_feed_is_refused_with_file_line_and_key(
    lab: SmallLab, changes: list[tuple[str, str]], owners: str, message: str
) -> None:
    text = TEXT
    for old, new in changes:
        assert text.count(old) == 1, old
        text = text.replace(old, new)
    error = refused(lab, text, owners)
    folder = lab.root / "systems/shop/workloads"
    assert error.message.removeprefix(f"{folder}/").startswith(message)


def test_rows_that_two_groups_take_once_are_refused(lab: SmallLab) -> None:
    feed = "{file: owners.csv, take: once}"
    text = f"""\
workload: feed
kind: load
duration: 60s
each_group:
  users: 1
  session: [{{operation: a, get: /}}]
groups:
- {{group: bookers, feed: {{owner: {feed}}}}}
- {{group: raters, feed: {{one: {feed}}}}}
"""
    error = refused(lab, text, OWNERS)
    assert error.message.endswith(
        "feed.yaml:9: groups[1].feed.one.take: owners.csv is taken once by bookers and raters"
    )
    apart = text.replace(f"one: {feed}", "one: {file: owners.csv, take: once, rows: [3, 3]}")
    apart = apart.replace(f"owner: {feed}", "owner: {file: owners.csv, take: once, rows: [1, 2]}")
    read_workload(lab.write("systems/shop/workloads/feed.yaml", apart))


def test_a_file_that_is_not_utf_8_is_refused(lab: SmallLab) -> None:
    lab.write("systems/shop/workloads/owners.csv", b"email\na\n\xff\n")
    with pytest.raises(InputError, match=r"owners\.csv:3: is not UTF-8 text"):
        read_workload(lab.write("systems/shop/workloads/feed.yaml", TEXT))


def test_a_seed_of_several_sizes_is_asked_for(lab: SmallLab) -> None:
    for size in ("small", "large"):
        lab.write(f"systems/shop/seed/{size}/seed.yaml", f"clubs: {len(size)}\nname: {size}\n")
        lab.write(f"systems/shop/seed/{size}/owners.csv", f"email\n{size}@x.example\n".encode())
    text = TEXT.replace("{{owner.email}}", "{{seed.clubs}}")
    with pytest.raises(InputError, match=r"owners\.csv is neither beside the workload nor in the"):
        read_workload(lab.write("systems/shop/workloads/feed.yaml", text))
    of_none = text.replace("feed: {owner: owners.csv}\n", "")
    with pytest.raises(InputError, match="not known here: its seed has the sizes large, small"):
        read_workload(lab.write("systems/shop/workloads/feed.yaml", of_none))
    of_one = text.replace("users: 2", "users: 2\nseed: large")
    read_workload(lab.write("systems/shop/workloads/feed.yaml", of_one))


@pytest.mark.parametrize(
    ("constants", "message"),
    [("clubs: 1.5\n", "clubs: must be a whole number or text"), ("a-b: 1\n", "a-b: is no name")],
)
def test_wrong_constants_of_a_seed_are_refused(lab: SmallLab, constants: str, message: str) -> None:
    path = lab.write("systems/shop/seed/small/seed.yaml", constants)
    lab.write("systems/shop/workloads/owners.csv", OWNERS.encode())
    with pytest.raises(InputError) as caught:
        read_workload(lab.write("systems/shop/workloads/feed.yaml", TEXT))
    assert caught.value.message.startswith(f"{path}:1: {message}")
