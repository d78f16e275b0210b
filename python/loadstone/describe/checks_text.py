"""`checks.yaml`: what right answers are."""

from loadstone.describe.model import Description
from loadstone.describe.step_text import entry_lines


def checks_text(description: Description, document: str | None) -> str:
    """The file of the checks; `document` is what the copy of the OpenAPI document is called."""
    lines = ["# What right answers are. A study is not begun where a check does not hold."]
    if document is not None:
        lines += [
            "# Answers that are sampled under load must be what this document says of them.",
            "# It is a copy: copy it anew when the API changes. An answer that does not fit withholds",
            "# figures: where the document is wrong, correct the copy, or take this line out.",
            f"openapi: {document}",
        ]
    if description.checks:
        lines += [
            "# Each is asked once before a study; a GET or HEAD before and after each load, too.",
            "# Add what matters, such as {status: 200, json: {/items/0/id: present}}.",
            "checks:",
        ]
        for request in description.checks:
            lines += entry_lines(request)
    return "\n".join((*lines, ""))
