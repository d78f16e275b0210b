"""How a project is built and started, as its own files tell."""

import json
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
from hypothesis import given
from hypothesis import strategies as st

from loadstone.describe.dependencies import find_driver
from loadstone.describe.starts.choose import choose_way
from loadstone.describe.starts.find import FoundStarts, find_starts
from loadstone.describe.starts.model import without_shell
from loadstone.describe.starts.python import as_module, package_notes, scripts_of
from loadstone.describe.starts.uncopied import refuse_uncopied
from loadstone.errors import LoadstoneError, Unavailable
from loadstone.study.values.manifest import JavaHome


def project(folder: Path, **files: str) -> Path:
    """A folder with files, by their paths."""
    for name, text in files.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
    return folder


def found(folder: Path, files: dict[str, str]) -> FoundStarts:
    return find_starts(project(folder, **files))


@pytest.fixture(autouse=True)
def no_jdk(monkeypatch: pytest.MonkeyPatch) -> None:
    """No JDK is here, so that none goes before another."""
    jdk_here(monkeypatch, None)


def jdk_here(monkeypatch: pytest.MonkeyPatch, version: int | None) -> None:
    def find(wanted: JavaHome) -> Path:
        if wanted.jdk != version:
            raise Unavailable("none")
        return Path("/jdk")

    monkeypatch.setattr("loadstone.describe.starts.java.find_home", find)


POM = """<project><modelVersion>4.0.0</modelVersion><artifactId>shop</artifactId><version>1.2</version>
<properties><java.version>{release}</java.version></properties>
<dependencies><dependency><artifactId>{library}</artifactId><version>9</version></dependency></dependencies>
</project>"""

LISTED = (
    "python3 -m venv .venv && .venv/bin/python -c 'import tomllib; "
    'print(*tomllib.load(open("pyproject.toml", "rb"))["project"]["dependencies"], sep="\\n")'
    "' > .venv/listed.txt && "
    ".venv/bin/python -m pip install --quiet --requirement .venv/listed.txt"
)


@pytest.mark.parametrize(
    ("files", "run", "build", "runtimes"),
    [
        (
            {"package.json": json.dumps({"scripts": {"start": "node server.js"}})},
            "node server.js",
            "true",
            ["node"],
        ),
        (
            {
                "package.json": json.dumps(
                    {
                        "scripts": {"start": "next start", "build": "next build"},
                        "dependencies": {"next": "1"},
                    }
                ),
                "package-lock.json": "{}",
            },
            "npm start",
            "npm ci --include=dev && npm run build",
            ["node"],
        ),
        ({"package.json": '{"main": "main.js"}', "main.js": ""}, "node main.js", "true", ["node"]),
        (
            {"go.mod": "module example.com/shop/v2\n", "main.go": "package main\n"},
            "./bin/shop",
            "mkdir -p bin && go build -trimpath -o bin/ .",
            ["go"],
        ),
        (
            {
                "go.mod": "module shop\n",
                "cmd/api/main.go": "package main\n",
                "cmd/lib/a.go": "package lib\n",
            },
            "./bin/api",
            "mkdir -p bin && go build -trimpath -o bin/ ./cmd/api",
            ["go"],
        ),
        (
            {
                "Cargo.toml": '[package]\nname = "shop"\n[dependencies]\naxum = "1"\n',
                "src/main.rs": "",
            },
            "./target/release/shop",
            "cargo build --quiet --release",
            ["rust"],
        ),
        (
            {
                "requirements.txt": "fastapi==1\nuvicorn\n",
                "app/main.py": "api = FastAPI()\n",
                "app/__init__.py": "",
            },
            "sh -c 'exec .venv/bin/python -m uvicorn --host 127.0.0.1 --port $PORT app.main:api'",
            "python3 -m venv .venv && "
            ".venv/bin/python -m pip install --quiet --requirement requirements.txt",
            ["cpython"],
        ),
        (
            {
                "pyproject.toml": '[project]\ndependencies = ["Flask"]\n',
                "app.py": "app = Flask(__name__)\n",
            },
            "sh -c 'exec .venv/bin/python -m flask --app app:app run --host 127.0.0.1 --port $PORT'",
            LISTED,
            ["cpython"],
        ),
        (
            {
                "pyproject.toml": '[project]\nname = "shop"\ndependencies = ["fastapi"]\n'
                '[build-system]\nrequires = ["hatchling"]\n',
                "src/shop/__init__.py": "",
                "src/shop/main.py": "app = FastAPI()\n",
            },
            "sh -c 'exec .venv/bin/python -m uvicorn --host 127.0.0.1 --port $PORT shop.main:app'",
            "python3 -m venv .venv && .venv/bin/python -m pip install --quiet .",
            ["cpython"],
        ),
        (
            {
                "setup.py": "",
                "app/main.py": "def create_app(x=1) -> FastAPI:\n  return FastAPI()\n",
            },
            "sh -c 'exec .venv/bin/python -m uvicorn --host 127.0.0.1 --port $PORT "
            "app.main:create_app --factory'",
            "python3 -m venv .venv && .venv/bin/python -m pip install --quiet .",
            ["cpython"],
        ),
        (
            {"requirements.txt": "django\ngunicorn\n", "manage.py": "", "shop/wsgi.py": ""},
            "sh -c 'exec .venv/bin/python -m gunicorn --bind 127.0.0.1:$PORT shop.wsgi'",
            "python3 -m venv .venv && "
            ".venv/bin/python -m pip install --quiet --requirement requirements.txt",
            ["cpython"],
        ),
        (
            {
                "package.json": '{"dependencies": {"express": "5"}}',
                "src/index.js": "",
                "yarn.lock": "",
                ".yarnrc.yml": "",
            },
            "node src/index.js",
            "yarn install --immutable",
            ["node"],
        ),
        (
            {"pom.xml": POM.format(release="17", library="spring-boot-starter-web"), "mvnw": ""},
            "java -jar target/shop-1.2.jar --server.port=${PORT}",
            "./mvnw --quiet --batch-mode -DskipTests package",
            ["openjdk-17", "openjdk-21", "openjdk-25"],
        ),
        (
            {"pom.xml": POM.format(release="21", library="quarkus-rest")},
            "java -Dquarkus.http.port=${PORT} -jar target/quarkus-app/quarkus-run.jar",
            "mvn --quiet --batch-mode -DskipTests package",
            ["openjdk-21", "openjdk-25"],
        ),
        (
            {
                "build.gradle": "plugins { id 'org.springframework.boot' }\nversion = '0.1'\n",
                "settings.gradle": "rootProject.name = 'shop'\n",
            },
            "java -jar build/libs/shop-0.1.jar --server.port=${PORT}",
            "gradle --quiet bootJar",
            ["openjdk-17", "openjdk-21", "openjdk-25"],
        ),
        (
            {"Procfile": "release: migrate\nweb: bundle exec puma -p $PORT\n"},
            "sh -c 'exec bundle exec puma -p $PORT'",
            "true",
            ["command"],
        ),
        (
            {"Procfile": "web: node x.js\n", "package.json": '{"scripts": {"start": "node y.js"}}'},
            "node x.js",
            "true",
            ["node"],
        ),
        (
            {
                "Procfile": "web: shop.example -v\n",
                "go.mod": "module shop.example/v2\n",
                "main.go": "package main\n",
            },
            "./bin/shop.example -v",
            "mkdir -p bin && go build -trimpath -o bin/ .",
            ["go"],
        ),
        (
            {
                "Procfile": "web: java $OPTIONS -jar a.jar\n",
                "pom.xml": POM.format(release="", library="x"),
            },
            "sh -c 'exec java $OPTIONS -jar a.jar'",
            "mvn --quiet --batch-mode -DskipTests package",
            ["command"],
        ),
    ],
    ids=lambda value: next(iter(value)) if isinstance(value, dict) else "",
)
def test_a_manifest_tells_how_to_build_and_start(
    tmp_path: Path, files: dict[str, str], run: str, build: str, runtimes: list[str]
) -> None:
    starts = found(tmp_path, files)
    way = choose_way(starts, None, None, nobody)
    assert (way.run, starts.toolchain.build) == (run, build)
    assert list(starts.toolchain.runtimes_of(way)) == runtimes


def nobody(question: str, default: str | None) -> None:
    """Asks nobody."""


def test_of_three_processes_one_is_named_or_asked_for(tmp_path: Path) -> None:
    starts = found(tmp_path, {"Procfile": "web: ./web\nworker: ./work\nclock: ./tick\n"})
    assert choose_way(starts, None, "worker", nobody).command == "./work"
    asked = []

    def person(question: str, default: str | None) -> str:
        asked.append((question, default))
        return "clock"

    assert choose_way(starts, None, None, person).command == "./tick"
    assert asked == [("Procfile has web, worker, clock. Which is the service?", "web")]
    with pytest.raises(LoadstoneError) as caught:
        choose_way(starts, None, None, nobody)
    assert "Procfile has 3 processes (web: ./web; worker: ./work; clock: ./tick)" in str(
        caught.value
    )
    assert "--process web" in (caught.value.remedy or "")
    with pytest.raises(LoadstoneError, match="there is no process 'wb' in Procfile") as wrong:
        choose_way(starts, None, "wb", nobody)
    assert "did you mean web?" in (wrong.value.remedy or "")
    with pytest.raises(LoadstoneError, match="exclude each other"):
        choose_way(starts, "./x", "web", nobody)


def test_where_nothing_tells_the_command_it_is_asked_for_with_a_hint(tmp_path: Path) -> None:
    text = 'FROM a\nCMD ["old"]\nFROM b\nENTRYPOINT ["./serve", "--all the"]\nCMD --port \\\n  80\n'
    starts = found(tmp_path, {"Dockerfile": text})
    hints = []

    def person(question: str, default: str | None) -> str:
        hints.append(default)
        return "./mine"

    assert choose_way(starts, None, None, person).command == "./mine"
    assert hints == ["./serve '--all the' --port    80"]
    with pytest.raises(LoadstoneError, match=r"its container runs `\./serve") as caught:
        choose_way(starts, None, None, nobody)
    assert "--command" in (caught.value.remedy or "")


@pytest.mark.parametrize("command", ["", " ", "'open", "a \x01"])
def test_a_command_that_is_none_is_refused(tmp_path: Path, command: str) -> None:
    with pytest.raises(LoadstoneError) as caught:
        choose_way(found(tmp_path, {}), command, None, nobody)
    assert "--command" in (caught.value.remedy or "")


@pytest.mark.parametrize(
    ("command", "run"),
    [
        ("./a --b c", "./a --b c"),
        ("./a --port $PORT", "sh -c 'exec ./a --port $PORT'"),
        ("A=1 ./a", "sh -c 'exec env A=1 ./a'"),
        ("cd x && ./a", "sh -c 'cd x && ./a'"),
        ('./a "b c"', './a "b c"'),
        ("./a 'x$y'", "sh -c 'exec ./a '\"'\"'x$y'\"'\"''"),
    ],
)
def test_a_shell_stands_only_where_one_is_needed(command: str, run: str) -> None:
    assert without_shell(command) == run


@pytest.mark.parametrize(
    ("files", "driver"),
    [
        ({"package.json": '{"dependencies": {"pg": "8"}}'}, ("postgres", "pg")),
        (
            {"go.mod": "require github.com/jackc/pgx/v5 v5.0.0\n"},
            ("postgres", "github.com/jackc/pgx"),
        ),
        ({"requirements.txt": "PyMySQL==1\n"}, ("mariadb", "pymysql")),
        (
            {"pom.xml": "<artifactId>mariadb-java-client</artifactId>"},
            ("mariadb", "mariadb-java-client"),
        ),
        ({"package.json": '{"dependencies": {"pgood": "8"}}'}, None),
    ],
)
def test_a_driver_of_a_database_is_found(
    tmp_path: Path, files: dict[str, str], driver: tuple[str, str] | None
) -> None:
    seen = find_driver(project(tmp_path, **files))
    assert (None if seen is None else (seen.kind, seen.driver)) == driver


NAMES = (
    *("package.json", "go.mod", "pom.xml", "build.gradle", "Cargo.toml", "pyproject.toml"),
    *("requirements.txt", "Procfile", "Dockerfile", "main.go", "app.py", "settings.gradle"),
)
TEXTS = st.text(max_size=40) | st.sampled_from(
    [
        '{"scripts": {"start": "\x01"}, "main": 7, "dependencies": []}',
        "[workspace]\nmembers = ['**', '/', '', 7, '[']\n[[bin]]\nname = 7\n",
        "[project]\ndependencies = 7\n[tool.poetry.dependencies]\na = 1\n",
        '<!DOCTYPE a [<!ENTITY b "c">]><project>&b;</project>',
        "<?xml version='1.0' encoding='utf-16'?><project/>",
        'CMD ["a", 1]\nENTRYPOINT \'open\n',
        "module\nmodule  \n",
        "web: 'open\n",
    ]
)


@given(files=st.dictionaries(st.sampled_from(NAMES), TEXTS, max_size=6))
def test_any_manifests_tell_a_way_or_a_clear_error(files: dict[str, str]) -> None:
    with TemporaryDirectory() as name:
        for file, text in files.items():
            (Path(name) / file).write_bytes(text.encode("utf-8", "surrogatepass"))
        find_driver(Path(name))
        try:
            way = choose_way(find_starts(Path(name)), None, None, nobody)
        except LoadstoneError as error:
            assert error.remedy  # noqa: PT017
        else:
            assert way.run


@pytest.mark.parametrize(
    ("command", "called"),
    [
        ("gunicorn app:app", ".venv/bin/python -m gunicorn app:app"),
        ("python3.12 -m shop", ".venv/bin/python -m shop"),
        (
            "python manage.py migrate && exec gunicorn app:app",
            ".venv/bin/python manage.py migrate && exec .venv/bin/python -m gunicorn app:app",
        ),
        ("A=1 uv run uvicorn main:app", "A=1 .venv/bin/python -m uvicorn main:app"),
        ("poetry run serve --port $PORT", ".venv/bin/python .venv/bin/serve --port $PORT"),
        ("venv/bin/gunicorn app:app", ".venv/bin/python -m gunicorn app:app"),
        ("./.venv/bin/python app.py", ".venv/bin/python app.py"),
        ("cd src && python app.py", "cd src && python app.py"),
        ("./serve python", "./serve python"),
    ],
)
def test_programs_of_packages_are_called_by_the_interpreter_of_the_build(
    command: str, called: str
) -> None:
    assert as_module(command) == called


@pytest.mark.parametrize("wanted", ["a", "a, b=1", "*, a"])
def test_a_function_that_wants_something_makes_no_application(tmp_path: Path, wanted: str) -> None:
    text = f"def create_app({wanted}):\n  return Flask()\n"
    assert not find_starts(project(tmp_path, **{"setup.py": "", "app.py": text})).ways


def test_a_program_that_is_not_copied_is_refused(tmp_path: Path) -> None:
    folder = project(
        tmp_path,
        **{"venv/pyvenv.cfg": "", "venv/bin/serve": "", ".venv/bin/python": "", "bin/serve": ""},
    )
    (folder / ".venv" / "pyvenv.cfg").write_text("")
    starts = find_starts(folder)
    for command in ("venv/bin/serve --port $PORT", "sh -c ./.venv/bin/python"):
        way = choose_way(starts, command, None, nobody)
        with pytest.raises(LoadstoneError, match="is not copied for the build") as caught:
            refuse_uncopied(folder, way, starts.toolchain)
        assert "its absolute path" in (caught.value.remedy or "")
    for command in ("bin/serve", "gone/serve", f"{folder}/venv/bin/serve", "serve"):
        refuse_uncopied(folder, choose_way(starts, command, None, nobody), starts.toolchain)
    made = find_starts(project(tmp_path, **{"requirements.txt": "flask\n"}))
    way = choose_way(made, ".venv/bin/python app.py", None, nobody)
    refuse_uncopied(folder, way, made.toolchain)


@pytest.mark.parametrize(
    ("pyproject", "further", "is_told"),
    [
        ('[project]\nname = "shop"\n', {}, True),
        (
            '[project]\nname = "shop"\n[build-system]\nbuild-backend = "setuptools.build_meta"',
            {},
            True,
        ),
        ('[project]\nname = "shop"\n[build-system]\nbuild-backend = "hatchling.build"', {}, False),
        ('[project]\nname = "shop"\n[tool.setuptools]\npackages = ["shop"]', {}, False),
        ('[project]\nname = "shop"\n', {"src/shop/__init__.py": ""}, False),
        ("[tool.ruff]\nselect = []\n", {}, False),
        (None, {}, False),
    ],
)
def test_a_project_whose_packages_are_found_by_themselves_is_told_so(
    tmp_path: Path, pyproject: str | None, further: dict[str, str], is_told: bool
) -> None:
    files = further if pyproject is None else {"pyproject.toml": pyproject, **further}
    assert bool(package_notes(project(tmp_path, **files))) == is_told


def test_a_file_that_go_leaves_out_makes_no_program(tmp_path: Path) -> None:
    text = "//go:build ignore\n\npackage main\n"
    starts = find_starts(project(tmp_path, **{"go.mod": "module shop\n", "gen.go": text}))
    assert not starts.ways
    assert starts.toolchain.build.endswith("./...")


def test_the_jdk_that_is_here_goes_before_the_others(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    jdk_here(monkeypatch, 21)
    pom = POM.format(release="17", library="spring-boot-starter-web")
    starts = found(tmp_path, {"pom.xml": pom})
    assert list(starts.toolchain.runtimes) == ["openjdk-21", "openjdk-17", "openjdk-25"]


def test_scripts_of_an_environment_are_called_from_that_of_the_build(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("VIRTUAL_ENV", str(tmp_path / "active"))
    folder = project(
        tmp_path,
        **{
            "venv/pyvenv.cfg": "",
            "venv/bin/kinto": "#!/venv/bin/python3\n",
            "venv/bin/activate": "# a shell's\n",
            "active/bin/serve": "#!/usr/bin/env python3\n",
            "bin/other": "#!/usr/bin/python3\n",
        },
    )
    scripts = scripts_of(folder)
    assert scripts == {"kinto", "serve"}
    called = as_module("kinto migrate && kinto start --port $PORT", scripts)
    script = ".venv/bin/python .venv/bin/kinto"
    assert called == f"{script} migrate && {script} start --port $PORT"
