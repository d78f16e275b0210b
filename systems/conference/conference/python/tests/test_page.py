import pytest

from conference.page import Page, read_page
from conference.problem import Problem


def test_a_page_begins_before_all_ids_where_nothing_else_is_said() -> None:
    assert read_page({}) is None
    assert read_page({"limit": "1"}) == Page(1, "")
    assert read_page({"limit": "1000", "after": "a"}) == Page(1000, "a")


@pytest.mark.parametrize(
    "query",
    [
        {"limit": ""},
        {"limit": "0"},
        {"limit": "1001"},
        {"limit": "-1"},
        {"limit": "01"},
        {"limit": "1.0"},
        {"limit": "1\n"},
        {"limit": "²"},
        {"after": "a"},
        {"limit": "1", "after": ""},
        {"limit": "1", "after": "a'"},
    ],
)
def test_other_queries_are_no_page(query: dict[str, str]) -> None:
    with pytest.raises(Problem, match="malformed"):
        read_page(query)


def test_the_next_page_begins_after_the_last_id() -> None:
    link = '</conferences?limit=7&after=a~1>; rel="next"'
    assert Page(7, "").next_link("/conferences", "a~1") == link
