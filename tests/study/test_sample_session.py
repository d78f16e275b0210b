"""The first session of a group, as far as it is known before a load."""

from pathlib import Path

import pytest
from rich.console import Console

from loadstone.errors import InputError
from loadstone.report.terminal.sessions import print_sessions
from loadstone.study.files.workload_file import read_workload
from loadstone.study.values.model import Workload

DATA = Path(__file__).parent / "data"
FLAT = "workload: w\nkind: load\nduration: 60s\ngroup: g\nusers: 2\n"


def shown(path: Path, run_id: str | None = "b1-1") -> list[str]:
    workload = read_workload(path)
    assert isinstance(workload, Workload)
    console = Console(width=60)
    with console.capture() as printed:
        print_sessions(console, workload, path.parent, run_id)
    return [line.strip() for line in printed.get().splitlines()]


def of_text(folder: Path, text: str, run_id: str | None = "b1-1") -> list[str]:
    path = folder / "w.yaml"
    path.write_text(FLAT + text)
    return shown(path, run_id)


def test_one_session_of_each_group_of_a_booking_service_is_shown() -> None:
    lines = shown(DATA / "booking" / "workloads" / "load.yaml")
    assert [line.partition(": ")[0] for line in lines if line.startswith("load, group")] == [
        f"load, group {name}" for name in ("adders", "bookers", "browsers", "raters", "deciders")
    ]
    assert "email = bookers-b1-1-0@booking.example" in lines
    assert "add-facility: POST /clubs/{{club}}/facilities" in lines
    assert "captures {{club}}: /items/0/id" in lines
    assert "captures {{facility}}: /items/*/id, of these session_number % 20" in lines
    assert "authorization: Bearer {{token}}" in lines
    assert '{"facility_id":{{facility}},"starts_at":"2041-01-01T06:00:00Z"}' in lines
    assert "expects 201, 409, which ends the session" in lines
    assert (
        "feed slot: 9601 to 95999, 43,200 rows, each once: 432 sessions of each user, then the "
        "load stops" in lines
    )


def test_secrets_are_masked(tmp_path: Path) -> None:
    (tmp_path / "keys.csv").write_text("key\nfrom-the-feed\n")
    lines = of_text(
        tmp_path,
        """\
feed: {key: keys.csv}
session:
- {operation: a, get: /, capture: {token: {header: x-token}}}
- operation: b
  get: "/{{env.PLACE}}"
  headers:
    Authorization: "Bearer {{token}}"
    cookie: "k={{key.key}}"
    x-api-key: typed
    x: "{{env.X}}"
""",
    )
    assert "b: GET /(masked)" in lines
    assert "Authorization: Bearer {{token}}" in lines
    assert "cookie: (masked)(masked)" in lines
    assert "x-api-key: (masked)" in lines
    assert "x: (masked)" in lines
    assert not any("typed" in line or "from-the-feed" in line for line in lines)


def test_what_is_drawn_or_depends_on_the_time_stays_in_braces(tmp_path: Path) -> None:
    lines = of_text(
        tmp_path,
        """\
let: {dice: "{{random(1, 6)}}", more: "{{dice + 1}}", id: "{{run_id}}-{{user_number}}"}
once:
- {operation: log-in, post: /log-in, form: {id: "{{id}}", at: "{{now()}}"}}
session:
- repeat: "{{1 + session_number % 3}}"
  steps:
  - {operation: a, post: "/{{turn}}", json: {more: "{{more}}", id: "{{uuid()}}", b: "{{base64(id)}}"}}
- choose:
  - {weight: 80, steps: [{operation: b, get: /b}]}
  - {weight: 20, steps: [{operation: c, get: /c, check: {json: {/a: absent}, header: {x: present}}}]}
- {operation: d, get: /d, when: more}
""".replace("- {operation: d, get: /d, when: more}\n", ""),
        run_id=None,
    )
    assert "dice = {{random(1, 6)}}" in lines
    assert "more = {{dice + 1}}" in lines
    assert "id = {{run_id}}-{{user_number}}" in lines
    assert "once, before the first session of a user:" in lines
    assert "id={{id}}&at={{now()}}" in lines
    assert "1 times, here turn 0:" in lines
    assert "a: POST /0" in lines
    assert '{"more":{{more}},"id":{{uuid()}},"b":{{base64(id)}}}' in lines
    assert [line for line in lines if "times in 100" in line] == [
        "80 times in 100:",
        "20 times in 100:",
    ]
    assert "expects any 2xx, /a absent, x present" in lines


def test_feeds_say_how_they_are_taken(tmp_path: Path) -> None:
    (tmp_path / "a.csv").write_text("x\nÅ b\n2\n3\n4\n")
    text = """\
feed:
  one: a.csv
  two: {file: a.csv, take: random}
  three: {file: a.csv, take: once, rows: [1, 4]}
  four: {file: a.csv, take: once, per: user}
session: [{operation: a, get: "/{{one.x}}/{{two.x}}"}]
"""
    lines = of_text(tmp_path, text)
    assert lines[2:6] == [
        "feed one: a.csv, 4 rows, in turn",
        "feed two: a.csv, 4 rows, drawn",
        "feed three: a.csv, 4 rows, each once: 2 sessions of each user, then the load stops",
        "feed four: a.csv, 4 rows, each once",
    ]
    assert "a: GET /%C3%85%20b/{{two.x}}" in lines
    workload = read_workload(tmp_path / "w.yaml")
    assert isinstance(workload, Workload)
    with pytest.raises(InputError, match="cannot be read"):
        print_sessions(Console(), workload, tmp_path / "elsewhere")


def test_a_long_body_is_cut(tmp_path: Path) -> None:
    lines = of_text(
        tmp_path, "session: [{operation: a, post: /, payload: {kind: simple, bytes: 3000}}]\n"
    )
    assert any(line.endswith("... (3000 characters)") for line in lines)
