"""What questions, comparisons and claims come to."""

from loadstone.explained.model import Explained, Section

OF_QUESTIONS = Section(
    "Outcomes of a question",
    (
        Explained(
            name="one best",
            means="every other arm is told to be worse than one of them",
            why="it is the answer, under this workload and by this metric",
            do="read how far it leads, and whether to believe it",
        ),
        Explained(
            name="shared",
            means="several arms share first place: none of them is told to be worse than another, "
            "and some others are",
            why="which of them is best the runs do not tell",
            do="choose among them by another metric, or add blocks",
        ),
        Explained(
            name="equivalent",
            means="all differences lie within the margin, with the error of their intervals",
            why="that there is no difference that matters is a result, too",
            do="choose by something else: memory, start-up, what the team knows",
        ),
        Explained(
            name="cannot tell",
            means="the interval holds no difference and reaches beyond the margin, or a figure "
            "cannot be compared: fewer than 3 runs, withheld, still warming",
            why="it does not say that the arms are equal",
            do="read the reason; where the interval is wide, add blocks, or find what makes runs "
            "differ",
        ),
        Explained(
            name="one figure",
            means="only one arm has a figure that stands",
            why="there is nothing to hold it against",
            do="see the findings on the others",
        ),
        Explained(
            name="no figure",
            means="no arm has a figure that stands",
            why="nothing is ranked",
            do="see the findings",
        ),
        Explained(
            name="no place",
            means="an arm is not ranked: its figure is withheld or missing, it was still warming "
            "up, or it has too few runs",
            why="it could be the best one; the answer is among the others",
            do="read the reason beside it",
        ),
    ),
)

OF_COMPARISONS = Section(
    "Verdicts of a comparison",
    (
        Explained(
            name="better",
            means="the interval leaves out no difference, on the better side of the metric; by "
            "times it reads *faster*, else *lower* or *higher*",
            why="it holds at 95 % over all comparisons of the question by this metric together",
            do="read how large it is: a small one may not matter",
        ),
        Explained(
            name="worse",
            means="as *better*, on the other side; by times it reads *slower*",
            why="`compare --baseline` ends with 1 by it",
            do="read how large it is: a small one may not matter",
        ),
    ),
    about="Of a ratio with its interval, at the level that Holm's correction used. `equivalent` "
    "and `cannot tell` are as of a question.",
)

OF_CLAIMS = Section(
    "Outcomes of a claim",
    (
        Explained(
            name="reproduced",
            means="the interval tells the claimed direction; of *alike*, that the difference is "
            "within the margin",
            why="two machines and two methods agree",
            do="compare directions, and sizes with care",
        ),
        Explained(
            name="not reproduced",
            means="the interval tells the opposite, or a difference within the margin where one "
            "was claimed",
            why="one of the two is wrong, or they measured different things",
            do="see in what load, versions and limits differ",
        ),
        Explained(
            name="undecided",
            means="the interval tells nothing, or a figure is withheld, failed or has too few runs",
            why="it speaks neither for the claim nor against it",
            do="read the reason; add blocks",
        ),
    ),
)

OF_TRUST = Section(
    "Whether to believe an answer",
    (
        Explained(
            name="no doubt",
            means="no rule found a reason to doubt what the answer rests on",
            why="rules look for what they know of, and for no more",
            do="nothing",
        ),
        Explained(
            name="doubt",
            means="findings touch the arms, runs or metrics of the answer; the gravest is named",
            why="the answer may be another one without what they name",
            do="`loadstone explain` of its code",
        ),
        Explained(
            name="not judged",
            means="nobody can say whether the services were warm: too few points, or a load that "
            "changes",
            why="a cold service is ranked too low",
            do="a longer window under users or a rate that stay the same",
        ),
    ),
)
