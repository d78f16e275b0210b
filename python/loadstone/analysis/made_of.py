"""What an arm is made of, with versions: read beside its place, since a framework's releases differ."""

import re

from loadstone.results.environment import Environment
from loadstone.study.values.model import Arm
from loadstone.study.values.service_choice import ServiceChoice, StackChoice

_VERSION = re.compile(r"\d+(?:\.\d+)+")


def made_of(arm: Arm, environment: Environment) -> tuple[str, ...]:
    """`Express 5.1.0 on node 20.20.2`, for each service that is measured; empty for a team's own."""
    return tuple(text for choice in arm.measured if (text := _service(choice, environment)))


def _service(choice: ServiceChoice, environment: Environment) -> str:
    if not isinstance(choice, StackChoice):
        return ""
    found = _VERSION.search(environment.versions.get(choice.runtime, ""))
    runtime = f"{choice.runtime} {found[0]}" if found else ""
    framework = environment.frameworks.get(choice.stack, "")
    if framework.lower() == choice.runtime:  # a ready-made proxy is its own runtime
        framework = ""
    return " on ".join(filter(None, (framework, runtime)))
