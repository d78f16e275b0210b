"""What machines are, how their clocks lie, and what is shipped between them."""

import os
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from loadstone.cluster.clock_offset import clock_offset
from loadstone.cluster.packing import pack, unpack
from loadstone.cluster.ray_node import make_token, refuse_open_token
from loadstone.cluster.ray_settings import head_options, machine_options, variables
from loadstone.cluster.site_facts import differences, site_facts
from loadstone.errors import LoadstoneError, Unavailable
from loadstone.results.environment import Environment, Machine
from loadstone.study.values.machines import ClusterTls


def written(root: Path, **files: str) -> Path:
    for name, text in files.items():
        path = root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
    return root


ENVIRONMENT = Environment(
    machine=Machine(cpu_model="one", cpus=2, memory_bytes=1 << 34, kernel="6.1"),
    versions={"python": "3.11.7"},
    code={"lab": "0123456789abcdef0123"},
    service_cpus=(1,),
    bench_cpus=(0,),
)


def test_facts_are_read_where_the_kernel_tells_them(tmp_path: Path) -> None:
    cpus = "sys/devices/system/cpu"
    root = written(
        tmp_path,
        **{
            "proc/cpuinfo": "processor\t: 0\nmicrocode\t: 0xb4\nprocessor\t: 1\nmicrocode\t: 0xb4\n",
            f"{cpus}/cpufreq/policy0/scaling_governor": "performance\n",
            f"{cpus}/cpufreq/policy1/scaling_governor": "performance\n",
            f"{cpus}/vulnerabilities/mds": "Mitigation: Clear CPU buffers\n",
            "sys/class/net/eth0/speed": "10000\n",
            "sys/class/net/wlan0/speed": "-1\n",
        },
    )
    facts = site_facts(ENVIRONMENT, root=root)
    assert (facts.microcode, facts.governors) == ("0xb4", ("performance",))
    assert facts.mitigations == {"mds": "Mitigation: Clear CPU buffers"}
    assert facts.link_bits_per_second == 10**10
    empty = site_facts(ENVIRONMENT, root=tmp_path / "none")
    assert (empty.microcode, empty.governors, empty.mitigations) == (None, None, None)
    assert empty.link_bits_per_second is None


@pytest.mark.parametrize(
    ("change", "told"),
    [
        ({}, []),
        ({"versions": {"python": "3.11.2"}}, ["version of python: 3.11.7, and 3.11.2 there"]),
        ({"code": {}}, ["digest of lab: 0123456789abcdef, and none there"]),
        ({"service_cpus": (1, 2)}, ["CPUs of the services: (1,), and (1, 2) there"]),
        (
            {"machine": Machine(cpu_model="one", cpus=2, memory_bytes=1 << 33, kernel="6.1")},
            ["mem"],
        ),
        (
            {
                "machine": Machine(
                    cpu_model="one", cpus=2, memory_bytes=(1 << 34) - (1 << 24), kernel="6.1"
                )
            },
            [],
        ),
    ],
)
def test_sites_differ_in_what_decides_about_figures(
    change: dict[str, object], told: list[str]
) -> None:
    there = ENVIRONMENT.model_copy(update=change)
    found = differences(
        (ENVIRONMENT, site_facts(ENVIRONMENT)),
        (there, site_facts(there)),
    )
    assert len(found) == len(told)
    assert all(text.startswith(each) for text, each in zip(found, told, strict=True))


@given(
    ahead_ns=st.integers(-(10**18), 10**18),
    ways=st.lists(st.tuples(st.integers(0, 10**7), st.integers(0, 10**7)), min_size=1, max_size=20),
)
def test_the_offset_of_a_clock_is_within_its_bound(
    ahead_ns: int, ways: list[tuple[int, int]]
) -> None:
    now_ns, left = 0, iter(ways)

    def ask() -> int:
        nonlocal now_ns
        there_ns, back_ns = next(left)
        now_ns += there_ns
        read_ns = now_ns + ahead_ns
        now_ns += back_ns
        return read_ns

    found = clock_offset(ask, lambda: now_ns, len(ways))
    assert abs(found.offset_ns - ahead_ns) <= found.bound_ns + 1
    assert found.bound_ns <= found.round_trip_ns / 2 + 1


def test_a_folder_comes_out_as_it_went_in(tmp_path: Path) -> None:
    folder = written(tmp_path / "in", **{"a/run.json": "{}", "b": "x"})
    (folder / "b").chmod(0o755)
    os.utime(folder / "b", ns=(1_700_000_000_123_456_789,) * 2)
    (folder / "python").symlink_to("/usr/bin/python3")
    pack(folder, tmp_path / "packed")
    unpack(tmp_path / "packed", tmp_path / "out", "tar")
    assert (tmp_path / "out" / "a" / "run.json").read_text() == "{}"
    assert (tmp_path / "out" / "b").stat().st_mode & 0o777 == 0o755
    assert int((tmp_path / "out" / "b").stat().st_mtime) == 1_700_000_000
    assert (tmp_path / "out" / "python").readlink() == Path("/usr/bin/python3")
    with pytest.raises(LoadstoneError, match="cannot be unpacked"):
        unpack(tmp_path / "packed", tmp_path / "data")
    assert not (tmp_path / "data").exists()


def test_an_archive_that_is_cut_is_refused(tmp_path: Path) -> None:
    pack(written(tmp_path / "in", a="x" * 100_000), tmp_path / "packed")
    whole = (tmp_path / "packed").read_bytes()
    (tmp_path / "packed").write_bytes(whole[: len(whole) // 2])
    with pytest.raises(LoadstoneError, match="cannot be unpacked"):
        unpack(tmp_path / "packed", tmp_path / "out")


def test_a_token_is_made_once_and_one_that_others_may_read_is_refused(tmp_path: Path) -> None:
    token = tmp_path / "config" / "token"
    assert make_token(token)
    first = token.read_text()
    assert not make_token(token)
    assert token.read_text() == first
    assert len(first) == 64
    refuse_open_token(token)
    token.chmod(0o640)
    with pytest.raises(Unavailable, match="others may read") as told:
        refuse_open_token(token)
    assert told.value.remedy == f"chmod 600 {token}"
    with pytest.raises(Unavailable, match="there is no token"):
        refuse_open_token(tmp_path / "none")


def test_ray_is_started_with_every_port_fixed_and_nothing_that_decides_by_itself() -> None:
    head, machine = head_options("10.0.0.10", 6379), machine_options("a", None, "10.0.0.10:6379")
    assert "--include-dashboard=false" in head
    assert '--resources={"machine-a": 1}' in machine
    for options in (head, machine):
        assert "--num-cpus=0" in options
        ports = [option for option in options if "-port=" in option]
        assert len({option.rpartition("=")[2] for option in ports}) == len(ports) >= 8
    tls = ClusterTls(certificate=Path("/c"), key=Path("/k"), authority=Path("/a"))
    assert variables(Path("/t"), None)["RAY_AUTH_MODE"] == "token"
    assert variables(Path("/t"), tls)["RAY_TLS_CA_CERT"] == "/a"
    assert "RAY_event_stats_print_interval_ms" not in variables(Path("/t"), tls)
