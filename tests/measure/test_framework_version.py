"""A framework's version is that of the file which fixes it, and a name alone where none does."""

from pathlib import Path

import pytest

from loadstone.measure.prepare.framework_version import framework_text
from loadstone.study.systems.catalogue import Catalogue
from loadstone.study.values.manifest import Stack

CHECKOUT = Path(__file__).parents[2]

NPM = """{"packages": {"": {"name": "gateway"}, "node_modules/express": {"version": "5.3.0"},
"node_modules/express-session": {"version": "1.0.0"}, "node_modules/express/node_modules/qs": {}}}"""
CARGO = """[[package]]
name = "hyper"
version = "1.12.0"

[[package]]
name = "hyper-util"
version = "0.1.9"
"""
POM = """<properties><spring-boot.version>4.0.7</spring-boot.version>
<spring-cloud.version>2025.1.3</spring-cloud.version></properties>
<dependency><version>${spring-cloud.version}</version></dependency>"""
PIP = "aiohttp==3.14.5 \\\n    --hash=sha256:00\nstarlette==1.10.0 \\\n    --hash=sha256:11\n"


def stack(directory: Path, framework: str) -> Stack:
    return Stack(
        stack="own",
        language="any",
        framework=framework,
        build="true",
        run="true",
        runtimes=("go",),
        protocols={},
        directory=directory,
    )


@pytest.mark.parametrize(
    ("name", "content", "framework", "text"),
    [
        ("package-lock.json", NPM, "Express", "Express 5.3.0"),
        ("Cargo.lock", CARGO, "hyper", "hyper 1.12.0"),
        ("pom.xml", POM, "Spring Cloud Gateway", "Spring Cloud Gateway 2025.1.3"),
        ("requirements.txt", PIP, "Starlette", "Starlette 1.10.0"),
        ("go.mod", "module gateway\n\ngo 1.24\n", "net/http", "net/http"),
        ("pom.xml", POM, "Netty", "Netty"),
    ],
)
def test_the_version_is_read_from_the_file_that_fixes_it(
    tmp_path: Path, name: str, content: str, framework: str, text: str
) -> None:
    (tmp_path / name).write_text(content)
    assert framework_text(stack(tmp_path, framework)) == text


def test_the_reference_gateways_tell_theirs() -> None:
    catalogue = Catalogue(CHECKOUT)
    stacks = catalogue.stacks(catalogue.system("mediation"), "gateway")
    found = {each.stack: framework_text(each) for each in stacks}
    assert found["go"] == "net/http"
    for name in ("express", "fastify", "netty", "python", "rust", "spring"):
        assert found[name].rpartition(" ")[2][0].isdigit(), found[name]
