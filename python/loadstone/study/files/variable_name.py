"""The names of environment variables, as files have them."""

import re

from loadstone.study.files.yaml_file import KeyPath, YamlFile

_VARIABLE = re.compile(r"[A-Z][A-Z0-9_]*")


def judge_variable_name(source: YamlFile, at: KeyPath, variable: str) -> None:
    """Raise InputError for what no stack could be told by."""
    if not _VARIABLE.fullmatch(variable):
        raise source.error(at, "is not a variable's name", "write capitals, digits and '_'")
