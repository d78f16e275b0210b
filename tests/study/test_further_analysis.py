"""`analysis: per-request` in a study's file."""

import pytest
from small_lab import SmallLab, plan_of

from loadstone.errors import InputError

KEY = "analysis: per-request\nprofiles:\n"


def test_a_study_asks_for_it_in_a_word(lab: SmallLab) -> None:
    path = lab.study("profiles:\n", KEY)
    assert plan_of(path, lab.catalogue).analysis == "per-request"
    assert plan_of(path, lab.catalogue, "smoke").analysis == "per-request"


def test_without_the_key_nothing_further_is_shown(lab: SmallLab) -> None:
    assert plan_of(lab.study(), lab.catalogue).analysis is None


def test_another_word_is_refused_where_it_stands(lab: SmallLab) -> None:
    path = lab.study("profiles:\n", KEY.replace("per-request", "per-session"))
    with pytest.raises(InputError) as caught:
        plan_of(path, lab.catalogue)
    assert "analysis:" in caught.value.message
    assert "per-request" in f"{caught.value.message} {caught.value.remedy}"
