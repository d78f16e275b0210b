"""Published rows are read as they were published, or refused with file and line."""

from pathlib import Path

import pytest
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st
from small_lab import SYSTEM, SmallLab, load_study

from loadstone.errors import InputError
from loadstone.study.design.plan import make_plan
from loadstone.study.files.published_loads_file import load_forms
from loadstone.study.files.published_ramps_file import ramp_forms
from loadstone.study.files.published_starts_file import START_FORM
from loadstone.study.systems.catalogue import Catalogue
from loadstone.study.values.published import Published, PublishedKey, PublishedSource
from loadstone.study.values.published_keys import key_of

ROOT = Path(__file__).resolve().parents[2]
SCENARIOS = """\
scenarios:
  - {operation: buy, legs: {client: h1c, upstream: h1c}}
  - {operation: buy, legs: {client: h2, upstream: h1}}
"""
ABOUT = """\
published: elsewhere
stack: Elsewhere
origin: a table of somebody
machine: a larger one
validity:
  - Its throughput counts failures.
"""
HEADING = (
    "operation,client,upstream,users,message_bytes,delay_ms,failures_percent,"
    "throughput_per_second,mean_ms,standard_deviation_ms,p99_ms,gc_throughput_percent,"
    "memory_after_full_gc_mib"
)
FULL = "buy,h1c,h1c,100,50,0,0,20562.73,4.82,3.02,13,99.44,19.922"
SPARSE = "buy,h2,h1,1000,1024,30,100,37465.18,,,,,"
ROWS = f"{HEADING}\n{FULL}\n{SPARSE}\n"
FOLDER = "systems/shop/published"


@pytest.fixture
def shop(lab: SmallLab) -> SmallLab:
    lab.write("systems/shop/system.yaml", SYSTEM + SCENARIOS)
    lab.write(f"{FOLDER}/elsewhere.yaml", ABOUT)
    lab.write(f"{FOLDER}/elsewhere.csv", ROWS)
    return lab


def read(lab: SmallLab) -> Published:
    found = lab.catalogue.published(lab.catalogue.system("shop"))
    assert found is not None
    return found


def refusal(lab: SmallLab) -> str:
    with pytest.raises(InputError) as caught:
        lab.catalogue.published(lab.catalogue.system("shop"))
    assert caught.value.remedy
    return caught.value.message.removeprefix(f"{lab.root / FOLDER}/")


def test_rows_are_read_with_what_is_known_of_them(shop: SmallLab) -> None:
    published = read(shop)
    (source,) = published.sources
    assert (source.source, source.stack, source.machine) == (
        "elsewhere",
        "Elsewhere",
        "a larger one",
    )
    assert source.validity == ("Its throughput counts failures.",)
    full, sparse = source.rows
    assert full.key == PublishedKey("buy h1c -> h1c", users=100, message_bytes=50, delay_ms=0)
    assert (full.throughput_per_second, full.mean_ms, full.p99_ms) == (20562.73, 4.82, 13)
    assert (full.gc_throughput_percent, full.memory_after_full_gc_mib) == (99.44, 19.922)
    assert sparse.key == PublishedKey("buy h2 -> h1", users=1000, message_bytes=1024, delay_ms=30)
    assert (sparse.failures_percent, sparse.mean_ms, sparse.p99_ms) == (100, None, None)
    assert [each.name for each in published.scenarios] == ["buy h1c -> h1c", "buy h2 -> h1"]


def test_a_system_without_published_rows_has_none(lab: SmallLab) -> None:
    assert lab.catalogue.published(lab.catalogue.system("shop")) is None


def test_sources_stand_in_the_order_of_their_names(shop: SmallLab) -> None:
    for name in ("elsewhere-b", "an-older"):
        shop.write(f"{FOLDER}/{name}.yaml", ABOUT.replace("elsewhere", name))
        shop.write(f"{FOLDER}/{name}.csv", ROWS)
    names = [source.source for source in read(shop).sources]
    assert names == ["an-older", "elsewhere", "elsewhere-b"]


def test_empty_lines_and_those_of_windows_are_taken(shop: SmallLab) -> None:
    before = read(shop)
    shop.write(f"{FOLDER}/elsewhere.csv", f"{HEADING}\r\n\r\n{FULL}\r\n{SPARSE}\r\n\r\n".encode())
    assert read(shop) == before


@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        ("operation,", "scenario,", "elsewhere.csv:1: these are not the columns"),
        (",mean_ms,", ",", "elsewhere.csv:2: 13 cells, and 12 columns"),
        (
            "users,message_bytes",
            "message_bytes,users",
            "elsewhere.csv:1: these are not the columns",
        ),
        (",mean_ms", ",meen_ms", "elsewhere.csv:1: these are not the columns"),
        ("users,", "", "elsewhere.csv:1: these are not the columns"),
        (",19.922", "", "elsewhere.csv:2: 12 cells, and 13 columns"),
        ("buy,h1c,h1c", "bye,h1c,h1c", "elsewhere.csv:2: operation: 'bye' is not known"),
        ("buy,h1c,h1c", "buy,h1c,h3", "elsewhere.csv:2: upstream: 'h3' is not known"),
        (
            "buy,h1c,h1c",
            "buy,h1c,h2",
            "elsewhere.csv:2: operation: buy h1c -> h2 is not a scenario",
        ),
        (
            "100,50,0",
            "0,50,0",
            "elsewhere.csv:2: users: must be a whole number, 1 or more, not '0'",
        ),
        ("100,50,0", "1e2,50,0", "elsewhere.csv:2: users: must be a whole number"),
        ("100,50,0", "100,-50,0", "elsewhere.csv:2: message_bytes: must be a whole number"),
        ("100,50,0", "100,50,", "elsewhere.csv:2: delay_ms: must be a whole number"),
        (",20562.73", ",nan", "elsewhere.csv:2: throughput_per_second: must be a number"),
        (
            ",0,20562.73,4.82,3.02,13,99.44,19.922",
            ",,,,,,,",
            "elsewhere.csv:2: has no figure",
        ),
        (",20562.73", ",=1+1", "elsewhere.csv:2: throughput_per_second: must be a number"),
        (",20562.73", ",'20,562'", "elsewhere.csv:2: 14 cells"),
        (",4.82", ",N/A", "elsewhere.csv:2: mean_ms: must be a number, not 'N/A'"),
        (",99.44", ",100.5", "elsewhere.csv:2: gc_throughput_percent: must be 100 or less"),
        ("30,100,", "30,101,", "elsewhere.csv:3: failures_percent: must be 100 or less"),
        (
            SPARSE,
            FULL,
            "elsewhere.csv:3: this load of buy h1c -> h1c is there twice, first in line 2",
        ),
        (FULL, f'"{FULL}', "elsewhere.csv:3: is not CSV"),
        (ROWS, "", "elsewhere.csv:1: these are not the columns"),
    ],
)
def test_wrong_rows_are_refused_with_their_line(
    shop: SmallLab, old: str, new: str, said: str
) -> None:
    assert ROWS.count(old) == 1
    shop.write(f"{FOLDER}/elsewhere.csv", ROWS.replace(old, new))
    assert refusal(shop).startswith(said)


@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        ("published: elsewhere", "published: other", "elsewhere.yaml:1: published: is other"),
        ("machine: a larger one\n", "", "elsewhere.yaml:1: machine: is missing"),
        ("machine: a larger one", "machine: 5", "elsewhere.yaml:4: machine: must be text"),
        ("origin:", "orign:", "elsewhere.yaml:3: orign: is not a known key"),
        ("  - Its throughput counts failures.", "  []", "elsewhere.yaml:5: validity: must not be"),
    ],
)
def test_a_wrong_description_is_refused_with_its_line(
    shop: SmallLab, old: str, new: str, said: str
) -> None:
    assert ABOUT.count(old) == 1
    shop.write(f"{FOLDER}/elsewhere.yaml", ABOUT.replace(old, new))
    assert refusal(shop).startswith(said)


def test_rows_and_description_need_each_other(shop: SmallLab) -> None:
    (shop.root / FOLDER / "elsewhere.csv").rename(shop.root / FOLDER / "other.csv")
    assert refusal(shop).startswith("other.csv:1: nothing says what these rows are")
    (shop.root / FOLDER / "other.csv").unlink()
    assert refusal(shop).startswith("elsewhere.csv: cannot be read: No such file")


SEVERAL = ABOUT.replace("stack: Elsewhere\n", "")
SEVERAL_HEADING = "stack,runtime," + HEADING.replace("users,", "users,rate_per_second,")
OF_USERS = "spring,jit,buy,h1c,h1c,100,,0,0,,3883.98,,,,,"
OF_A_RATE = "spring,jit,buy,h1c,h1c,,1000,0,0,,,,,9.46,,"
STARTS = """\
stack,runtime,startup_ms,rss_after_five_mib,executable_mb,build_seconds,cpu_percent
spring,jit,2358,322.578,,,69.4
spring,native,169,144.578,134.18,146,1.9
"""


@pytest.fixture
def several(shop: SmallLab) -> SmallLab:
    """A table of several stacks, with loads of users and of rates, and starts."""
    shop.write(f"{FOLDER}/elsewhere.yaml", SEVERAL)
    shop.write(f"{FOLDER}/elsewhere.csv", f"{SEVERAL_HEADING}\n{OF_USERS}\n{OF_A_RATE}\n")
    shop.write(f"{FOLDER}/elsewhere-starts.csv", STARTS)
    return shop


def test_a_table_of_several_stacks_may_have_loads_of_users_and_of_rates(several: SmallLab) -> None:
    (source,) = read(several).sources
    users, rate = source.rows
    assert users.key == PublishedKey("buy h1c -> h1c", 100, 0, 0)
    assert rate.key == PublishedKey("buy h1c -> h1c", 0, 0, 0, rate_per_second=1000)
    assert (users.throughput_per_second, users.p99_ms, users.failures_percent) == (
        3883.98,
        None,
        None,
    )
    assert (rate.throughput_per_second, rate.p99_ms) == (None, 9.46)
    assert source.name_of(users) == "spring@jit (elsewhere)"
    assert source.title == "elsewhere"


def test_starts_are_read_with_what_is_known_of_them(several: SmallLab) -> None:
    (source,) = read(several).sources
    jit, native = source.starts
    assert (jit.stack, jit.runtime, jit.startup_ms, jit.cpu_percent) == (
        "spring",
        "jit",
        2358,
        69.4,
    )
    assert (jit.executable_mb, jit.build_seconds) == (None, None)
    assert (native.rss_after_five_mib, native.executable_mb) == (144.578, 134.18)


def test_a_source_may_have_starts_alone(several: SmallLab) -> None:
    (several.root / FOLDER / "elsewhere.csv").unlink()
    (source,) = read(several).sources
    assert source.rows == ()
    assert len(source.starts) == 2


@pytest.mark.parametrize(
    ("file", "old", "new", "said"),
    [
        (
            "elsewhere.csv",
            "100,,0,0",
            "100,1000,0,0",
            "elsewhere.csv:2: rate_per_second: stands beside users",
        ),
        ("elsewhere.csv", "100,,0,0", ",,0,0", "elsewhere.csv:2: users: must be a whole number"),
        (
            "elsewhere.csv",
            ",1000,0,0",
            ",0,0,0",
            "elsewhere.csv:3: rate_per_second: must be a whole number, 1 or more",
        ),
        ("elsewhere.csv", OF_A_RATE, OF_USERS, "elsewhere.csv:3: this load of buy h1c -> h1c is"),
        (
            "elsewhere.csv",
            "spring,jit,buy,h1c,h1c,100",
            ",jit,buy,h1c,h1c,100",
            "elsewhere.csv:2: stack: must be a name",
        ),
        ("elsewhere.csv", "stack,runtime,", "stack,", "elsewhere.csv:1: these are not the columns"),
        (
            "elsewhere-starts.csv",
            "spring,native",
            "spring,jit",
            "elsewhere-starts.csv:3: stack: spring@jit is there twice, first in line 2",
        ),
        (
            "elsewhere-starts.csv",
            "2358",
            "about 2358",
            "elsewhere-starts.csv:2: startup_ms: must be a number",
        ),
        (
            "elsewhere-starts.csv",
            "2358,322.578,,,69.4",
            ",,,,",
            "elsewhere-starts.csv:2: has no figure",
        ),
        (
            "elsewhere.yaml",
            "origin:",
            "stack: Elsewhere\norigin:",
            "elsewhere.yaml:2: stack: elsewhere-starts.csv names a stack in each row",
        ),
    ],
)
def test_wrong_rows_of_several_stacks_are_refused_with_their_line(
    several: SmallLab, file: str, old: str, new: str, said: str
) -> None:
    path = several.root / FOLDER / file
    assert path.read_text().count(old) == 1
    path.write_text(path.read_text().replace(old, new))
    assert refusal(several).startswith(said)


def test_starts_need_a_description(several: SmallLab) -> None:
    (several.root / FOLDER / "elsewhere-starts.csv").rename(
        several.root / FOLDER / "other-starts.csv"
    )
    assert refusal(several).startswith("other-starts.csv:1: nothing says what these rows are")


def test_a_file_of_rows_may_not_be_large_nor_another_kind_of_file(shop: SmallLab) -> None:
    path = shop.write(f"{FOLDER}/elsewhere.csv", ROWS + "\n" * (1 << 20))
    assert refusal(shop).startswith("elsewhere.csv:1: is larger than")
    path.write_bytes(ROWS.encode() + b"\xff")
    assert refusal(shop).startswith("elsewhere.csv:4: is not UTF-8 text")
    path.unlink()
    path.mkdir()
    assert refusal(shop).startswith("elsewhere.csv: is not a regular file")


@given(rows=st.binary(max_size=80) | st.text(max_size=80).map(str.encode), behind=st.booleans())
@example(rows=b'"' + b"a" * 200_000, behind=True)
@example(rows=b"\0,\0\r\r", behind=True)
@settings(max_examples=150, suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_any_bytes_are_taken_or_refused_with_file_and_line(
    shop: SmallLab, rows: bytes, behind: bool
) -> None:
    shop.write(f"{FOLDER}/elsewhere.csv", (HEADING.encode() + b"\n") * behind + rows)
    try:
        shop.catalogue.published(shop.catalogue.system("shop"))
    except InputError as error:
        refused = error
    else:
        return
    assert refused.path is not None
    assert refused.line is not None
    assert refused.remedy


MEDIATION = Catalogue(ROOT)


@pytest.fixture(scope="module")
def committed() -> dict[str, PublishedSource]:
    published = MEDIATION.published(MEDIATION.system("mediation"))
    assert published is not None
    return {source.source: source for source in published.sources}


def test_the_committed_rows_are_the_published_grid(committed: dict[str, PublishedSource]) -> None:
    rows = committed["ballerina"].rows
    scenarios = [each.name for each in MEDIATION.system("mediation").scenarios[:8]]
    grid = [
        PublishedKey(scenario, users, size, 0)
        for scenario in scenarios
        for users in (100, 300, 1000)
        for size in (50, 1024)
    ]
    assert [row.key for row in rows] == grid
    assert len(rows) == 48
    assert {row.failures_percent for row in rows} == {0, 100}
    failing = {row.key.scenario for row in rows if row.failures_percent}
    assert failing == {"transform h1c -> h1c", "transform h1 -> h1"}
    assert sum(row.failures_percent == 0 for row in rows) == 36


def test_the_committed_figures_agree_with_known_ones(
    committed: dict[str, PublishedSource],
) -> None:
    rows = {row.key: row for row in committed["ballerina"].rows}
    stands = [row for row in rows.values() if not row.failures_percent]
    throughputs = {row.key: row.throughput_per_second or 0 for row in stands}
    assert sum(throughputs.values()) == pytest.approx(555_490.8)
    assert sum(row.mean_ms or 0 for row in stands) == pytest.approx(1126.11)
    assert sum(row.p99_ms or 0 for row in rows.values()) == 128_066
    for row in stands:  # a closed loop without pauses: all users are in the system
        in_system = throughputs[row.key] * (row.mean_ms or 0) / 1000
        assert 0.93 * row.key.users < in_system <= row.key.users
    plain, secure = (
        [throughputs[PublishedKey(f"passthrough {legs}", 100, size, 0)] for size in (50, 1024)]
        for legs in ("h1c -> h1c", "h1 -> h1")
    )
    kept = [each / over_tcp for each, over_tcp in zip(secure, plain, strict=True)]
    assert kept == pytest.approx([0.82, 0.64], abs=0.005)  # what TLS leaves
    fastest = rows[PublishedKey("passthrough h1c -> h1c", 300, 50, 0)]
    assert (fastest.throughput_per_second, fastest.p99_ms) == (21299.27, 31)
    refusing = rows[PublishedKey("transform h1c -> h1c", 1000, 1024, 0)]
    assert (refusing.gc_throughput_percent, refusing.memory_after_full_gc_mib) == (6.02, 1825.024)


def test_other_tables_tell_the_throughput_where_the_transformation_worked(
    committed: dict[str, PublishedSource],
) -> None:
    for name, first in (("ballerina-jdk8", 13379.95), ("ballerina-jdk11", 9321.29)):
        rows = committed[name].rows
        assert len(rows) == 12
        assert {(row.failures_percent, row.mean_ms) for row in rows} == {(0, None)}
        assert rows[0].throughput_per_second == first


@pytest.mark.parametrize(("profile", "measured"), [("full", 48), (None, 12), ("smoke", 16)])
def test_the_release_study_measures_published_loads_and_no_other(
    committed: dict[str, PublishedSource], profile: str | None, measured: int
) -> None:
    published = MEDIATION.published(MEDIATION.system("mediation"))
    assert published is not None
    plan = make_plan(load_study(ROOT / "studies" / "mediation-release.yaml", MEDIATION), profile)
    keys = {
        key_of(arm, workload, published)
        for arm in plan.arms
        for workload in plan.workloads
        if arm.is_under(workload.workload)
    }
    assert keys <= {row.key for row in committed["ballerina"].rows}
    assert len(keys) == measured


def test_the_reference_names_every_column() -> None:
    page = (ROOT / "docs" / "reference" / "system.md").read_text().replace("\n", "")
    system = MEDIATION.system("mediation")
    (loads,), (ramps,) = load_forms(system, several=False), ramp_forms(system, several=False)
    assert str(loads) in page
    assert str(START_FORM) in page
    assert str(ramps).removeprefix("operation,client,upstream,") in page
