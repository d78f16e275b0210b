"""Sessions on the terminal before anything is sent: of a study, and of a URL by a workload's file."""

from pathlib import Path

import pytest
from lab import Lab, study_of

WORKLOAD = """\
workload: shop
kind: load
duration: 10s
groups:
- group: buyers
  users: 5
  let: {id: "{{run_id}}-{{session_number}}"}
  session:
  - {operation: log-in, post: /log-in, json: {name: "{{id}}"}, capture: {token: /token}}
  - {operation: buy, post: /buy, headers: {authorization: "Bearer {{token}}"}}
"""


@pytest.fixture
def shop(lab: Lab) -> Path:
    path = lab.root / "systems/mediation/workloads/shop.yaml"
    path.write_text(WORKLOAD)
    return path


def test_a_dry_run_of_a_study_shows_a_session_of_each_group(lab: Lab, shop: Path) -> None:
    lab.study(study_of("go").replace("[saturation-50b]", "[saturation-50b, shop]"))
    ended = lab.run("run", "trial", "--dry-run")
    assert ended.code == 0, ended.stderr
    assert "shop, group buyers: 5 closed users" in ended.stdout
    assert '{"name":"b1-' in ended.stdout
    assert "authorization: Bearer {{token}}" in ended.stdout
    assert "saturation-50b, group" not in ended.stdout


def test_a_url_is_loaded_as_a_workloads_file_says(lab: Lab, shop: Path) -> None:
    ended = lab.run("bench", "http://127.0.0.1:1/", "--workload", str(shop), "--dry-run")
    assert (ended.code, ended.stderr) == (0, "")
    assert (
        ended.stdout
        == """
shop, group buyers: 5 closed users
  id = {{run_id}}-{{session_number}}
  session 0 of user 0:
    log-in: POST /log-in
      content-type: application/json
      {"name":{{id}}}
      expects any 2xx
      captures {{token}}: /token
    buy: POST /buy
      authorization: Bearer {{token}}
      expects any 2xx
"""
    )


def test_a_dry_run_without_a_file_shows_the_request(lab: Lab) -> None:
    words = ("--rate", "5", "--body", "{}", "--header", "Cookie: a=b", "--dry-run")
    ended = lab.run("bench", "http://127.0.0.1:1/look?a=b", *words)
    assert (ended.code, ended.stderr) == (0, "")
    assert "post: POST /look?a=b" in ended.stdout
    assert "Cookie: (masked)" in ended.stdout


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("--users", "5"), "--users and --workload exclude each other"),
        (("--stop-on", "timeout"), "--stop-on and --workload exclude each other"),
        (("--timeout", "30s"), "--timeout and --workload exclude each other"),
        (("--connections", "100"), "--connections and --workload exclude each other"),
    ],
)
def test_what_a_file_says_is_refused_beside_it(
    lab: Lab, shop: Path, words: tuple[str, ...], said: str
) -> None:
    ended = lab.run("bench", "http://127.0.0.1:1/", "--workload", str(shop), *words)
    assert ended.code == 2
    assert said in ended.stderr
    assert f"take {words[0]} out" in ended.stderr


def test_a_url_with_a_path_and_a_workload_of_starts_are_refused(lab: Lab, shop: Path) -> None:
    ended = lab.run("bench", "http://127.0.0.1:1/a", "--workload", str(shop))
    assert ended.code == 2
    assert "has a path, and so has every request" in ended.stderr
    shop.write_text("workload: shop\nkind: startup\n")
    ended = lab.run("bench", "http://127.0.0.1:1/", "--workload", str(shop))
    assert ended.code == 2
    assert "is of kind startup, and a URL can only be loaded" in ended.stderr
