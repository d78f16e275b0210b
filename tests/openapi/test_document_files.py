"""Documents as files: what is read, and what is refused before it can grow."""

import json
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import pytest
import yaml
from documents import document_of, shop, written
from hypothesis import given
from hypothesis import strategies as st

from loadstone.errors import InputError
from loadstone.openapi import tree_bounds
from loadstone.openapi.document import ReferenceNotTaken, read_document
from loadstone.openapi.plain_tree import read_tree

JSON = st.recursive(
    st.none()
    | st.booleans()
    | st.integers(-(10**30), 10**30)
    | st.floats(allow_nan=False, allow_infinity=False)
    | st.text(),
    lambda inner: (
        st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=8), inner, max_size=4)
    ),
    max_leaves=20,
)


def tree_of(folder: Path, text: str, name: str = "a.yaml") -> dict[str, Any]:
    return read_tree(written(folder, text, name), "YAML")


def refused(folder: Path, text: str, name: str = "a.yaml") -> InputError:
    with pytest.raises(InputError) as caught:
        tree_of(folder, text, name)
    assert caught.value.path == folder / name
    assert caught.value.remedy
    return caught.value


def test_scalars_are_those_of_json(tmp_path: Path) -> None:
    text = """
a: [yes, on, 2024-01-01, 1_000, 0x1F, ~, null, true, -7, 1.5, 1e3, .5, "7", '8', !!str 9, 12:30]
200: by number
"""
    tree = tree_of(tmp_path, text)
    assert tree["a"] == [
        *("yes", "on", "2024-01-01", "1_000", "0x1F", None, None, True, -7, 1.5, 1000.0, 0.5),
        *("7", "8", "9", "12:30"),
    ]
    assert tree["200"] == "by number"


def test_an_alias_is_the_value_again(tmp_path: Path) -> None:
    tree = tree_of(tmp_path, "a: &x {b: 1}\nc: *x\nd: [*x, *x]\n")
    assert tree == {"a": {"b": 1}, "c": {"b": 1}, "d": [{"b": 1}, {"b": 1}]}


def test_aliases_that_grow_without_bound_are_refused(tmp_path: Path) -> None:
    lines = ["a0: &a0 [x, x, x, x, x, x, x, x, x, x]"]
    lines += [f"a{n}: &a{n} [{', '.join([f'*a{n - 1}'] * 10)}]" for n in range(1, 30)]
    assert "values, aliases written out" in str(refused(tmp_path, "\n".join(lines)))


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "the file is empty"),
        ("- a\n", "it is no mapping"),
        ("a: &x [*x]\n", "the alias *x stands for nothing that is complete"),
        ("a: *none\n", "the alias *none stands for nothing"),
        ("a: !python/object:os.system {}\n", "holds the tag !python/object:os.system"),
        ("a: 1\n---\nb: 2\n", "holds several documents"),
        ("[a]: 1\n", "a key must be text"),
        ("a: [1\n", "is not YAML"),
        ("a: \x01\n", "is not YAML"),
        ("[" * 5000, "nested deeper than 200 levels"),
        ("a: " + "{b: " * 250 + "1" + "}" * 250, "nested deeper than 200 levels"),
    ],
)
def test_what_is_no_plain_document_is_refused(tmp_path: Path, text: str, message: str) -> None:
    assert message in str(refused(tmp_path, text))


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("{", "is not JSON"),
        ('{"a": NaN}', "NaN is no number of JSON"),
        ('{"a": 1e999}', "larger than any"),
        ('{"a": ' + "[" * 300 + "]" * 300 + "}", "nested deeper than 200 levels"),
        ('{"a": ' + "[" * 200_000, "nested deeper"),
        ("[1, 2]", "it is no mapping"),
    ],
)
def test_what_is_no_plain_json_is_refused(tmp_path: Path, text: str, message: str) -> None:
    assert message in str(refused(tmp_path, text, "a.json"))


def test_a_file_that_is_too_large_is_not_read(tmp_path: Path) -> None:
    path = tmp_path / "a.json"
    with path.open("wb") as file:
        file.truncate(tree_bounds.MOST_BYTES + 1)
    with pytest.raises(InputError, match="is larger than"):
        read_tree(path, "JSON")


def test_too_many_values_are_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for module in ("plain_tree", "yaml_tree"):
        monkeypatch.setattr(f"loadstone.openapi.{module}.MOST_VALUES", 100)
    tree = {"a": list(range(100))}
    assert "more than" in str(refused(tmp_path, json.dumps(tree), "a.json"))
    assert "more than" in str(refused(tmp_path, yaml.safe_dump(tree)))


def test_a_document_of_many_megabytes_is_read_in_both_forms(tmp_path: Path) -> None:
    paths = {f"/items/{n}": {"get": {"summary": "x" * 400, "responses": {}}} for n in range(12_000)}
    tree = shop(paths=paths)
    text = json.dumps(tree)
    assert len(text) > 5_000_000
    assert document_of(tmp_path, text).tree == tree
    # JSON is YAML, and is read as such by its name.
    assert document_of(tmp_path, text, "openapi.yaml").tree == tree


@pytest.mark.parametrize("form", ["json", "yaml"])
@given(tree=st.dictionaries(st.text(max_size=8), JSON, max_size=4))
def test_a_tree_is_read_as_it_was_written(form: str, tree: dict[str, Any]) -> None:
    text = json.dumps(tree)
    with TemporaryDirectory() as name:
        try:
            found = tree_of(Path(name), text, f"a.{form}")
        except InputError as error:
            # A lone surrogate, or a key that is longer than YAML allows.
            assert form == "yaml"
            assert error.remedy  # noqa: PT017
            return
    assert found == tree


@given(text=st.text(max_size=200) | st.text("[]{}:,&*!-?|>'\"\n a1", max_size=60))
def test_any_text_is_read_or_refused(text: str) -> None:
    for name in ("a.yaml", "a.json"):
        with TemporaryDirectory() as folder:
            path = Path(folder) / name
            path.write_bytes(text.encode("utf-8", "surrogatepass"))
            try:
                read_tree(path, "YAML")
            except InputError as error:
                assert error.remedy  # noqa: PT017


@pytest.mark.parametrize(
    ("change", "message", "remedy"),
    [
        ({"openapi": "2.0"}, "openapi: is '2.0', not 3.0 or 3.1", "begins with"),
        ({"openapi": "3.2.0"}, "not 3.0 or 3.1", "begins with"),
        ({"openapi": 3.1}, "", ""),
        ({"openapi": None}, "openapi: is nothing", "begins with"),
        ({"swagger": "2.0"}, "is of Swagger '2.0'", "convert it"),
    ],
)
def test_another_version_is_refused(
    tmp_path: Path, change: dict[str, Any], message: str, remedy: str
) -> None:
    path = written(tmp_path, shop() | change)
    if not message:
        assert read_document(path).version == "3.1"
        return
    with pytest.raises(InputError, match=message) as caught:
        read_document(path)
    assert remedy in (caught.value.remedy or "")


@pytest.mark.parametrize(
    ("reference", "message"),
    [
        ("https://example.com/a.yaml#/b", "leads out of the document, and nothing is fetched"),
        ("file:///etc/passwd", "leads out of the document"),
        ("other.yaml", "leads out of the document"),
        ("#/components/schemas/None", "leads nowhere"),
        ("#anchor", "leads nowhere"),
        ("#/loop", "leads in a circle"),
    ],
)
def test_a_reference_that_cannot_be_followed_is_told(
    tmp_path: Path, reference: str, message: str
) -> None:
    loop = {"loop": {"$ref": "#/round"}, "round": {"$ref": "#/loop"}, "at": {"$ref": reference}}
    document = document_of(tmp_path, shop() | loop)
    with pytest.raises(ReferenceNotTaken, match=message):
        document.follow(document.top.below("at"))


def test_a_reference_is_followed_through_others_and_escapes(tmp_path: Path) -> None:
    tree = shop() | {
        "a": {"$ref": "#/b~1c/d%20e~0"},
        "b/c": {"d e~": {"$ref": "#/list/1"}},
        "list": [0, {"x": 1}],
    }
    document = document_of(tmp_path, tree)
    found = document.follow(document.top.below("a"))
    assert (found.value, found.at) == ({"x": 1}, ("list", "1"))
