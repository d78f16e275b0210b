"""Databases that a project has a driver of: the lab can start a private one for each run."""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from loadstone.describe.starts.project_files import text_of
from loadstone.study.values.dependency import DependencyKind

NAME: Final = "database"
"""What the dependency is called."""

_MANIFESTS = (
    "package.json",
    "go.mod",
    "pom.xml",
    "build.gradle",
    "build.gradle.kts",
    "pyproject.toml",
    "requirements.txt",
    "Cargo.toml",
)
_DRIVERS: dict[DependencyKind, tuple[str, ...]] = {
    "postgres": (
        *("pg", "pg-promise", "postgres", "github.com/lib/pq", "github.com/jackc/pgx"),
        *("psycopg", "psycopg2", "psycopg2-binary", "asyncpg", "org.postgresql", "tokio-postgres"),
    ),
    "mariadb": (
        *("mysql", "mysql2", "mariadb", "github.com/go-sql-driver/mysql", "pymysql", "mysqlclient"),
        *(
            "aiomysql",
            "mysql-connector-j",
            "mariadb-java-client",
            "org.mariadb.jdbc",
            "mysql_async",
        ),
    ),
}
_TOKEN = re.compile(r"[A-Za-z0-9_./-]+")


@dataclass(frozen=True)
class Database:
    """How a kind of database is called, and reached by the user that the lab makes."""

    title: str
    scheme: str
    """Of its URL."""
    declared: str
    """What stands for it among the dependencies of system.yaml."""


DATABASES: dict[DependencyKind, Database] = {
    "postgres": Database(
        "a PostgreSQL",
        "postgresql",  # `postgres` is refused by SQLAlchemy; whoever takes that takes this, too
        "{kind: postgres, user: api, password: api}",
    ),
    "mariadb": Database(
        "a MariaDB",
        "mysql",
        "{kind: mariadb, user: api, password: api}",
    ),
}
_JVM_VARIABLES = {
    "Spring Boot": "SPRING_DATASOURCE_{}",
    "Quarkus": "QUARKUS_DATASOURCE_{}",
    "Micronaut": "DATASOURCES_DEFAULT_{}",
}
"""How frameworks read a data source from their environment."""
_JDBC_SCHEMES: dict[DependencyKind, str] = {"postgres": "postgresql", "mariadb": "mariadb"}


def variables_of(kind: DependencyKind, language: str, framework: str) -> Mapping[str, str]:
    """The variables by which a service is usually told of its database, as system.yaml has them."""
    named = _JVM_VARIABLES.get(framework)
    if named is not None:
        url = f"jdbc:{_JDBC_SCHEMES[kind]}://{{{NAME}}}/{NAME}"
        its_url = named.format("JDBC_URL" if framework == "Quarkus" else "URL")
        return {its_url: url, named.format("USERNAME"): "api", named.format("PASSWORD"): "api"}
    if kind == "mariadb" and language == "Go":
        return {"DATABASE_URL": f"api:api@tcp({{{NAME}}})/{NAME}"}
    # lib/pq, alone among the drivers, wants TLS where nothing is said; some others refuse the word.
    option = "?sslmode=disable" if language == "Go" else ""
    return {"DATABASE_URL": f"{DATABASES[kind].scheme}://api:api@{{{NAME}}}/{NAME}{option}"}


@dataclass(frozen=True)
class FoundDriver:
    """A driver of a database that a manifest names."""

    kind: DependencyKind
    driver: str
    manifest: str


def find_driver(project: Path) -> FoundDriver | None:
    """The first driver that a manifest names; none where none does."""
    for manifest in _MANIFESTS:
        tokens = set(_TOKEN.findall((text_of(project / manifest) or "").lower()))
        for kind, drivers in _DRIVERS.items():
            for driver in drivers:
                # A module of Go has its version behind its name.
                if driver in tokens or (
                    "/" in driver and any(_is_of(each, driver) for each in tokens)
                ):
                    return FoundDriver(kind, driver, manifest)
    return None


def _is_of(token: str, module: str) -> bool:
    return token.startswith(f"{module}/")
