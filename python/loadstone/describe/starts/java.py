"""Java: `pom.xml` or `build.gradle`. What an archive is called is told of the frameworks whose builds
make one that runs; of others only how they are built is told.
"""

import re
from collections.abc import Sequence
from pathlib import Path
from xml.parsers.expat import ExpatError, ParserCreate

from loadstone.describe.starts.model import Toolchain, Way
from loadstone.describe.starts.project_files import is_file, text_of
from loadstone.errors import Unavailable
from loadstone.study.systems.runtime_home import find_home
from loadstone.study.values.manifest import JavaHome

_PORT = {
    "Spring Boot": ("", " --server.port=${PORT}"),
    "Quarkus": ("-Dquarkus.http.port=${PORT} ", ""),
    "Micronaut": ("-Dmicronaut.server.port=${PORT} ", ""),
}
"""What is said before the archive and behind it so that it listens at $PORT: the framework itself fills
the place in, no shell does."""
_MARKS = {
    "quarkus": "Quarkus",
    "spring-boot": "Spring Boot",
    "springframework.boot": "Spring Boot",
    "micronaut": "Micronaut",
}
"""In the order in which they count: a service on Quarkus may have parts of Spring, too."""
_JDKS = (17, 21, 25)
"""Feature versions of Java that there are runtimes of."""
_RELEASE_KEYS = ("maven.compiler.release", "java.version", "maven.compiler.target")
_GRADLE_RELEASE = re.compile(
    r"(?:JavaLanguageVersion\.of\(|VERSION_|Compatibility\s*=\s*['\"]?)(\d+)"
)
_GRADLE_VERSION = re.compile(r"^version\s*=\s*['\"]([\w.+-]+)['\"]", re.MULTILINE)
_GRADLE_NAME = re.compile(r"rootProject\.name\s*=\s*['\"]([\w.-]+)['\"]")
_PLAIN = re.compile(r"[\w.+-]+")


def java(project: Path) -> Toolchain | None:
    """What the build's file tells; none where there is none."""
    pom = text_of(project / "pom.xml")
    if pom is not None:
        return _maven(project, pom)
    for name in ("build.gradle", "build.gradle.kts"):
        text = text_of(project / name)
        if text is not None:
            return _gradle(project, name, text)
    return None


def _maven(project: Path, text: str) -> Toolchain:
    values = _pom_values(text)
    framework = _framework(text)
    maven = "./mvnw" if is_file(project / "mvnw") else "mvn"
    archive = _maven_archive(values, framework)
    release = next((values[key] for key in _RELEASE_KEYS if key in values), "")
    return Toolchain(
        manifest="pom.xml",
        language="Java",
        framework=framework or "none that is known",
        build=f"{maven} --quiet --batch-mode -DskipTests package",
        runtimes=_runtimes(release),
        ways=_ways(framework, archive),
        program="java",
    )


def _gradle(project: Path, name: str, text: str) -> Toolchain:
    framework = _framework(text)
    gradle = "./gradlew" if is_file(project / "gradlew") else "gradle"
    settings = (
        text_of(project / "settings.gradle") or text_of(project / "settings.gradle.kts") or ""
    )
    named, version = _GRADLE_NAME.search(settings), _GRADLE_VERSION.search(text)
    archive = None
    if framework == "Spring Boot" and named:
        archive = f"build/libs/{named[1]}{f'-{version[1]}' if version else ''}.jar"
    if framework == "Quarkus":
        archive = "build/quarkus-app/quarkus-run.jar"
    release = _GRADLE_RELEASE.search(text)
    return Toolchain(
        manifest=name,
        language="Kotlin" if "kotlin" in text and name.endswith(".kts") else "Java",
        framework=framework or "none that is known",
        build=f"{gradle} --quiet {'bootJar' if framework == 'Spring Boot' else 'assemble'}",
        runtimes=_runtimes(release[1] if release else ""),
        ways=_ways(framework, archive),
        program="java",
    )


def _framework(text: str) -> str | None:
    """The framework whose build makes an archive that runs."""
    return next((called for mark, called in _MARKS.items() if mark in text), None)


def _ways(framework: str | None, archive: str | None) -> tuple[Way, ...]:
    if framework is None or archive is None:
        return ()
    before, behind = _PORT[framework]
    return (Way(archive, f"java {before}-jar {archive}{behind}", is_whole=True),)


def _maven_archive(values: dict[str, str], framework: str | None) -> str | None:
    if framework == "Quarkus":
        return "target/quarkus-app/quarkus-run.jar"
    name, version = values.get("artifactId"), values.get("version") or values.get("parent.version")
    final = values.get("build.finalName") or (f"{name}-{version}" if name and version else None)
    return f"target/{final}.jar" if final is not None and _PLAIN.fullmatch(final) else None


def _runtimes(release: str) -> Sequence[str]:
    """The JDKs that are new enough, those first that are here; of an unknown release all."""
    wanted = int(release) if release.isascii() and release.isdigit() and len(release) < 4 else 0
    enough = [version for version in _JDKS if version >= wanted] or [_JDKS[-1]]
    return [f"openjdk-{version}" for version in sorted(enough, key=_is_missing)]


def _is_missing(version: int) -> bool:
    try:
        find_home(JavaHome(jdk=version))
    except Unavailable:
        return True
    return False


def _pom_values(text: str) -> dict[str, str]:
    """The texts of a POM by their elements below the project, such as `build.finalName`; those of
    `properties` by their own names. Empty where it is no XML, or declares entities.
    """
    values: dict[str, str] = {}
    path: list[str] = []
    said: list[str] = []

    def begin(name: str, _attributes: object) -> None:
        path.append(name)
        said.clear()

    def end(_name: str) -> None:
        key = ".".join(path[1:]).removeprefix("properties.")
        if written := "".join(said).strip():
            values.setdefault(key, written)
        path.pop()
        said.clear()

    def refuse(*_: object) -> None:
        raise ExpatError("an entity is declared")

    parser = ParserCreate("utf-8")
    parser.StartElementHandler, parser.EndElementHandler = begin, end
    parser.CharacterDataHandler = said.append
    parser.EntityDeclHandler = refuse
    try:
        parser.Parse(text.encode(), True)
    except ExpatError:
        return {}
    return values
