"""A request as the lines of a step, of a check, or of what the start-up clock asks."""

from loadstone.describe.model import MadeRequest
from loadstone.describe.yaml_text import flow, in_comment, scalar


def request_lines(request: MadeRequest, indent: int) -> list[str]:
    """The keys of a request, one in a line."""
    lines = [
        f"operation: {scalar(request.name)}",
        f"{request.method}: {scalar(request.path)}",
    ]
    if request.headers:
        lines.append(f"headers: {flow(dict(request.headers))}")
    if request.body is not None:
        lines.append(f"{request.body.kind}: {flow(request.body.value)}")
    if request.status is not None:
        lines.append(f"check: {{status: {request.status}}}")
    if request.captures:
        lines.append(f"capture: {flow(dict(request.captures))}")
    if request.any_status:
        lines.append("any_status: true")
    return [f"{' ' * indent}{line}" for line in lines]


def entry_lines(request: MadeRequest, *further: str) -> list[str]:
    """A request as an entry of a list, with further keys behind its own."""
    said = [f"# {in_comment(request.said)}"] if request.said else []
    first, *others = request_lines(request, 2)
    return [*said, f"- {first.strip()}", *others, *(f"  {line}" for line in further)]
