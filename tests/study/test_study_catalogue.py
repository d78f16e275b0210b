"""What the roots have, by name."""

from pathlib import Path

import pytest
from small_lab import RUNTIME, SmallLab

from loadstone.errors import InputError
from loadstone.study.systems.catalogue import Catalogue, open_catalogue
from loadstone.study.systems.origin_text import origin_text, overriding_text, roots_text
from loadstone.study.systems.roots import shipped_root


@pytest.fixture
def both(lab: SmallLab, tmp_path_factory: pytest.TempPathFactory) -> tuple[SmallLab, Catalogue]:
    """A root of a user's with a runtime `go` and a system `market`, and the small lab behind it."""
    own = SmallLab(tmp_path_factory.mktemp("own"))
    for name in ("systems/shop", "runtimes/node.yaml", "studies/which.yaml"):
        (own.root / name).rename(own.root / f"moved-{Path(name).name}")
    (own.root / "moved-shop").rename(own.root / "systems/market")
    own.change("systems/market/system.yaml", "system: shop", "system: market")
    return own, Catalogue(own.root, lab.root, own=own.root)


def test_names_are_sorted_and_come_from_the_folders(lab: SmallLab) -> None:
    (lab.root / "systems/shop/gateway/empty").mkdir()
    assert lab.catalogue.systems() == ("shop",)
    assert lab.catalogue.workloads("shop") == ("busy", "steady")
    assert lab.catalogue.stack_names("shop", "gateway") == ("go", "node")
    assert [
        each.stack for each in lab.catalogue.stacks(lab.catalogue.system("shop"), "gateway")
    ] == ["go", "node"]
    assert lab.catalogue.runtimes() == ("go", "node")
    assert lab.catalogue.studies() == ("which",)
    assert lab.catalogue.study("which") == lab.root / "studies/which.yaml"


def test_names_of_all_roots_are_known_and_those_of_the_first_stand(
    lab: SmallLab, both: tuple[SmallLab, Catalogue]
) -> None:
    own, catalogue = both
    own.write("runtimes/go.yaml", RUNTIME.format(runtime="go", detect="false"))
    assert catalogue.systems() == ("market", "shop")
    assert catalogue.runtimes() == ("go", "node")
    assert catalogue.studies() == ("which",)
    assert catalogue.runtime("go").detect == "false"
    assert catalogue.runtime("node").detect == "true"
    assert catalogue.root_of("system", "market") == own.root
    assert catalogue.root_of("system", "shop") == lab.root
    assert catalogue.system("market").directory.is_relative_to(own.root)


def test_a_stack_of_a_user_runs_on_a_runtime_of_another_root(
    both: tuple[SmallLab, Catalogue],
) -> None:
    _, catalogue = both
    market = catalogue.system("market")
    assert catalogue.stack(market, "gateway", "node").runtimes == ("node",)


def test_where_names_come_from_is_told(lab: SmallLab, both: tuple[SmallLab, Catalogue]) -> None:
    own, catalogue = both
    assert overriding_text(catalogue) == "yours in place of shipped: runtime go"
    roots = f"{own.root} (yours), then {lab.root} (yours)"
    assert roots_text(catalogue) == f"{roots}; yours in place of shipped: runtime go"
    assert origin_text(catalogue, "runtime", "go") == (
        f"{own.root} (yours), in place of the shipped one"
    )
    assert origin_text(catalogue, "runtime", "node") == f"{lab.root} (yours)"
    assert overriding_text(lab.catalogue) is None
    assert roots_text(Catalogue(shipped_root())) == f"{shipped_root()} (shipped)"


def test_an_unknown_name_is_refused_with_the_known_ones(lab: SmallLab) -> None:
    for find in (
        lambda: lab.catalogue.system("../shop"),
        lambda: lab.catalogue.workload("shop", "../busy"),
        lambda: lab.catalogue.stack(lab.catalogue.system("shop"), "gateway", "rust"),
        lambda: lab.catalogue.runtime("deno"),
        lambda: lab.catalogue.study("../which"),
    ):
        with pytest.raises(InputError, match="unknown") as caught:
            find()
        assert "known: " in (caught.value.remedy or "")


def test_an_unknown_name_is_refused_with_every_root_that_was_looked_through(
    lab: SmallLab, both: tuple[SmallLab, Catalogue]
) -> None:
    own, catalogue = both
    own.change("systems/market/gateway/go/stack.yaml", "runtimes: [go]", "runtimes: [go, deno]")
    for find in (
        lambda: catalogue.system("absent"),
        lambda: catalogue.runtime("deno"),
        lambda: catalogue.study("absent"),
        lambda: catalogue.stack(catalogue.system("market"), "gateway", "go"),
    ):
        with pytest.raises(InputError) as caught:
            find()
        assert f"looked in {own.root} and {lab.root}" in caught.value.message


def test_a_broken_stack_does_not_hinder_another(lab: SmallLab) -> None:
    lab.write("systems/shop/gateway/node/stack.yaml", "[")
    assert lab.catalogue.stack(lab.catalogue.system("shop"), "gateway", "go").stack == "go"


def test_the_root_that_is_found_comes_before_the_shipped_one(lab: SmallLab) -> None:
    lab.write("loadstone.yaml", "format: 1\n")
    catalogue = open_catalogue(lab.root / "systems/shop", {})
    assert catalogue.roots == (lab.root.resolve(), shipped_root())
    assert catalogue.own == lab.root.resolve()
    assert "shop" in catalogue.systems()
    assert "mediation" in catalogue.systems()


def test_without_a_root_of_a_users_there_is_the_shipped_one(tmp_path: Path) -> None:
    catalogue = open_catalogue(tmp_path, {})
    assert (catalogue.roots, catalogue.own) == ((shipped_root(),), None)


def test_inside_the_checkout_the_checkout_is_both(tmp_path: Path) -> None:
    catalogue = open_catalogue(Path(__file__), {})
    assert (catalogue.roots, catalogue.own) == ((shipped_root(),), shipped_root())
