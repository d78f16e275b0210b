"""Which scenario a stack has, as one cell of a table."""

from loadstone.study.values.manifest import Scenario, Stack


def scenario_cell(scenario: Scenario, stack: Stack) -> str:
    """Return whether a stack has a scenario, and on which of its runtimes it does not."""
    without = [name for name in stack.runtimes if not stack.on(name).has(scenario)]
    if len(without) == len(stack.runtimes):
        return "-"
    return f"not on {', '.join(without)}" if without else "yes"
