"""Databases that a project has a driver of: the lab can start a private one for each run."""

import re
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
    url: str
    """What DATABASE_URL is in system.yaml."""
    declared: str
    """What stands for it among the dependencies there."""


DATABASES: dict[DependencyKind, Database] = {
    "postgres": Database(
        "a PostgreSQL",
        "postgres://api:api@{database}/database",
        "{kind: postgres, user: api, password: api}",
    ),
    "mariadb": Database(
        "a MariaDB",
        "mysql://api:api@{database}/database",
        "{kind: mariadb, user: api, password: api}",
    ),
}


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
