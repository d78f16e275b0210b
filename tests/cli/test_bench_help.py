"""`loadstone bench --help`: options under headings, nothing beyond 80 columns."""

import re

from lab import Lab


def test_every_option_stands_under_a_heading_in_80_columns(lab: Lab) -> None:
    ended = lab.run("bench", "--help", columns=80)
    assert ended.code == 0
    assert max(map(len, ended.stdout.splitlines())) <= 80
    headings = re.findall(r"^(\w[\w ]*):$", ended.stdout, re.MULTILINE)
    assert headings == [
        *("Arguments", "Load", "Request", "Connection", "Engine", "Result", "Other options"),
    ]
    rest = ended.stdout.partition("Other options:")[2]
    assert re.findall(r"--[\w-]+", rest) == ["--help"]
