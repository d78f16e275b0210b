"""The page of what a reservation costs: who is cheapest, by how much, with what doubt."""

from loadstone.generate.kept_figures import KeptArm, KeptTable
from loadstone.generate.reservation_cost_page import COST, METRICS, reservation_cost_page
from markdown_table import cells

MILLISECOND = 1e6


def arm(
    stack: str,
    *costs: float | None,
    doubts: tuple[str, ...] = (),
    remarks: tuple[str, ...] = (),
) -> KeptArm:
    """An arm whose reservations cost so many milliseconds.

    A tenth of it is a request's, a fourth of that the database's.
    """
    figures: dict[str, tuple[float | None, ...]] = {
        name: tuple(None if each is None else each * MILLISECOND / 10 for each in costs)
        for name in METRICS
    }
    figures[COST] = tuple(None if each is None else each * MILLISECOND for each in costs)
    figures["database_cpu_per_ok"] = tuple(
        None if each is None else each * MILLISECOND / 30 for each in costs
    )
    return KeptArm(
        stack=stack,
        runtime=stack,
        version="1",
        steady_by=(),
        figures=figures,
        doubts=doubts,
        remarks=remarks,
    )


def page_of(*arms: KeptArm) -> str:
    return reservation_cost_page(
        KeptTable(
            study="booking-fixed-rate",
            workload="fixed-rate",
            blocks=3,
            measured_on="2026-01-01",
            cpu_model="any",
            cpus=2,
            arms=arms,
        )
    )


def rows_of(page: str) -> dict[str, dict[str, str]]:
    lines = page.splitlines()
    begin = next(index for index, line in enumerate(lines) if line.startswith("| stack |"))
    header = cells(lines[begin])
    found = [cells(line) for line in lines[begin + 2 :] if line.startswith("|")]
    return {row[0]: dict(zip(header, row, strict=True)) for row in found}


def test_the_cheapest_stands_first_and_the_others_are_its_multiples() -> None:
    page = page_of(arm("python", 20, 22, 21), arm("rust", 2, 2.1, 2.05), arm("go", 4, 4.1, 4.2))
    rows = rows_of(page)
    assert list(rows) == ["rust", "go", "python"]
    assert rows["rust"]["times the least"] == "1, the least"
    assert rows["rust"]["CPU for 1,000 reservations"] == "2.05 s"
    assert rows["go"]["times the least"].startswith("2.00 [")
    assert rows["go"]["of it the database"] == "25.0 %"
    assert (
        "**rust books cheapest**: 1,000 reservations cost 2.05 s of a CPU. python costs 10.2 ["
        in page
    )


def test_a_million_costs_its_hours_at_the_price() -> None:
    rows = rows_of(page_of(arm("rust", 3.6, 3.6), arm("go", 36, 36)))
    assert (rows["rust"]["for a million"], rows["go"]["for a million"]) == ("0.04", "0.40")


def test_one_that_may_be_alike_is_said_so() -> None:
    page = page_of(arm("rust", 2, 2.4, 2), arm("go", 2.2, 2.3, 2.1), arm("python", 20, 22, 21))
    assert "and go may be as cheap" in page


def test_a_doubted_arm_has_no_multiple_and_its_reason() -> None:
    page = page_of(
        arm("rust", 2, 2, 2), arm("go", 4, 4, 4), arm("spring", 1, 1, 1, doubts=("still-warming",))
    )
    rows = rows_of(page)
    assert list(rows) == ["rust", "go", "spring \\*"]
    assert rows["spring \\*"]["times the least"] == "–"
    assert "- spring: [`still-warming`](findings.md)." in page


def test_a_stack_that_was_measured_twice_tells_the_error_of_the_figures() -> None:
    page = page_of(arm("rust", 2, 2, 2), arm("go", 4, 4.2, 4.4), arm("go", 4.4, 4.6, 4.8))
    assert list(rows_of(page)) == ["rust", "go"]
    assert "go was measured twice, as if it were two stacks: the second cost 1.10 [" in page


def test_what_an_arm_leaves_out_stands_below() -> None:
    page = page_of(arm("rust", 2, 2, 2), arm("spring", 4, 4, 4, remarks=("it leaves P1 out",)))
    assert "- spring: it leaves P1 out" in page.splitlines()


def test_without_a_figure_nothing_is_told() -> None:
    page = page_of(arm("rust", None, None), arm("go", 4, 4))
    assert "Nothing can be told" in page
    assert rows_of(page)["rust \\*"]["for a million"] == "–"
