"""Several relays behind a gateway that asks the first of them."""

from pathlib import Path

from lab import Lab

SETTINGS = """
settings:
  relay-instances: {instances: relay, levels: ["1", "2", "3"]}
"""
SAYS = """package main

import (
	"log"
	"os"
)

func init() {
	log.Print("told ", os.Getenv("UPSTREAM_URL"))
}
"""
"""So that its log has what it was told."""


def add_relays(lab: Lab) -> None:
    """Put relays behind the Go gateway, which says where they are, and asks the first of them."""
    lab.add_relay()
    system = lab.root / "systems" / "mediation" / "system.yaml"
    system.write_text(system.read_text() + SETTINGS)
    (lab.gateways / "go" / "says.go").write_text(SAYS)
    config = lab.gateways / "go" / "config.go"
    _edit(config, '\t"strconv"\n', '\t"strconv"\n\t"strings"\n')
    _edit(
        config,
        'url.Parse(variable("UPSTREAM_URL"))',
        'url.Parse(strings.Split(variable("UPSTREAM_URL"), ",")[0])',
    )


def _edit(path: Path, old: str, new: str) -> None:
    text = path.read_text()
    assert text.count(old) == 1
    path.write_text(text.replace(old, new))
