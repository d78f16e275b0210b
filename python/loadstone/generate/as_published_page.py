"""`docs/reference/as-published.md`: published tables, their procedure repeated here, and our studies.

`--system NAME --theirs RESULTS --ours RESULTS ...` takes the figures of a system anew: of a study that
follows the publication's own procedure, and of ours. Without `--theirs`, studies of ours are added,
each in the place of one of its name. They are kept in `as-published.json` beside the page, from which
it is written; with `--check` a stale page is told.
"""

import argparse
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path

from loadstone.errors import ExitCode, InputError, LoadstoneError
from loadstone.generate.as_published import KeptStudy, KeptSystem, KeptSystems, kept_study
from loadstone.generate.as_published_rows import rows_of
from loadstone.generate.committed_files import CHECKOUT, write_or_check
from loadstone.generate.kept_figures import PAGES
from loadstone.study.systems.catalogue import Catalogue, open_catalogue
from loadstone.study.values.published import Published

PAGE = PAGES / "as-published.md"
KEPT = PAGES / "as-published.json"
_MODULE = "loadstone.generate.as_published_page"

_HEAD = """# As published, by their method, by ours

What others published of a system stands here beside two measurements of stacks of the same
frameworks: one that follows the publication's own procedure on this machine, and ours. The first two
differ by machine, database and versions; the second and the third by method, limits and load. Published
figures are from other machines: they stand beside, and nothing is ranked by them.

- *As published*: by runtime, with the name of the table. What is to be known before one is believed is
  in the `validity` of `systems/<system>/published/<table>.yaml`.
- *By their method, here*: start-up is the mean of what the logs claim, memory the highest of the runs,
  throughput and p99 are of whole loads without a warm-up left out.
- *By ours*: start-up is from the launch to the first correct answer, memory the resident peak under
  load, throughput and p99 are of windows of warm services: geometric means over the runs, with the
  smallest and the largest. Loads of ours have the same request, and users or rates of their own. What
  was not measured on the same day, or on the same machine, is told above the table.
- *What their method hides* is of the very runs that follow their method, but for memory under load.

Written by `make generate`; the figures are kept in [as-published.json](as-published.json), taken by
`python -m loadstone.generate.as_published_page --system NAME --theirs RESULTS --ours RESULTS`.
"""
_COLUMNS = (
    "quantity",
    "stack",
    "as published",
    "by their method, here",
    "by ours",
    "what their method hides",
)
NOTHING_KEPT = "No study that follows a publication's procedure has been kept yet."
SIMULATED = "**Its figures are made up: nothing was started or loaded.**"


def as_published_page(kept: KeptSystems, catalogue: Catalogue) -> str:
    """Return the page. Raises InputError where nothing is published any more of a system."""
    parts = [_HEAD]
    if not kept.systems:
        parts.append(f"{NOTHING_KEPT}\n")
    parts += [
        "\n".join((*_part(each, _published(catalogue, each.system)), "")) for each in kept.systems
    ]
    return "\n".join(parts)


def _part(system: KeptSystem, published: Published) -> Iterator[str]:
    yield f"## {system.system}"
    yield ""
    yield f"- By their method: {_about(system.theirs)}"
    yield from (f"- Ours: {_about(study)}" for study in system.ours)
    yield ""
    yield f"| {' | '.join(_COLUMNS)} |"
    yield f"|{'---|' * len(_COLUMNS)}"
    yield from (f"| {' | '.join(row)} |" for row in rows_of(system, published))


def _about(study: KeptStudy) -> str:
    machine = f"{study.cpu_model}, {study.cpus} CPUs"
    told = f"`{study.study}`, {study.measured_on}, {machine}; {study.limits} for the service."
    return f"{told} {SIMULATED}" if study.simulated else told


def _published(catalogue: Catalogue, system: str) -> Published:
    found = catalogue.published(catalogue.system(system))
    if found is None:
        raise InputError(
            f"nothing is published of {system}",
            path=KEPT,
            remedy="name a system with a folder `published`",
        )
    return found


def main(arguments: Sequence[str] | None = None) -> int:
    """Write the page, or with `--check` say whether it is stale. Returns the exit code."""
    parser = argparse.ArgumentParser(add_help=False)
    parser.add_argument("--system")
    parser.add_argument("--theirs", type=Path)
    parser.add_argument("--ours", type=Path, action="append", default=[])
    chosen, rest = parser.parse_known_args(arguments)
    path, catalogue = CHECKOUT / KEPT, open_catalogue(CHECKOUT)
    try:
        kept = KeptSystems.model_validate_json(path.read_text("utf-8"))
        if chosen.system is not None:
            published = _published(catalogue, chosen.system)
            ours = tuple(kept_study(each, published) for each in chosen.ours)
            if chosen.theirs is None:
                kept = kept.beside(chosen.system, ours)
            else:
                theirs = kept_study(chosen.theirs, published)
                kept = kept.replaced(KeptSystem(system=chosen.system, theirs=theirs, ours=ours))
            path.write_text(kept.model_dump_json(indent=1) + "\n", encoding="utf-8")
        text = as_published_page(kept, catalogue)
    except LoadstoneError as error:
        sys.stderr.write(f"error: {error.message}\nhint: {error.remedy}\n")
        return ExitCode.COULD_NOT_RUN
    return write_or_check({PAGE: text}, _MODULE, __doc__, rest)


if __name__ == "__main__":
    sys.exit(main())
