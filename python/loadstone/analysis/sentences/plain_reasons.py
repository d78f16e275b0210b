"""Findings that take a figure's place away, in a few words that need no key."""

from loadstone.findings.withholding import first_code

_CONTRADICTION = "its figures contradict each other"
_REASONS = {
    "still-warming": "still warming up",
    "compiling": "still compiling",
    "generator-late": "the load generator was late",
    "generator-saturated": "the load generator was full",
    "generator-stalled": "the load generator was kept from running",
    "rate-not-achieved": "the rate was not reached",
    "connections-missing": "too few connections were accepted",
    "wrong-protocol": "another protocol was spoken",
    "contract": "the contract did not hold",
    "failures": "too many requests failed",
    "unanswered": "too many requests had no answer",
    "out-of-memory": "it was killed for want of memory",
    "littles-law": _CONTRADICTION,
    "conservation": _CONTRADICTION,
    "contradictory-summary": _CONTRADICTION,
    "contradicting-times": _CONTRADICTION,
    "timeline-gap": _CONTRADICTION,
}


def plain_reason(codes: str) -> str:
    """`generator-late (in 1 of 6 runs)` reads `the load generator was late (in 1 of 6 runs)`."""
    named, bracket, runs = codes.partition(" (")
    code = first_code(named)
    return f"{_REASONS.get(code, code)}{bracket}{runs}"
