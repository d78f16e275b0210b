"""Where a runtime is installed, for those of which a machine can have several."""

import os
import shutil
from collections.abc import Iterator, Mapping
from pathlib import Path

from loadstone.errors import Unavailable
from loadstone.study.values.manifest import JavaHome, ProgramHome

JDK_FOLDERS = ("/usr/lib/jvm", "/opt", "~/.sdkman/candidates/java", "~/.jdks")
"""Where distributions, installers and editors put JDKs."""


def find_home(wanted: JavaHome | ProgramHome, environment: Mapping[str, str] | None = None) -> Path:
    """Return the folder of a runtime. Raises Unavailable, with every place that was looked at."""
    environment = os.environ if environment is None else environment
    if isinstance(wanted, ProgramHome):
        return _of_program(wanted, environment)
    seen = []
    for folder in dict.fromkeys(_jdk_folders(wanted.jdk, environment)):
        version = jdk_version(folder)
        if version is not None and major(version) == wanted.jdk:
            return folder
        if version is not None:
            seen.append(f"{version} in {folder}")
    raise Unavailable(f"no JDK {wanted.jdk} was found (there is {', '.join(seen) or 'none'})")


def jdk_version(folder: Path) -> str | None:
    """Return the version that a JDK's `release` file states; none where the folder is no JDK."""
    try:
        lines = (folder / "release").read_text().splitlines()
    except (OSError, ValueError):
        return None
    if not (folder / "bin" / "javac").is_file():
        return None
    for line in lines:
        key, _, value = line.partition("=")
        if key == "JAVA_VERSION":
            return value.strip('"')
    return None


def major(version: str) -> int | None:
    """Return the feature number of a version: 17 of 17.0.15, 8 of 1.8.0_402."""
    parts = version.split(".")
    number = parts[1] if parts[0] == "1" and len(parts) > 1 else parts[0]
    digits = number.partition("-")[0].partition("+")[0]
    return int(digits) if digits.isdigit() else None


def _jdk_folders(version: int, environment: Mapping[str, str]) -> Iterator[Path]:
    for variable in (f"JAVA_HOME_{version}", "JAVA_HOME"):
        if environment.get(variable):
            yield Path(environment[variable]).resolve()
    if java := shutil.which("java", path=environment.get("PATH")):
        yield Path(java).resolve().parents[1]
    for parent in JDK_FOLDERS:
        for folder in sorted(Path(parent).expanduser().glob("*")):
            yield folder.resolve()


def _of_program(wanted: ProgramHome, environment: Mapping[str, str]) -> Path:
    looked: list[Path] = []
    if named := environment.get(wanted.variable):
        looked.append(Path(named))
    if program := shutil.which(wanted.program, path=environment.get("PATH")):
        # Its links are followed only where they must be: what they lead to may bear another name.
        looked += [each.parents[1] for each in (Path(program).absolute(), Path(program).resolve())]
    if wanted.folder is not None:
        looked.append(wanted.folder)
    for folder in looked:
        if (folder / "bin" / wanted.program).is_file():
            return folder.resolve()
    if program:
        raise Unavailable(f"{program} is in no folder named bin, where its runtime would be found")
    variable = f"{wanted.variable} is {named}" if named else f"{wanted.variable} is not set"
    raise Unavailable(f"no {wanted.program}: it is not on the PATH, and {variable}")
