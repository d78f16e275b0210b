"""Rust: `Cargo.toml`, of one package or of a workspace."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

from loadstone.describe.starts.model import Toolchain, Way
from loadstone.describe.starts.project_files import (
    below,
    entries_of,
    first_named,
    is_file,
    mapping_below,
    text_below,
    toml_of,
)

_FRAMEWORKS = {
    "axum": "axum",
    "actix-web": "Actix Web",
    "rocket": "Rocket",
    "warp": "warp",
    "poem": "Poem",
    "salvo": "Salvo",
    "hyper": "hyper",
}
_MOST_MEMBERS = 100


def rust(project: Path) -> Toolchain | None:
    """What Cargo.toml tells; none where there is none."""
    manifest = toml_of(project / "Cargo.toml")
    if not manifest:
        return None
    packages = [project, *_members(project, manifest)]
    known = {name for each in packages for name in _dependencies(each)}
    locked = " --locked" if is_file(project / "Cargo.lock") else ""
    return Toolchain(
        manifest="Cargo.toml",
        language="Rust",
        framework=first_named(_FRAMEWORKS, known),
        build=f"cargo build --quiet --release{locked}",
        runtimes=("rust",),
        ways=tuple(
            Way(name, f"./target/release/{name}") for each in packages for name in _programs(each)
        ),
    )


def _members(project: Path, manifest: Any) -> Iterator[Path]:
    patterns = below(manifest, "workspace", "members")
    for pattern in patterns if isinstance(patterns, list) else ():
        if isinstance(pattern, str):
            yield from _matching(project, pattern)


def _matching(project: Path, pattern: str) -> list[Path]:
    try:
        return [] if "**" in pattern else sorted(project.glob(pattern))[:_MOST_MEMBERS]
    except (ValueError, OSError, NotImplementedError):
        return []  # no pattern of a path below


def _programs(folder: Path) -> Iterator[str]:
    manifest = toml_of(folder / "Cargo.toml")
    typed = manifest.get("bin")
    named = [text_below(each, "name") for each in typed] if isinstance(typed, list) else []
    yield from (each for each in named if each is not None)
    package = text_below(manifest, "package", "name")
    if package is not None and package not in named and is_file(folder / "src" / "main.rs"):
        yield package
    yield from (each.stem for each in entries_of(folder / "src" / "bin") if each.suffix == ".rs")


def _dependencies(folder: Path) -> Iterator[str]:
    manifest = toml_of(folder / "Cargo.toml")
    yield from mapping_below(manifest, "dependencies")
    yield from mapping_below(manifest, "workspace", "dependencies")
