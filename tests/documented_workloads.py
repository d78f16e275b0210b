"""The workloads that the documentation shows, with the files that it shows beside them."""

import re
from pathlib import Path

PAGES = sorted((Path(__file__).parents[1] / "docs").rglob("*.md"))
_WORKLOAD = re.compile(r"^```yaml\n(workload: (\S+)\n.*?)^```", re.MULTILINE | re.DOTALL)
_FILE = re.compile(r"^`([\w-]+\.csv)`:\n\n```csv\n(.*?)^```", re.MULTILINE | re.DOTALL)


def shown_on(page: Path) -> dict[str, str]:
    """The workloads of a page, by name."""
    return {name: text for text, name in _WORKLOAD.findall(page.read_text())}


def write_shown(page: Path, folder: Path) -> None:
    """Write all workloads of a page and what they are fed with."""
    for name, text in shown_on(page).items():
        (folder / f"{name}.yaml").write_text(text)
    for name, text in _FILE.findall(page.read_text()):
        (folder / name).write_text(text)
