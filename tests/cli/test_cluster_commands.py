"""`loadstone cluster`, and `run --machines`, where there is no cluster: what is refused, and how."""

from pathlib import Path

import pytest
from lab import Lab, study_of

from loadstone.cluster.ray_node import make_token

WITHOUT_RAY = "import sys; sys.modules['ray'] = None"
WITH_RAY = """
import importlib.util
found = importlib.util.find_spec
importlib.util.find_spec = lambda name: found("json" if name == "ray" else name)
"""
"""As if it were installed: nothing of it may be asked for before what is refused."""


def machines_in(lab: Lab, token: Path) -> str:
    (lab.root / "machines.yaml").write_text(
        f"head: 127.0.0.1:1\ntoken: {token}\nmachines: {{a: {{address: 10.0.0.1}}}}\nsites: [a]\n"
    )
    return "machines.yaml"


@pytest.mark.parametrize(
    ("words", "message", "hint"),
    [
        (("up", "--address", "8.8.8.8"), "8.8.8.8 is reached from the internet", "--certificate"),
        (("up", "--address", "10.0.0.1:6379"), "10.0.0.1:6379 is neither", "without a port"),
        (("up", "--address", "10.0.0.1", "--key", "k"), "--authority together", "all three"),
        (("join", "10.0.0.1:99999", "--as", "a"), "is not an address with a port", "6379"),
        (("join", "10.0.0.1", "--as", "A b"), "'A b' is not a name", "lower-case"),
        (("join", "10.0.0.1", "--as", "a"), "there is no token at token", "cluster up"),
        (("check", "--machines", "none.yaml"), "none.yaml: cannot be read", "check the path"),
    ],
)
def test_what_cannot_be_is_refused_before_anything_starts(
    lab: Lab, words: tuple[str, ...], message: str, hint: str
) -> None:
    token = () if words[0] == "check" else ("--token", "token")
    ended = lab.run("cluster", *words, *token, changed=WITH_RAY)
    assert ended.code == 2
    assert message in ended.stderr
    assert hint in ended.stderr
    assert not (lab.root / "token").exists()


def test_without_ray_it_is_said_how_to_get_it(lab: Lab) -> None:
    token = lab.root / "token"
    make_token(token)
    lab.study(study_of("go", "node"))
    machines = machines_in(lab, token)
    for words in (
        ("cluster", "up", "--address", "10.0.0.1", "--token", "token"),
        ("cluster", "join", "10.0.0.1", "--as", "a", "--token", "token"),
        ("cluster", "check", "--machines", machines),
        ("run", "trial", "--machines", machines),
    ):
        ended = lab.run(*words, changed=WITHOUT_RAY)
        assert ended.code == 2
        assert "error: Ray is not installed" in ended.stderr
        assert "hint: pip install 'loadstone[cluster]'" in ended.stderr
    assert lab.left_behind() == []


def test_a_machine_that_is_in_no_cluster_drives_nothing(lab: Lab) -> None:
    token = lab.root / "token"
    make_token(token)
    lab.study(study_of("go", "node"))
    ended = lab.run("run", "trial", "--machines", machines_in(lab, token), changed=WITH_RAY)
    assert ended.code == 2
    assert "this machine is not in the cluster at 127.0.0.1:1" in ended.stderr
    assert not (lab.root / "results").exists()


def test_a_token_that_others_may_read_is_refused(lab: Lab) -> None:
    token = lab.root / "token"
    make_token(token)
    token.chmod(0o644)
    ended = lab.run(
        "cluster", "join", "10.0.0.1", "--as", "a", "--token", "token", changed=WITH_RAY
    )
    assert ended.code == 2
    assert "others may read the token at token" in ended.stderr
    assert "chmod 600 token" in ended.stderr


def test_nothing_of_ray_is_imported_by_a_study_on_one_machine(lab: Lab) -> None:
    lab.study(study_of("go", "node"))
    ended = lab.run("run", "trial", "--dry-run", changed=WITHOUT_RAY)
    assert ended.code == 0, ended.stderr
