"""The options of a long command under headings, in the plain form of every other help text."""

from typing import Any

from typer.core import TyperCommand


class PanelCommand(TyperCommand):
    """Lists options by their `rich_help_panel`, those without one last."""

    def format_options(self, ctx: Any, formatter: Any) -> None:
        """Write arguments, then a section for each panel in the order of the options."""
        sections: dict[str, list[tuple[str, str]]] = {"Arguments": []}
        rest: list[tuple[str, str]] = []
        for parameter in self.get_params(ctx):
            record = parameter.get_help_record(ctx)
            if record is None:
                continue
            panel = getattr(parameter, "rich_help_panel", None)
            if parameter.param_type_name == "argument":
                panel = "Arguments"
            (sections.setdefault(panel, []) if panel else rest).append(record)
        for heading, records in (*sections.items(), ("Other options", rest)):
            if records:
                with formatter.section(heading):
                    formatter.write_dl(records, col_max=28)
