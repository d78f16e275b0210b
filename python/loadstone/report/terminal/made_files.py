"""What `loadstone init` has written, what it could not know, and what comes next."""

from rich.console import Console

from loadstone.describe.init import Made


def print_made(console: Console, made: Made) -> None:
    """Print files, notes, masked secrets and the next commands."""

    def say(line: str) -> None:
        console.print(line, markup=False, soft_wrap=True)

    say(f"{made.folder.name}/ is written, of {made.description.made_of}:")
    for file in made.files:
        say(f"  {file}")
    for note in (*made.description.notes, *made.project.notes):
        say(note)
    project = made.project
    say(f"starts by `{project.way.run}`, built by `{project.toolchain.build}`")
    if project.driver is not None:
        say(
            f"{project.driver.manifest} names {project.driver.driver}: --dependency "
            f"{project.driver.kind} would start one for each run"
        )
    if project.database is not None:
        say(
            f"{project.system}/seed/database/schema.sql is empty: write what makes the tables, unless "
            "the service does so when it starts"
        )
    if not made.description.checks:
        say(f"no check is written: say what right answers are in {project.system}/checks.yaml")
    needed = made.description.needed_variables
    asked = {each.variable: each.seen_in for each in made.description.secrets}
    first = {name: seen_in for name, seen_in in asked.items() if name in needed}
    later = {name: seen_in for name, seen_in in asked.items() if name not in needed}
    for when, secrets in (("before a run", first), ("before a run of other workloads", later)):
        if secrets:
            say(f"secrets, masked; set these variables {when}:")
        for name, seen_in in secrets.items():
            say(f"  {name}: {seen_in}")
    say("next:")
    say(f"  cd {made.folder.name}")
    say(f"  loadstone run {project.study} --dry-run           # what it will do, and how long")
    say(f"  loadstone run {project.study} --profile smoke     # does it run?")
    say(f"  loadstone run {project.study} --profile first     # a first verdict, in half the time")
    say(f"  loadstone run {project.study}")
