"""Node.js: `package.json`."""

from pathlib import Path

from loadstone.describe.starts.model import Toolchain, Way
from loadstone.describe.starts.project_files import (
    first_named,
    is_file,
    json_of,
    mapping_below,
    text_below,
)

_FRAMEWORKS = {
    "next": "Next.js",
    "nuxt": "Nuxt",
    "@nestjs/core": "NestJS",
    "fastify": "Fastify",
    "express": "Express",
    "koa": "Koa",
    "@hapi/hapi": "hapi",
    "hono": "Hono",
    "restify": "Restify",
}
_MANAGERS = {
    "pnpm-lock.yaml": ("pnpm install --frozen-lockfile --prod=false", "pnpm run"),
    "yarn.lock": ("yarn install --frozen-lockfile --production=false", "yarn run"),
    "package-lock.json": ("npm ci --include=dev", "npm run"),
}
"""Lock file to how packages are installed and scripts are run: with what a build needs, although the
runtime says NODE_ENV=production.
"""

_USUAL = ("server.js", "app.js", "src/server.js", "src/app.js", "index.js", "src/index.js")
"""Files that a service is usually started by."""
_YARN_FROM_2 = "yarn install --immutable"
"""It knows no --production, and always installs what a build needs."""


def node(project: Path) -> Toolchain | None:
    """What package.json tells; none where there is none."""
    package = json_of(project / "package.json")
    if not package:
        return None
    present = (each for name, each in _MANAGERS.items() if is_file(project / name))
    install, run = next(present, ("npm install --include=dev", "npm run"))
    if run == "yarn run" and is_file(project / ".yarnrc.yml"):
        install = _YARN_FROM_2
    build = f"{install} && {run} build" if text_below(package, "scripts", "build") else install
    packages = mapping_below(package, "dependencies")
    is_typescript = is_file(project / "tsconfig.json")
    return Toolchain(
        manifest="package.json",
        language="TypeScript" if is_typescript else "JavaScript",
        framework=first_named(_FRAMEWORKS, packages),
        build=build if packages or mapping_below(package, "devDependencies") else "true",
        runtimes=("node",),
        ways=_ways(project, package),
    )


def _ways(project: Path, package: object) -> tuple[Way, ...]:
    start = text_below(package, "scripts", "start")
    if start is not None:
        # `npm start` would stand between the lab and the service, and knows programs of packages.
        is_plain = start.split()[0] == "node"
        return (Way("scripts.start", start if is_plain else "npm start"),)
    main = text_below(package, "main")
    for file in (main, *_USUAL):
        if file is not None and is_file(project / file):
            return (Way(file, f"node {file}"),)
    return ()
