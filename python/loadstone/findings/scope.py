"""What a finding is about, as text: the one home of its spelling."""

STUDY = "study"


def study(results: str) -> str:
    """All of one study, where there are two."""
    return f"{STUDY}:{results}"


def is_study(text: str) -> bool:
    """Whether it is about all of a study."""
    return text.partition(":")[0] == STUDY


def run(run_id: str) -> str:
    """One run."""
    return f"run:{run_id}"


def arm(arm_id: str, workload: str) -> str:
    """One arm under one workload."""
    return f"arm:{arm_id}/{workload}"


def comparison(question: str) -> str:
    """The comparisons of one question."""
    return f"comparison:{question}"
