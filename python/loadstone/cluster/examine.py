"""What a machine says of itself to `loadstone cluster check`: `python -m loadstone.cluster.examine`.

A process of its own, since whoever asks for it has the CPUs of the bench alone.
"""

import os
import sys

from loadstone.cluster.site_facts import site_facts
from loadstone.deploy.placement import available_cores, place
from loadstone.doctor.diagnosis import Diagnosis, diagnose
from loadstone.doctor.examination import examine
from loadstone.frozen import Frozen
from loadstone.measure.environment import observe_environment
from loadstone.results.environment import Environment, SiteFacts
from loadstone.study.systems.catalogue import open_catalogue


class Examined(Frozen):
    """One machine."""

    environment: Environment
    facts: SiteFacts
    diagnosis: Diagnosis


def main() -> None:
    """Print an examination as JSON."""
    os.sched_setaffinity(0, range(os.cpu_count() or 1))
    catalogue, placement = open_catalogue(), place(available_cores())
    environment = observe_environment(catalogue.roots[0], placement, {}, {}, {})
    examined = Examined(
        environment=environment,
        facts=site_facts(environment),
        diagnosis=diagnose(examine(catalogue, lambda _: None)),
    )
    sys.stdout.write(examined.model_dump_json())


if __name__ == "__main__":
    main()
