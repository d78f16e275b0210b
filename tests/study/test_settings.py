"""Settings of a system: factors of its own, and how a wrong one is refused."""

import pytest
from small_lab import SmallLab, plan_of

from loadstone.errors import InputError
from loadstone.study.files import settings_file
from loadstone.study.values.manifest import Setting, System

FILE = "systems/shop/system.yaml"

SYSTEM = """\
system: shop
title: A shop
dependencies: {backend: echo}
settings:
  strategy: {variable: {gateway: STRATEGY}, levels: [one-by-one, all-at-once]}
  delay: {variable: {users: DELAY_MS, gateway: EXPECTED_MS}, levels: ["0", "5", "50"]}
services:
  gateway:
    legs: [client, look-up]
    needs: [users]
    variables: {USERS_URL: "{users}"}
    ready: {operation: buy, get: /buy}
  users:
    legs: [look-up]
    needs: [backend]
    ready: {operation: look, get: /user}
"""

USERS = """\
stack: go
language: Go
framework: none
build: make
run: ./run
runtimes: [go, node]
protocols: {look-up: [h1c]}
"""

ARMS = "arms:\n  gateway: [go, node]\n  client: [h1c]\n  upstream: [h1c]\n"
OWN_ARMS = "arms:\n  gateway: [go, node]\n  users: [go]\n  client: [h1c]\n  look-up: [h1c]\n"


@pytest.fixture
def shop(lab: SmallLab) -> SmallLab:
    lab.write(FILE, SYSTEM)
    lab.write("systems/shop/users/go/stack.yaml", USERS)
    for stack in ("go", "node"):
        lab.change(f"systems/shop/gateway/{stack}/stack.yaml", "upstream:", "look-up:")
    lab.study(ARMS, OWN_ARMS)
    return lab


def with_arms(shop: SmallLab, more: str) -> None:
    shop.study(OWN_ARMS, f"{OWN_ARMS}{more}")


def test_settings_stand_in_file_order_and_the_first_level_is_the_default(shop: SmallLab) -> None:
    system = shop.catalogue.system("shop")
    assert [(each.name, each.levels) for each in system.settings] == [
        ("strategy", ("one-by-one", "all-at-once")),
        ("delay", ("0", "5", "50")),
    ]
    assert system.chosen({}) == {"strategy": "one-by-one", "delay": "0"}
    assert system.chosen({"delay": "5", "client": "h1c"}) == {
        "strategy": "one-by-one",
        "delay": "5",
    }


def test_every_service_is_told_by_its_own_variable(shop: SmallLab) -> None:
    system = shop.catalogue.system("shop")
    chosen = system.chosen({"delay": "5"})
    assert system.setting_variables("gateway", chosen) == {
        "STRATEGY": "one-by-one",
        "EXPECTED_MS": "5",
    }
    assert system.setting_variables("users", chosen) == {"DELAY_MS": "5"}


def test_a_dependency_has_the_level_of_the_setting_that_names_its_seed(shop: SmallLab) -> None:
    system = shop.catalogue.system("shop")
    rows = Setting(name="rows", levels=("6", "0"), seed="backend")
    seeded: System = system.model_copy(update={"settings": (*system.settings, rows)})
    assert seeded.level_of("backend", seeded.chosen({})) == "6"
    assert seeded.level_of("backend", seeded.chosen({"rows": "0"})) == "0"
    assert seeded.level_of("other", seeded.chosen({})) is None
    assert system.level_of("backend", system.chosen({})) is None


def test_files_of_levels_are_no_part_of_the_seed(shop: SmallLab) -> None:
    for name in ("1-tables.sql", "levels/6.sql", "levels/0.sql"):
        shop.write(f"systems/shop/seed/backend/{name}", "")
    system = shop.catalogue.system("shop")
    assert [path.name for path in system.seed_of("backend")] == ["1-tables.sql"]
    assert [path.name for path in system.seed_levels_of("backend")] == ["0.sql", "6.sql"]


ROWS = '  rows: {seed: backend, levels: ["6", "0"]}\n'


@pytest.fixture
def seeded(shop: SmallLab, monkeypatch: pytest.MonkeyPatch) -> SmallLab:
    """A shop with data, as if its backend kept some."""
    monkeypatch.setattr(settings_file, "WITHOUT_DATA", frozenset())
    shop.change(FILE, "settings:\n", f"settings:\n{ROWS}")
    for level in ("0", "6"):
        shop.write(f"systems/shop/seed/backend/levels/{level}.sql", "")
    return shop


def test_a_seed_has_a_file_for_each_level(seeded: SmallLab) -> None:
    system = seeded.catalogue.system("shop")
    rows = system.settings[0]
    assert (rows.name, rows.seed, rows.levels, rows.variables) == (
        "rows",
        "backend",
        ("6", "0"),
        {},
    )
    (seeded.root / "systems/shop/seed/backend/levels/0.sql").unlink()
    with pytest.raises(InputError) as caught:
        seeded.catalogue.system("shop")
    assert caught.value.message.endswith(
        ":5: settings.rows.levels[1]: there is no file seed/backend/levels/0.*"
    )
    assert caught.value.remedy == "write it, so that the data can be brought to this level"


def test_levels_of_several_settings_of_one_seed_are_joined(seeded: SmallLab) -> None:
    more = '  cost: {seed: backend, variable: {gateway: COST}, levels: ["4", "10"]}\n'
    seeded.change(FILE, ROWS, f"{ROWS}{more}")
    with pytest.raises(InputError) as caught:
        seeded.catalogue.system("shop")
    assert caught.value.message.endswith(
        ":6: settings.cost.levels[0]: there is no file seed/backend/levels/6-4.*"
    )
    for name in ("6-4", "6-10", "0-4", "0-10"):
        seeded.write(f"systems/shop/seed/backend/levels/{name}.sql", "")
    for name in ("6", "0"):
        (seeded.root / f"systems/shop/seed/backend/levels/{name}.sql").unlink()
    system = seeded.catalogue.system("shop")
    assert system.level_of("backend", system.chosen({})) == "6-4"
    chosen = system.chosen({"cost": "10", "rows": "0"})
    assert system.level_of("backend", chosen) == "0-10"
    assert system.setting_variables("gateway", chosen)["COST"] == "10"


def test_a_setting_that_is_not_named_is_no_factor_and_has_its_first_level(shop: SmallLab) -> None:
    plan = plan_of(shop.study(), shop.catalogue)
    assert [arm.id for arm in plan.arms] == ["go", "node"]
    for arm in plan.arms:
        assert arm.settings == {"strategy": "one-by-one", "delay": "0"}
        assert not {"strategy", "delay"} & set(arm.factors)


def test_a_setting_that_varies_is_in_the_ids_of_the_arms(shop: SmallLab) -> None:
    with_arms(shop, '  delay: ["50", "0"]\n  strategy: [all-at-once]\n')
    plan = plan_of(shop.study(), shop.catalogue)
    assert [arm.id for arm in plan.arms] == ["go-50", "go-0", "node-50", "node-0"]
    first = plan.arms[0]
    assert (first.factors["delay"], first.factors["strategy"]) == ("50", "all-at-once")
    assert first.settings == {"strategy": "all-at-once", "delay": "50"}


def test_a_setting_prunes_and_is_asked_about_as_any_factor(shop: SmallLab) -> None:
    with_arms(shop, '  delay: ["0", "5", "50"]\n')
    shop.study(
        "blocks: 6",
        'except:\n  - {delay: ["5"], gateway: node}\n  - {delay: "50", workload: steady}\nblocks: 6',
    )
    shop.study("    compare: gateway\n", '    compare: delay\n    where: {gateway: "go"}\n')
    plan = plan_of(shop.study(), shop.catalogue)
    assert [arm.id for arm in plan.arms] == ["go-0", "go-5", "go-50", "node-0", "node-50"]
    assert plan.arms[2].workloads == ("busy",)
    assert plan.questions[0].compare == "delay"
    shop.study('where: {gateway: "go"}', 'where: {delay: "5"}')
    with pytest.raises(InputError, match="delay has one level, 5"):
        plan_of(shop.study(), shop.catalogue)


def test_only_keeps_the_levels_that_it_names(shop: SmallLab) -> None:
    with_arms(shop, '  delay: ["0", "5"]\n')
    shop.study("blocks: 6", 'only: [{delay: "5"}]\nblocks: 6')
    assert [arm.id for arm in plan_of(shop.study(), shop.catalogue).arms] == ["go", "node"]


STUDY_CASES = {
    "a level that the system does not have": (
        '  delay: ["0", "500"]\n',
        ":9: arms.delay[1]: 500 is not a level of delay",
        "did you mean 50? known: 0, 5, 50",
    ),
    "a level that is not text": (
        "  delay: [0, 5]\n",
        ":9: arms.delay[0]: must be text, not 0",
        'put it in quotes: "0"',
    ),
    "a level twice": (
        '  delay: ["0", "0"]\n',
        ":9: arms.delay[1]: 0 is there twice",
        "keep one of the two",
    ),
    "a mapping": (
        "  delay: [{stack: go, label: again}]\n",
        ":9: arms.delay[0]: must be a word, not a mapping",
        "write the level alone",
    ),
    "an unknown setting": (
        '  delays: ["0"]\n',
        ":9: arms.delays: is not a factor of shop",
        "did you mean delay? known: gateway, users, client, look-up, page-cache, strategy, delay",
    ),
}


@pytest.mark.parametrize(
    ("more", "message", "remedy"), STUDY_CASES.values(), ids=STUDY_CASES.keys()
)
def test_a_wrong_level_is_refused_with_line_and_key(
    shop: SmallLab, more: str, message: str, remedy: str
) -> None:
    with_arms(shop, more)
    path = shop.study()
    with pytest.raises(InputError) as caught:
        plan_of(path, shop.catalogue)
    assert caught.value.message.removeprefix(str(path)).startswith(message)
    assert caught.value.remedy == remedy


STRATEGY = "strategy: {variable: {gateway: STRATEGY}, levels: [one-by-one, all-at-once]}"

FILE_CASES = {
    "a service that is not there": (
        "{variable: {gateway: STRATEGY}",
        "{variable: {gatewai: STRATEGY}",
        ":5: settings.strategy.variable.gatewai: gatewai is not a service",
        "did you mean gateway? known: gateway, users",
    ),
    "a dependency that should be told": (
        "{variable: {gateway: STRATEGY}",
        "{variable: {backend: STRATEGY}",
        ":5: settings.strategy.variable.backend: backend is not a service",
        "known: gateway, users",
    ),
    "what is no variable": (
        "{gateway: STRATEGY}",
        "{gateway: strategy}",
        ":5: settings.strategy.variable.gateway: is not a variable's name",
        "write capitals, digits and '_'",
    ),
    "a variable that the service has already": (
        "{gateway: STRATEGY}",
        "{gateway: USERS_URL}",
        ":5: settings.strategy.variable.gateway: is USERS_URL, which is among its variables",
        "choose another variable",
    ),
    "the port": (
        "{gateway: STRATEGY}",
        "{gateway: PORT}",
        ":5: settings.strategy.variable.gateway: is PORT, which the lab itself gives to services",
        "choose another variable",
    ),
    "the variable of a leg": (
        "{gateway: STRATEGY}",
        "{gateway: LOOK_UP_PROTOCOL}",
        ":5: settings.strategy.variable.gateway: is LOOK_UP_PROTOCOL, by which it is told what "
        "look-up speaks",
        "choose another variable",
    ),
    "a variable of another setting": (
        "gateway: EXPECTED_MS",
        "gateway: STRATEGY",
        ":6: settings.delay.variable.gateway: is STRATEGY, which it has of the setting strategy",
        "choose another variable",
    ),
    "nobody to tell": (
        "{variable: {gateway: STRATEGY}, ",
        "{variable: {}, ",
        ":5: settings.strategy.variable: must ",
        "",
    ),
    "neither variable nor seed nor instances": (
        "{variable: {gateway: STRATEGY}, ",
        "{",
        ":5: settings.strategy: has neither variable nor seed nor instances",
        "say which service is told its level, whose data is brought to it, or which service has so "
        "many processes",
    ),
    "an unknown dependency": (
        "{variable: {gateway: STRATEGY}, ",
        "{seed: backends, ",
        ":5: settings.strategy.seed: backends is not a dependency",
        "did you mean backend? known: backend",
    ),
    "a dependency without data": (
        "{variable: {gateway: STRATEGY}, ",
        "{seed: backend, ",
        ":5: settings.strategy.seed: backend is of kind echo, which keeps no data",
        "name a dependency that does, or tell a service the level by variable",
    ),
    "no levels": (
        "levels: [one-by-one, all-at-once]",
        "levels: []",
        ":5: settings.strategy.levels: must not be empty",
        "list at least one",
    ),
    "a level twice": (
        "levels: [one-by-one, all-at-once]",
        "levels: [one-by-one, all-at-once, one-by-one]",
        ":5: settings.strategy.levels[2]: one-by-one is there twice",
        "keep one of the two",
    ),
    "a level that is no name": (
        "levels: [one-by-one, all-at-once]",
        'levels: [one-by-one, "all at once"]',
        ":5: settings.strategy.levels[1]: 'all at once' is not a name",
        "write lower-case letters",
    ),
    "the name of a leg": (
        STRATEGY,
        STRATEGY.replace("strategy:", "look-up:"),
        ":5: settings.look-up: is the name of a leg, too",
        "choose another name",
    ),
    "the name of a service": (
        STRATEGY,
        STRATEGY.replace("strategy:", "users:"),
        ":5: settings.users: is the name of a service, too",
        "choose another name",
    ),
    "the name of a dependency": (
        STRATEGY,
        STRATEGY.replace("strategy:", "backend:"),
        ":5: settings.backend: is the name of a dependency, too",
        "choose another name",
    ),
    "the name of a factor that every system has": (
        STRATEGY,
        STRATEGY.replace("strategy:", "page-cache:"),
        ":5: settings.page-cache: is a name of the lab's own",
        "choose another name",
    ),
    "what stands for a workload": (
        STRATEGY,
        STRATEGY.replace("strategy:", "workload:"),
        ":5: settings.workload: is a name of the lab's own",
        "choose another name",
    ),
    "a setting twice": (
        "  delay:",
        "  strategy:",
        ":6: settings.strategy: is there twice, first in line 5",
        "keep one of the two",
    ),
}


@pytest.mark.parametrize(
    ("old", "new", "message", "remedy"), FILE_CASES.values(), ids=FILE_CASES.keys()
)
def test_a_wrong_setting_is_refused_with_line_and_key(
    shop: SmallLab, old: str, new: str, message: str, remedy: str
) -> None:
    path = shop.change(FILE, old, new)
    with pytest.raises(InputError) as caught:
        shop.catalogue.system("shop")
    assert caught.value.message.removeprefix(str(path)).startswith(message)
    assert (caught.value.remedy or "").startswith(remedy)
