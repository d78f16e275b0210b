"""One URL as a session of one request."""

from pathlib import Path

from described import hold_to_schemas, init, text_of
from giving import giving


def test_a_secret_of_the_query_is_sent_and_not_written(tmp_path: Path) -> None:
    with giving(b"{}") as url:
        made = init(tmp_path, url=f"{url}?api_key=hunter22&page=2")
    text = text_of(made.folder)
    assert "hunter22" not in text
    assert '"/openapi.json?api_key={{env.API_KEY}}&page=2"' in text
    assert [each.variable for each in made.description.secrets] == ["API_KEY"]
    assert all("hunter22" not in note for note in made.description.notes)
    hold_to_schemas(made.folder)
