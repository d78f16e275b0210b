"""The legs of a system: each is one hop, and a factor of its studies.

A hop between two services has two ends, which cannot speak differently: both name it, and a study
gives it one protocol. So a leg's name is a factor's name, whatever the number of services.
"""

from collections.abc import Mapping, Sequence

from loadstone.study.files.yaml_file import YamlFile
from loadstone.study.values.hops import called_by
from loadstone.study.values.manifest import CLIENT_LEG
from loadstone.study.values.model import PAGE_CACHE


def judge_legs(
    source: YamlFile,
    entry: str,
    legs: Mapping[str, Sequence[str]],
    needs: Mapping[str, Sequence[str]],
) -> None:
    """Refuse legs that could be mixed up; `legs` and `needs` are by service. Raises InputError."""
    if CLIENT_LEG not in legs[entry]:
        raise source.error(
            ("services", entry, "legs"),
            f"the leg {CLIENT_LEG} is missing",
            f"add {CLIENT_LEG}: {entry} is the entry",
        )
    for service, named in legs.items():
        for position, leg in enumerate(named):
            at = ("services", service, "legs", position)
            if leg == PAGE_CACHE:
                raise source.error(
                    at, "is the name of a factor of every system", "choose another name"
                )
            if leg in named[:position] or leg in legs:
                raise source.error(
                    at,
                    f"{leg} is there twice, or is a service's name",
                    "legs and services are factors of a study: give each a name of its own",
                )
            if leg == CLIENT_LEG and service != entry:
                raise source.error(
                    at,
                    f"{leg} leads to the entry, {entry}",
                    "name the leg by which other services call it, and name it there, too",
                )
            sharing = [each for each in legs if leg in legs[each]]
            if len(sharing) > 1 and called_by(leg, legs, needs) is None:
                raise source.error(
                    at,
                    f"{leg} is a leg of {' and '.join(sharing)}, and none of them is what the others "
                    "need",
                    "give each hop a name of its own",
                )
