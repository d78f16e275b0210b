"""What is published of a system: `published/<source>.yaml` says what a table is, `<source>.csv` holds
its rows of loads, `<source>-starts.csv` those of starts, `<source>-ramps.csv` those of ramps.

Left out: columns that no table shows.
"""

from pathlib import Path
from typing import Annotated

from pydantic import Field

from loadstone.errors import InputError
from loadstone.study.files import published_loads_file, published_ramps_file
from loadstone.study.files.published_loads_file import read_loads
from loadstone.study.files.published_notes import RawNote, judge_notes
from loadstone.study.files.published_ramps_file import RAMPS, read_ramps
from loadstone.study.files.published_starts_file import STARTS, read_starts
from loadstone.study.files.raw import Name, Raw, Text, judge_own_name, parse
from loadstone.study.files.yaml_file import read_yaml
from loadstone.study.values.manifest import System
from loadstone.study.values.published import Published, PublishedSource

FOLDER = "published"
"""Of a system."""

_FURTHER = (STARTS, RAMPS)
"""Files beside that of the loads, or in its place."""


class RawPublishedSource(Raw):
    """What a published table is."""

    published: Name
    """Its name: that of its files."""
    stack: Text | None = None
    """What it is of, as its rows are called in a report; not where each row names its stack."""
    origin: Text
    """Who published it, and what is known of the version."""
    machine: Text
    """On what it was measured."""
    validity: Annotated[list[Text], Field(min_length=1)]
    """What is to be known before a figure of it is believed, a sentence each."""
    notes: dict[str, RawNote] = Field(default_factory=dict)
    """What the letters in the column `notes` of its rows say. Default: there is no such column."""


def read_published(system: System) -> Published | None:
    """Read what is published of a system; none where it has no such rows. Raises InputError."""
    folder = system.directory / FOLDER
    for path in sorted(folder.glob("*.csv")):
        names = (path.stem, *(path.stem.removesuffix(each) for each in _FURTHER))
        if not any(path.with_name(f"{each}.yaml").exists() for each in names):
            raise InputError(
                "nothing says what these rows are",
                path=path,
                line=1,
                remedy=f"write {min(names, key=len)}.yaml beside it",
            )
    paths = sorted(folder.glob("*.yaml"), key=lambda path: path.stem)
    sources = tuple(_source(path, system) for path in paths)
    if not sources:
        return None
    return Published(
        scenarios=system.scenarios,
        settings={each.name: each.default for each in system.settings},
        sources=sources,
    )


def _source(path: Path, system: System) -> PublishedSource:
    source = read_yaml(path)
    raw = parse(source, RawPublishedSource)
    judge_own_name(source, "published", "file")
    figures = dict.fromkeys((*published_loads_file.FIGURES, *published_ramps_file.FIGURES))
    judge_notes(source, raw.notes, tuple(figures))
    loads, starts, ramps = (path.with_name(f"{path.stem}{end}.csv") for end in ("", STARTS, RAMPS))
    has_starts, has_ramps = starts.exists(), ramps.exists()
    has_loads = loads.exists() or not (has_starts or has_ramps)
    if has_starts and raw.stack is not None:
        raise source.error(
            ("stack",), f"{starts.name} names a stack in each row", "take it out, or those rows"
        )
    several = raw.stack is None
    return PublishedSource(
        source=raw.published,
        stack=raw.stack,
        origin=raw.origin,
        machine=raw.machine,
        validity=tuple(raw.validity),
        rows=tuple(read_loads(loads, system, raw.notes, several=several)) if has_loads else (),
        starts=tuple(read_starts(starts, system)) if has_starts else (),
        ramps=tuple(read_ramps(ramps, system, raw.notes, several=several)) if has_ramps else (),
    )
