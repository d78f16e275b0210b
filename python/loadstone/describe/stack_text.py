"""`stack.yaml`: how the service is built and started."""

from loadstone.describe.starts.model import ANY_RUNTIME, Toolchain, Way
from loadstone.describe.yaml_text import flow, in_comment, quoted, scalar

_TO_PROJECT = "../../../../.."
"""From the stack's folder, `loadstone/systems/<system>/<service>/<stack>/`."""


def stack_text(name: str, toolchain: Toolchain, way: Way, told_by: str) -> str:
    """The file of the only stack."""
    runtimes = list(toolchain.runtimes_of(way))
    source = toolchain.manifest or "no manifest that is known"
    unknown = "   # started as it stands" if runtimes == [ANY_RUNTIME] else ""
    told = told_by if way.name in (told_by, "") else f"{way.name} of {told_by}"
    return "\n".join(
        (
            "# How the service is built and started: both in a copy of the project, without .git,",
            "# node_modules, target, virtual environments and this folder.",
            f"stack: {scalar(name)}",
            f"language: {quoted(toolchain.language)}   # by {in_comment(source)}",
            f"framework: {quoted(toolchain.framework)}",
            f"source: {_TO_PROJECT}   # the project, seen from here",
            f"build: {quoted(toolchain.build)}   # a shell command; true does nothing",
            f"# By {in_comment(told)}. It must listen on 127.0.0.1 at the port in PORT.",
            f"run: {quoted(way.run)}",
            f"runtimes: {flow(runtimes)}{unknown}",
            "protocols: {client: [h1c]}   # HTTP/1.1 in cleartext",
            "",
        )
    )
