from loadstone.analysis.compare.pairs import all_pairs, pairs_by_factor, pairs_with
from loadstone.study.values.model import Arm


def arms(*levels: tuple[str, str]) -> list[Arm]:
    return [
        Arm(
            id=f"{gateway}-{client}",
            factors={"gateway": gateway, "client": client},
            services=(),
            legs={},
        )
        for gateway, client in levels
    ]


FOUR = arms(("go", "h1c"), ("go", "h2c"), ("node", "h1c"), ("node", "h2c"))


def test_only_arms_that_differ_in_the_factor_alone_are_compared() -> None:
    assert pairs_by_factor(FOUR, "gateway") == (("go-h1c", "node-h1c"), ("go-h2c", "node-h2c"))
    assert pairs_by_factor(FOUR, "client") == (("go-h1c", "go-h2c"), ("node-h1c", "node-h2c"))


def test_of_two_levels_the_one_named_first_is_the_baseline() -> None:
    mixed = arms(("go", "h1c"), ("node", "h2c"), ("node", "h1c"), ("go", "h2c"))
    assert pairs_by_factor(mixed, "gateway") == (("go-h1c", "node-h1c"), ("go-h2c", "node-h2c"))


def test_a_factor_that_does_not_vary_compares_nothing() -> None:
    assert pairs_by_factor(FOUR, "upstream") == ()
    assert pairs_by_factor(FOUR[:1], "gateway") == ()


def test_a_baseline_meets_every_other_arm() -> None:
    assert pairs_with(FOUR, "node-h1c") == tuple(
        ("node-h1c", other) for other in ("go-h1c", "go-h2c", "node-h2c")
    )


def test_all_pairs_of_four_are_six() -> None:
    assert len(set(all_pairs(FOUR))) == 6
