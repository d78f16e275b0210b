"""A study: the main branch against what is checked out, or the service against itself."""

from loadstone.describe.model import Description
from loadstone.describe.yaml_text import scalar


def study_text(
    description: Description, system: str, service: str, study: str, branch: str | None
) -> str:
    """The file of the only study."""
    pauses = any(each.pauses for each in description.workloads if each.name in description.measured)
    metrics = "response_time.median, cpu_per_ok" if pauses else "throughput, cpu_per_ok"
    primary = (
        "how long an answer takes: users who pause set the throughput themselves"
        if pauses
        else "what the CPU buys: these users never pause"
    )
    others = [each.name for each in description.workloads if each.name not in description.measured]
    more = f"   # there are {', '.join(others[:8])}, too" if others else ""
    return "\n".join(
        (
            *_head(system, service, study, branch),
            "  client: [h1c]",
            f"workloads: [{', '.join(map(scalar, description.measured))}]{more}",
            "blocks: 6   # each arm once in each, in random order; fewer rarely tell",
            "seed: 1   # any number: it fixes the order",
            "questions:",
            f"- question: {_question(branch)}",
            f"  compare: {service}",
            f"  metrics: [{metrics}]   # the first is primary: {primary}",
            "  margin: 3%   # a smaller difference does not matter",
            "profiles:",
            "  smoke: {blocks: 1, duration: 2s, warm_up: 1s}   # does it run? too short for a verdict",
            "  first: {blocks: 3}   # a verdict in half the time: it finds large differences alone",
            "",
        )
    )


def _question(branch: str | None) -> str:
    return (
        "Does the lab find a difference where there is none?"
        if branch is None
        else "Does the branch do worse than main?"
    )


def _head(system: str, service: str, study: str, branch: str | None) -> list[str]:
    name = scalar(system)
    if branch is None:
        return [
            "# The same service twice: whatever differs is noise. Put another commit in the place of",
            f"# again: {{label: main, git: main, stack: {name}}}.",
            f"study: {study}",
            "goal: how large a difference is that is none",
            f"system: {name}",
            "arms:",
            f"  {service}:",
            f"  - {name}",
            f"  - {{stack: {name}, label: {'again' if system != 'again' else 'once-more'}}}",
        ]
    return [
        "# What is committed here against main. What is not committed is not built.",
        f"study: {study}",
        "goal: whether this branch does worse than main",
        f"system: {name}",
        "arms:",
        f"  {service}:",
        f"  - {{label: main, git: {scalar(branch)}, stack: {name}}}",
        f"  - {{label: branch, git: HEAD, stack: {name}}}",
    ]
