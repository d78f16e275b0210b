"""What a question of a study came to: who is best, by how much, who has no place, what to believe.

All sentences are made of these fields alone.
"""

from typing import Literal

from loadstone.frozen import Frozen

Bound = Literal["", "at least", "at most"]
"""What a figure is where something else than the service limited it."""

Outcome = Literal["one best", "shared", "equivalent", "cannot tell", "one figure", "no figure"]
"""`one best`: every other is told to be worse than some arm. `shared`: several may be the best.
`equivalent`: all are, within the margin. `one figure`, `no figure`: too few stand to be compared."""


Trust = Literal["no doubt", "doubt", "not judged"]
"""What the rules say of an answer."""


class Place(Frozen):
    """One arm among those that differ from it in the question's factor alone."""

    arm: str
    """Arm id."""
    label: str
    """Its level of the factor."""
    rank: int
    """By the estimate alone, 1 is the best; never to be read without the places left open."""
    low: int
    """The best place that it can have."""
    high: int
    """The worst."""
    value: float
    """The arm's figure."""
    value_low: float | None
    """Lower end of the 95 % interval of this figure, by itself; none where the runs have none."""
    value_high: float | None
    """Upper end."""
    behind: float | None
    """How many times worse than the first: 1 and more; none of metrics that can be 0."""
    bound: Bound = ""
    """Whether the service may be better than its figure."""
    bound_reason: str = ""
    """Why."""
    not_held: str = ""
    """What of its contract the arm is not held to; empty where it is to all."""


class NoPlace(Frozen):
    """One arm that is not ranked."""

    arm: str
    """Arm id."""
    label: str
    """Its level of the factor."""
    reason: str
    """Why, in words that need no key."""
    codes: str = ""
    """Codes of the findings that take its place away."""
    value: float | None = None
    """Its figure, where that stands although nothing is claimed of it."""
    would_be_best: bool = False
    """Whether that is better than every figure that has a place."""
    not_held: str = ""
    """What of its contract the arm is not held to; empty where it is to all."""


class Lead(Frozen):
    """How much better the first is than another arm; of several first the least lead of them."""

    label: str
    """The other's level."""
    value: float
    """The ratio, above 1; or the difference, above 0."""
    low: float | None
    """Lower end of its interval."""
    high: float | None
    """Upper end."""
    level: float
    """Of the interval: what the family's correction used."""


class Standing(Frozen):
    """The levels of a question's factor under one workload by one metric, all else being alike."""

    workload: str
    """Workload name."""
    metric: str
    """Catalogue name."""
    case: dict[str, str]
    """The other factors that vary among the question's arms, and their levels here."""
    outcome: Outcome
    """What can be said."""
    best: tuple[str, ...]
    """Labels of those that may be the best, by rank."""
    places: tuple[Place, ...]
    """By rank."""
    no_places: tuple[NoPlace, ...]
    """In the plan's order."""
    over_next: Lead | None
    """Over the best of the others; none where the first are not told to be better than it."""
    over_last: Lead | None
    """Over the last, where that is another one."""
    margin: float
    """Fraction within which arms count as equivalent."""
    smallest_effect: float | None
    """Of pairs not told apart: the ratio above 1, or difference, that would have been found."""
    sentences: tuple[str, ...] = ()
    """All that in words."""


class Answer(Frozen):
    """What a question of the study came to. A simulated study has but the question."""

    question: str
    """The question."""
    compare: str = ""
    """The factor whose levels it compares."""
    headline: tuple[str, ...] = ()
    """The answer by the primary metric: who is best, by how much, and who has no place."""
    further: tuple[str, ...] = ()
    """The answer by each other metric, a sentence each."""
    trust: Trust = "no doubt"
    """What the rules say of all that it rests on."""
    belief: str = ""
    """Whether to believe it: the gravest doubt, or that none was found or could not be judged."""
    standings: tuple[Standing, ...] = ()
    """By each metric, the primary one first, under each workload, in each case."""
    sentences: tuple[str, ...] = ()
    """What goes beyond that: effects of factors, shares of variance, times to failure."""
