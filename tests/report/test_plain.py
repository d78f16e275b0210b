import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import BaseModel
from study_builder import StudyBuilder

from loadstone.text.plain import plain, plain_model, plain_value


@given(st.text())
def test_plain_text_has_only_visible_characters_on_one_line(text: str) -> None:
    shown = plain(text)
    assert len(shown) == len(text)
    assert all(unicodedata.category(c) not in ("Cc", "Cf", "Cs", "Zl", "Zp") for c in shown)


@given(st.text())
def test_plain_text_stays_as_it_is_when_made_plain_again(text: str) -> None:
    assert plain(plain(text)) == plain(text)


def test_ordinary_text_is_kept() -> None:
    assert plain("Größe 1.07 × – “ok”") == "Größe 1.07 × – “ok”"


def test_terminal_commands_and_direction_overrides_are_replaced() -> None:
    assert plain("a\x1b[2Jb\u202ec\nd") == "a\ufffd[2Jb\ufffdc d"


def test_keys_and_nested_values_are_made_plain() -> None:
    assert plain_value({"a\x00": [("b\x1b", 1)]}) == {"a\ufffd": [("b\ufffd", 1)]}


def test_an_analysis_of_plain_texts_is_not_changed() -> None:
    analysis = StudyBuilder().analysis()
    assert plain_model(analysis) == analysis


class Note(BaseModel):
    text: str
    more: dict[str, tuple[str, ...]] = {}


@given(st.text(), st.text())
def test_a_model_is_made_plain_text_by_text(text: str, key: str) -> None:
    made = plain_model(Note(text=text, more={key: (text,)}))
    assert made == Note(text=plain(text), more={plain(key): (plain(text),)})


@pytest.mark.parametrize("text", ["1.10–1.14 µs × 2", 'a "quoted" \\ path \\\\n', "中"])
def test_a_model_of_plain_texts_is_left_as_it_is(text: str) -> None:
    note = Note(text=text)
    assert plain_model(note) is note


@pytest.mark.parametrize("text", ["\n", "\\\n", "\x1b[31m", "\u202e", "\ud800", "\x7f", "\u2028"])
def test_a_model_with_one_text_that_is_not_plain_is_made_so(text: str) -> None:
    assert plain_model(Note(text="ordinary", more={"a": (text,)})).more == {"a": (plain(text),)}
