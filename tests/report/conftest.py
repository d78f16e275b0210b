"""What tests of the report share."""

import io
from collections.abc import Callable

import pytest
from rich.console import Console

Show = Callable[..., str]


@pytest.fixture
def shown(monkeypatch: pytest.MonkeyPatch) -> Show:
    """Prints through a console that is piped, and returns what it wrote without trailing blanks."""
    monkeypatch.setenv("NO_COLOR", "1")

    def show(
        width: int, function: Callable[..., None], *arguments: object, colour: bool = False
    ) -> str:
        written = io.StringIO()
        console = Console(
            file=written,
            width=width,
            force_terminal=colour,
            no_color=not colour,
            color_system="standard" if colour else None,
            highlight=False,
        )
        function(console, *arguments)
        return "".join(f"{line.rstrip()}\n" for line in written.getvalue().splitlines())

    return show
