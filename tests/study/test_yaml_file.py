"""Reading hostile YAML: bounded, located, and never anything but a tree or an InputError."""

import json
import os
from pathlib import Path
from typing import Any

import pytest
import yaml
from hypothesis import given
from hypothesis import strategies as st

from loadstone.errors import InputError
from loadstone.study.files.yaml_file import MOST_BYTES, MOST_LEVELS, key_text, read_yaml


def refused(folder: Path, content: str | bytes) -> str:
    path = folder / "file.yaml"
    path.write_bytes(
        content.encode("utf-8", "surrogatepass") if isinstance(content, str) else content
    )
    with pytest.raises(InputError) as caught:
        read_yaml(path)
    assert caught.value.remedy
    return caught.value.message.removeprefix(f"{folder}/")


LAUGHS = "a: &a [x, x]\nb: &b [*a, *a]\nc: &c [*b, *b]\n"

CASES: dict[str, tuple[str | bytes, str]] = {
    "an empty file": ("", "file.yaml:1: the file is empty"),
    "only a comment": ("# nothing\n", "file.yaml:1: the file is empty"),
    "only null": ("~", "file.yaml:1: must be a mapping"),
    "a list": ("\n- a\n- b\n", "file.yaml:2: must be a mapping"),
    "a word": ("word", "file.yaml:1: must be a mapping"),
    "not UTF-8": (b"a: 1\nb: \xff\n", "file.yaml:2: is not UTF-8"),
    "UTF-16": ("a: 1".encode("utf-16"), "file.yaml:1: is not UTF-8"),
    "a NUL": ("a: 1\nb: \0\n", "file.yaml:2: holds the character U+0000"),
    "a tab for indentation": ("a:\n  b: 1\n\tc: 2\n", "file.yaml:3: a tab where YAML wants spaces"),
    "an unclosed bracket": ("a: [1, 2\nb: 3\n", "file.yaml:2: expected ',' or ']'"),
    "an unclosed quote": ('a: "text\n', "file.yaml:2: found unexpected end of stream"),
    "a second colon": ("a: b: c\n", "file.yaml:1: mapping values are not allowed here"),
    "wrong indentation": ("a: 1\n  b: 2\n", "file.yaml:2: mapping values are not allowed here"),
    "a key without a colon": ("a: 1\nb\n", "file.yaml:3: could not find expected ':'"),
    "two documents": ("a: 1\n---\nb: 2\n", "file.yaml:2: but found another document"),
    "a duplicate key": ("a: 1\nb: 2\na: 3\n", "file.yaml:3: a: is there twice, first in line 1"),
    "a duplicate key inside": (
        "a:\n  - b: 1\n    b: 2\n",
        "file.yaml:3: a[0].b: is there twice, first in line 2",
    ),
    "an alias": ("a: &x 1\nb: *x\n", "file.yaml:2: the alias *x: aliases are not taken"),
    "an alias bomb": (LAUGHS, "file.yaml:2: the alias *a: aliases are not taken"),
    "an alias of itself": ("a: &a [*a]\n", "file.yaml:1: the alias *a"),
    "a merge key": ("a: {b: 1}\n<<: {c: 2}\n", "file.yaml:2: a key must be text"),
    "deep nesting": ("a: " + "[" * 5000, f"file.yaml:1: nested deeper than {MOST_LEVELS} levels"),
    "a number as a key": ("a:\n  8080: x\n", "file.yaml:2: a: a key must be text"),
    "null as a key": ("~: x\n", "file.yaml:1: a key must be text"),
    "a list as a key": ("[a, b]: x\n", "file.yaml:1: a key must be text, not a list"),
    "a Python object": (
        "a: !!python/object/apply:os.system [id]\n",
        "file.yaml:1: a: YAML reads as 'python/object/apply:os.system'",
    ),
    "an unknown tag": ("a: !mine x\n", "file.yaml:1: a: YAML reads 'x' as '!mine'"),
    "a set": ("a: !!set {b, c}\n", "file.yaml:1: a: YAML reads as 'set'"),
    "a date": ("a: 2024-09-15\n", "file.yaml:1: a: YAML reads '2024-09-15' as 'timestamp'"),
    "minutes and seconds": ("a: 1:30\n", "file.yaml:1: a: YAML reads '1:30' as 'int'"),
    "an octal number": ("a: 010\n", "file.yaml:1: a: YAML reads '010' as 'int'"),
    "a hexadecimal number": ("a: 0x10\n", "file.yaml:1: a: YAML reads '0x10' as 'int'"),
    "infinity": ("a: .inf\n", "file.yaml:1: a: YAML reads '.inf' as 'float'"),
    "no number": ("a: .nan\n", "file.yaml:1: a: YAML reads '.nan' as 'float'"),
    "a number of 100000 digits": ("a: " + "9" * 100_000, "file.yaml:1: a: YAML reads '999"),
    "a wrong tag for the text": ("a: !!int ten\n", "file.yaml:1: a: YAML reads 'ten' as 'int'"),
    "an escaped control character": ('a: "\\e[31m"\n', "file.yaml:1: a: holds a control character"),
    "a lone surrogate": ('a: "\\ud800"\n', "file.yaml:1: a: holds a control character or a lone"),
    "a directive of another YAML": ("%YAML 3.0\n---\na: 1\n", "file.yaml:1: found incompatible"),
}


@pytest.mark.parametrize(("content", "message"), CASES.values(), ids=CASES.keys())
def test_what_cannot_be_taken_is_refused_with_its_line(
    tmp_path: Path, content: str | bytes, message: str
) -> None:
    assert refused(tmp_path, content).startswith(message)


def test_a_file_above_the_size_limit_is_refused_unread(tmp_path: Path) -> None:
    assert f"is larger than {MOST_BYTES} bytes" in refused(tmp_path, b"#" * (MOST_BYTES + 1))


def test_a_missing_file_is_refused(tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"none\.yaml: cannot be read: No such file"):
        read_yaml(tmp_path / "none.yaml")


def test_a_folder_is_refused(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="is not a regular file"):
        read_yaml(tmp_path)


def test_a_pipe_is_refused_without_waiting_for_it(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe")
    with pytest.raises(InputError, match="is not a regular file"):
        read_yaml(tmp_path / "pipe")


def test_every_key_and_entry_has_its_line(tmp_path: Path) -> None:
    path = tmp_path / "file.yaml"
    path.write_text("\n# why\na:\n  - b: 1\n    c: [x,\n        y]\nd: yes\n")
    source = read_yaml(path)
    assert source.tree == {"a": [{"b": 1, "c": ["x", "y"]}], "d": True}
    assert source.line_of(("a", 0, "c")) == 5
    assert source.line_of(("a", 0, "c", 1)) == 6
    assert source.line_of(("a", 0, "none")) == 4, "a missing key has the line of what lacks it"
    assert str(source.error(("a", 0, "c", 1), "is wrong")) == f"{path}:6: a[0].c[1]: is wrong"


def test_a_long_key_is_shortened_in_a_message() -> None:
    assert key_text(("a", 0, "k" * 1000, "b")) == f"a[0].{'k' * 57}....b"


JSON_VALUES = st.recursive(
    st.none()
    | st.booleans()
    | st.integers(-(10**17), 10**17)
    | st.text(st.characters(codec="ascii", categories=["L", "N", "P", "Zs"])),
    lambda values: (
        st.lists(values, max_size=4) | st.dictionaries(st.text("abc", min_size=1), values)
    ),
    max_leaves=20,
)


@given(
    tree=st.dictionaries(st.text("xyz", min_size=1), JSON_VALUES, min_size=1), flow=st.booleans()
)
def test_what_was_dumped_is_read_back(
    tmp_path_factory: pytest.TempPathFactory, tree: dict[str, Any], flow: bool
) -> None:
    path = tmp_path_factory.mktemp("dump") / "file.yaml"
    text = json.dumps(tree) if flow else yaml.safe_dump(tree, allow_unicode=True)
    path.write_text(text)
    # The dumper writes an alias for a container that is there twice by identity.
    if flow or "&id" not in text:
        assert read_yaml(path).tree == tree


@given(content=st.binary(max_size=200) | st.text("ab:-[]{}&*!|>'\"#%@`\n\t ,?0", max_size=60))
def test_any_bytes_give_a_tree_or_an_input_error_with_a_remedy(
    tmp_path_factory: pytest.TempPathFactory, content: bytes | str
) -> None:
    path = tmp_path_factory.mktemp("any") / "file.yaml"
    path.write_bytes(content if isinstance(content, bytes) else content.encode())
    refusal = None
    try:
        source = read_yaml(path)
    except InputError as error:
        refusal = error
    if refusal is None:
        assert isinstance(source.tree, dict)
    else:
        assert (refusal.path, bool(refusal.line), bool(refusal.remedy)) == (path, True, True)
