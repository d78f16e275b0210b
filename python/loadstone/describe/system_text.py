"""`system.yaml`: what is started for a run, and how it is called."""

from loadstone.describe.dependencies import DATABASES, NAME, FoundDriver, variables_of
from loadstone.describe.model import Description
from loadstone.describe.starts.model import Toolchain
from loadstone.describe.step_text import request_lines
from loadstone.describe.yaml_text import flow, in_comment, quoted, scalar
from loadstone.study.values.dependency import DependencyKind
from loadstone.text.plain import plain
from loadstone.text.quoted import shortened


def system_text(
    description: Description,
    name: str,
    service: str,
    toolchain: Toolchain,
    database: DependencyKind | None,
    driver: FoundDriver | None,
) -> str:
    """The file of a system of one service."""
    title = shortened(plain(description.title).strip()) or "An API"
    lines = [
        f"# Made by `loadstone init` of {in_comment(description.made_of)}.",
        f"system: {scalar(name)}",
        f"title: {quoted(title)}",
        "",
        *_dependencies(toolchain, database, driver),
        "services:",
        f"  {service}:",
        "    legs: [client]   # one hop: from the load engine to the service",
        *_needs(toolchain, database),
        "    ready:   # a start is over when this is answered so",
    ]
    if description.ready.said:
        lines.append(f"      # {in_comment(description.ready.said)}")
    lines += request_lines(description.ready, 6)
    return "\n".join((*lines, ""))


def _dependencies(
    toolchain: Toolchain, database: DependencyKind | None, driver: FoundDriver | None
) -> list[str]:
    if database is not None:
        return [
            "dependencies:",
            f"  # A private server for each run; seed/{NAME}/*.sql, run as its user, makes its tables.",
            f"  {NAME}: {DATABASES[database].declared}",
            "",
        ]
    if driver is None:
        return ["# Nothing else is started: the service has the environment of the lab.", ""]
    found = DATABASES[driver.kind]
    variables = variables_of(driver.kind, toolchain.language, toolchain.framework)
    return [
        f"# {in_comment(driver.manifest)} names {in_comment(driver.driver)}. The service has the",
        "# environment of the lab, so it finds the database that it finds without it. By",
        f"# `loadstone init --dependency {driver.kind}` the lab starts {found.title} of its own for",
        f"# each run, as by these lines; its tables are made in seed/{NAME}/*.sql:",
        f"#   dependencies: {{{NAME}: {found.declared}}}",
        f"#   needs: [{NAME}]",
        f"#   variables: {flow(dict(variables))}",
        "",
    ]


def _needs(toolchain: Toolchain, database: DependencyKind | None) -> list[str]:
    if database is None:
        return ["    # variables: {NAME: value}   # of its environment, beside PORT"]
    variables = variables_of(database, toolchain.language, toolchain.framework)
    return [
        f"    needs: [{NAME}]",
        "    # By the names that the service reads.",
        f"    # There are {{{NAME}.host}} and {{{NAME}.port}}, too.",
        "    variables:",
        *(f"      {name}: {quoted(text)}" for name, text in variables.items()),
    ]
