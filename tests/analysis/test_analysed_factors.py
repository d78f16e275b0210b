"""Stacks on runtimes as two factors, where they cross."""

from built_cells import cells, question

from loadstone.analysis.compare.analysed_factors import analysed_factors
from loadstone.analysis.compare.factorials import factorials
from loadstone.study.values.model import Arm
from loadstone.study.values.service_choice import OwnAddress, ServiceChoice, StackChoice

SERVICE = "gateway"


def arm(choice: ServiceChoice, **factors: str) -> Arm:
    levels = {SERVICE: choice.label, **factors}
    return Arm(id="-".join(levels.values()), factors=levels, services=(choice,), legs={})


def on(stack: str, runtime: str, label: str = "") -> StackChoice:
    label = label or f"{stack}-{runtime}"
    return StackChoice(service=SERVICE, label=label, stack=stack, runtime=runtime)


CROSSED = [arm(on(stack, runtime)) for stack in ("spring", "quarkus") for runtime in ("17", "25")]


def test_stacks_that_share_runtimes_are_two_factors() -> None:
    found = analysed_factors(CROSSED)
    assert found["spring-17"] == {"gateway stack": "spring", "gateway runtime": "17"}
    assert list(found) == [each.id for each in CROSSED]


def test_other_factors_stay() -> None:
    arms = [arm(choice, client=leg) for choice in map(_only, CROSSED) for leg in ("h1c", "h2c")]
    found = analysed_factors(arms)
    assert list(found["spring-17-h1c"]) == ["gateway stack", "gateway runtime", "client"]


def test_where_a_runtime_tells_its_stack_there_is_one_factor() -> None:
    arms = [arm(on("go", "go")), arm(on("node", "node-26")), arm(on("node", "node-24"))]
    assert analysed_factors(arms)["go-go"] == {SERVICE: "go-go"}


def test_the_same_stack_twice_and_a_service_of_ones_own_are_levels_of_one_factor() -> None:
    again = [*CROSSED, arm(on("spring", "17", "again"))]
    assert analysed_factors(again)["again"] == {SERVICE: "again"}
    own = OwnAddress(service=SERVICE, label="own", url="http://127.0.0.1:1")
    assert analysed_factors([*CROSSED, arm(own)])["spring-17"] == {SERVICE: "spring-17"}


def test_the_shares_of_both_are_told() -> None:
    values = {
        "spring-17": (10.0, 10.2, 9.9),
        "spring-25": (9.0, 9.1, 8.9),
        "quarkus-17": (5.0, 5.1, 4.9),
        "quarkus-25": (4.5, 4.6, 4.4),
    }
    (model,) = factorials(question(), CROSSED, cells(values))
    shares = {term.factors: term.share for term in model.terms}
    assert shares["gateway stack",] > 0.8
    assert 0.01 < shares["gateway runtime",] < 0.2
    assert model.caveat == ""


def _only(of: Arm) -> ServiceChoice:
    (choice,) = of.services
    return choice
