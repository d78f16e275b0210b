"""`loadstone explain` through the real command, also on narrow screens."""

import pytest
from lab import Lab

from loadstone.explained.catalogue import SECTIONS, names


def words_of(text: str) -> str:
    return " ".join(text.split())


@pytest.mark.parametrize("columns", [40, 80, 200])
def test_a_code_is_explained_in_all_its_parts(lab: Lab, columns: int) -> None:
    ended = lab.run("explain", "littles-law", columns=columns)
    assert ended.code == 0, ended.stderr
    lines = ended.stdout.splitlines()
    assert max(map(len, lines)) <= columns
    assert lines[0] == "littles-law"
    text = words_of(ended.stdout)
    titles = ("What it means", "Why it matters", "From where on it is told", "What to do")
    places = [text.index(title) for title in titles]
    assert places == sorted(places)
    assert "do not account for all closed users of a group" in text
    assert "Withhold: the figure cannot stand" in text
    assert "`" not in text
    assert "](" not in text


def test_an_outcome_is_explained_without_a_threshold(lab: Lab) -> None:
    ended = lab.run("explain", "cannot", "tell")
    assert ended.code == 2
    ended = lab.run("explain", "cannot-tell")
    assert ended.code == 0
    assert "Outcomes of a question" in ended.stdout
    assert "From where on" not in ended.stdout


def test_a_name_with_two_meanings_has_both(lab: Lab) -> None:
    ended = lab.run("explain", "unanswered")
    assert ended.stdout.count("What it means") == 2
    assert "Outcomes of a request" in ended.stdout


@pytest.mark.parametrize("columns", [40, 80])
def test_without_a_code_all_are_listed(lab: Lab, columns: int) -> None:
    ended = lab.run("explain", columns=columns)
    assert ended.code == 0
    lines = ended.stdout.splitlines()
    assert max(map(len, lines)) <= columns
    listed = {line.split()[0] for line in lines if line.startswith("  ") and line[2] != " "}
    assert listed >= set(names())
    for section in SECTIONS:
        assert section.title in lines


def test_an_unknown_code_is_told_with_those_that_are_near(lab: Lab) -> None:
    ended = lab.run("explain", "litle-law")
    assert ended.code == 2
    assert ended.stdout == ""
    assert ended.stderr.splitlines() == [
        "error: unknown code 'litle-law'",
        "hint: did you mean littles-law? `loadstone explain` lists all",
    ]
    far = lab.run("explain", "xyzzy-plugh-9")
    assert far.stderr.splitlines()[1] == "hint: `loadstone explain` lists all"
