"""Which service of its system a study loads: the entry, or another one that is called itself."""

from loadstone.study.files.study_file import RawStudy
from loadstone.study.files.yaml_file import YamlFile
from loadstone.study.values.called_at import called_at
from loadstone.study.values.manifest import System
from loadstone.text.quoted import suggestion


def loaded_part(source: YamlFile, raw: RawStudy, system: System) -> System:
    """Return the system as the study loads it: all of it, or a part. Raises InputError."""
    if raw.entry is None or raw.entry == system.entry:
        return system
    if raw.entry not in system.names:
        raise source.error(
            ("entry",),
            f"{raw.entry} is not a service of {system.system}",
            suggestion(raw.entry, system.names),
        )
    if system.service(raw.entry).is_bench:
        raise source.error(
            ("entry",),
            f"{raw.entry} has the role bench: it stands with what measures, and is not measured",
            "name a service that is compared",
        )
    if system.inbound_leg(raw.entry) is None:
        raise source.error(
            ("entry",),
            f"no leg of {system.system} leads to {raw.entry}, so nothing says what it is called in",
            "name the leg by which others call it in both services of system.yaml",
        )
    return called_at(system, raw.entry)
