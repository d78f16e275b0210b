"""What the commands share that look for systems, runtimes and studies: the option `--root`, the
catalogue, and where results go.
"""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from loadstone.cli.app import say_line

if TYPE_CHECKING:
    from loadstone.study.systems.catalogue import Catalogue

RootOption = Annotated[
    Path | None,
    typer.Option(
        "--root",
        metavar="DIR",
        help="Folder of your own with loadstone.yaml, and systems, runtimes and studies beside it",
        show_default="LOADSTONE_ROOT, else the nearest such folder upwards",
    ),
]

ResultsParent = Annotated[
    Path | None,
    typer.Option(
        "--out",
        metavar="DIR",
        help="Folder that gets the results folder",
        show_default="results, in the root of your own, else here",
    ),
]


def opened_catalogue(root: Path | None, study: str | None = None) -> "Catalogue":
    """Open the catalogue, and say once which names of the user's stand in the place of shipped ones.

    Where no root is named or found from here, that of a study's file is taken.

    Raises InputError for a root that is no root.
    """
    from loadstone.study.systems.catalogue import open_catalogue
    from loadstone.study.systems.origin_text import overriding_text, root_text
    from loadstone.study.systems.roots import root_below

    catalogue = open_catalogue(named=root)
    if catalogue.own is None and study is not None and Path(study).is_file():
        catalogue = open_catalogue(Path(study).resolve().parent)
    if catalogue.own is None and (below := root_below(Path.cwd())) is not None:
        said = (
            f"{below} is a root, and is not looked at from here: cd {below}, or give --root {below}"
        )
        say_line(said)
    overriding = overriding_text(catalogue)
    if overriding is not None:
        said = f"{root_text(catalogue.roots[0])}: {overriding}"
        say_line(said)
    return catalogue


def results_parent(out: Path | None, catalogue: "Catalogue") -> Path:
    """Return the folder that gets the results folder: never one that is installed."""
    if out is not None:
        return out
    results = Path("results")
    own = catalogue.own
    return results if own is None or own == Path.cwd().resolve() else own / results
