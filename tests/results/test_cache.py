import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from hypothesis.extra.numpy import array_shapes, arrays

from loadstone.results import cache

DIGEST = "0123456789abcdef" * 4
OTHER = "fedcba9876543210" * 4


@pytest.fixture(autouse=True)
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    return tmp_path / "cache"


def entries(home: Path) -> list[Path]:
    return [each for each in home.rglob("*") if each.is_file()]


@given(
    kept=arrays(
        st.sampled_from([np.int64, np.float64, np.uint8, np.uint16]),
        array_shapes(min_dims=1, max_dims=2, min_side=0),
    )
)
@settings(suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_arrays_come_back_bit_for_bit(kept: np.ndarray) -> None:
    cache.keep(DIGEST, {"some": kept, "none": np.zeros(0)})
    found = cache.fetch(DIGEST)
    assert found is not None
    assert found.keys() == {"some", "none"}
    assert found["some"].dtype == kept.dtype
    assert found["some"].shape == kept.shape
    assert found["some"].tobytes() == kept.tobytes()


def test_what_was_never_kept_is_not_found(home: Path) -> None:
    assert cache.fetch(DIGEST) is None
    assert not home.exists()


def test_only_the_user_may_look_at_the_entries(home: Path) -> None:
    cache.keep(DIGEST, {"some": np.arange(3)})
    (entry,) = entries(home)
    assert entry.stat().st_mode & 0o077 == 0


@given(at=st.integers(0), bit=st.integers(0, 7), cut=st.booleans())
@settings(max_examples=100, suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_a_changed_entry_is_never_believed(at: int, bit: int, cut: bool, home: Path) -> None:
    cache.keep(DIGEST, {"some": np.arange(40)})
    (entry,) = entries(home)
    content = bytearray(entry.read_bytes())
    if cut:
        del content[at % len(content) :]
    else:
        content[at % len(content)] ^= 1 << bit
    entry.write_bytes(content)
    assert cache.fetch(DIGEST) is None


def test_an_entry_that_would_run_code_does_not(home: Path, tmp_path: Path) -> None:
    class Touch:
        def __reduce__(self) -> tuple[Callable[..., object], tuple[object, ...]]:
            return os.mkdir, (tmp_path / "run",)

    cache.keep(DIGEST, {"some": np.arange(3)})
    (entry,) = entries(home)
    body = tmp_path / "body.npz"
    np.savez(body, some=np.array([Touch()], dtype=object))
    content = body.read_bytes()
    entry.write_bytes(cache.sha256(content).digest() + content)
    assert cache.fetch(DIGEST) is None
    assert not (tmp_path / "run").exists()


@pytest.mark.parametrize("place", ["file", "below a file"])
def test_a_place_that_cannot_be_a_folder_is_no_error(
    place: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    file = tmp_path / "file"
    file.write_text("not a folder")
    monkeypatch.setenv("XDG_CACHE_HOME", str(file if place == "file" else file / "below"))
    cache.keep(DIGEST, {"some": np.arange(3)})
    assert cache.fetch(DIGEST) is None
    assert file.read_text() == "not a folder"


def test_a_full_disk_is_no_error_and_leaves_nothing(home: Path) -> None:
    cache.keep(OTHER, {"some": np.arange(3)})
    before = entries(home)
    script = (
        "import numpy as np, resource, signal; from loadstone.results import cache;"
        "signal.signal(signal.SIGXFSZ, signal.SIG_IGN);"
        "resource.setrlimit(resource.RLIMIT_FSIZE, (100, 100));"
        f"cache.keep({DIGEST!r}, {{'some': np.arange(1000)}})"
    )
    subprocess.run([sys.executable, "-c", script], check=True)
    assert entries(home) == before


def test_without_a_home_nothing_is_kept(monkeypatch: pytest.MonkeyPatch) -> None:
    def no_home() -> Path:
        raise RuntimeError("could not determine home directory")

    monkeypatch.setenv("XDG_CACHE_HOME", "relative/is/ignored")
    monkeypatch.setattr(Path, "home", no_home)
    cache.keep(DIGEST, {"some": np.arange(3)})
    assert cache.fetch(DIGEST) is None


def test_what_was_used_the_longest_ago_goes_first(
    home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(cache, "_SHELVES", 1)
    monkeypatch.setattr(cache, "MOST_BYTES", 30_000)
    digests = [f"{number:064x}" for number in range(3)]
    for number, digest in enumerate(digests):
        cache.keep(digest, {"some": np.zeros(1_000)})
        (entry,) = home.rglob(digest)
        os.utime(entry, (number, number))
    assert cache.fetch(digests[0]) is not None
    cache.keep(DIGEST, {"some": np.zeros(1_000)})
    assert [cache.fetch(each) is not None for each in (*digests, DIGEST)] == [
        True,
        False,
        True,
        True,
    ]
    assert sum(each.stat().st_size for each in entries(home)) <= 30_000


def test_what_is_larger_than_a_shelf_is_not_kept_and_removes_nothing(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(cache, "_SHELVES", 1)
    monkeypatch.setattr(cache, "MOST_BYTES", 4_000)
    cache.keep(OTHER, {"some": np.zeros(10)})
    cache.keep(DIGEST, {"some": np.zeros(1_000)})
    assert cache.fetch(DIGEST) is None
    assert cache.fetch(OTHER) is not None
