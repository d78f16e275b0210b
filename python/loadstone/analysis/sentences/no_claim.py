"""Why nothing is claimed of a figure that stands: in a sentence, and in two words beside a figure."""

from loadstone.findings.withholding import first_code

_STATES = {
    "still-warming": "still warming",
    "compiling": "still compiling",
    "late-step": "a late step",
}
_SENTENCES = {
    "still-warming": "{arm} was still warming up",
    "compiling": "{arm} was still compiling",
    "late-step": "{arm} became cheaper behind its window",
}


def why_nothing_is_told(arm: str, codes: str) -> str:
    """`spring was still warming up`: in the place of a verdict."""
    code = first_code(codes)
    return _SENTENCES.get(code, f"{code} of {{arm}}").format(arm=arm)


def state_of(codes: str) -> str:
    """`still warming`: beside a figure, or for a rank that is not given."""
    code = first_code(codes)
    return _STATES.get(code, code)
