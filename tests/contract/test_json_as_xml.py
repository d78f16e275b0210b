"""The rule of JSON to XML, against documents written by hand and against another derivation."""

import json
import tomllib
from collections.abc import Iterator
from itertools import pairwise
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import pytest
from hypothesis import given
from hypothesis import strategies as st

from loadstone.study.values.payload import payload
from systems.mediation.contract.lib.json_as_xml import NoDocument, json_as_xml
from systems.mediation.contract.lib.xml_document import End, Start, Text, difference, read_xml

CASES = tomllib.loads(Path(__file__).with_name("transform_cases.toml").read_text())["case"]

names = st.text("abcxyzABCäж_", min_size=1, max_size=3).filter(lambda name: name != "xml")
# ElementTree writes a carriage return as it is, which a parser reads as a line feed.
texts = st.text(st.characters(codec="utf-8", exclude_categories=["Cs", "Cc"]), max_size=5).filter(
    lambda text: not set(text) & {"\ufffe", "\uffff"}
)
scalars = st.none() | st.booleans() | st.integers(-(10**15) + 1, 10**15 - 1) | texts


def objects(inner: st.SearchStrategy[Any]) -> st.SearchStrategy[dict[str, Any]]:
    elements = st.dictionaries(names, inner, max_size=4)
    attributes = st.dictionaries(names.map(lambda name: f"@{name}"), scalars, max_size=2)
    contents = st.dictionaries(st.just("#content"), scalars, max_size=1)
    members = st.tuples(elements, attributes, contents).map(
        lambda parts: [member for part in parts for member in part.items()]
    )
    return members.flatmap(st.permutations).map(dict)


values: st.SearchStrategy[Any] = st.recursive(
    scalars,
    lambda inner: st.lists(inner, max_size=3) | objects(inner),
    max_leaves=12,
)
documents = st.lists(values, max_size=4) | objects(values).filter(bool)


@pytest.mark.parametrize("case", CASES, ids=lambda case: case["json"][:40])
def test_a_text_becomes_the_document_that_was_written_by_hand(case: dict[str, str]) -> None:
    if "xml" in case:
        gap = difference(json_as_xml(case["json"].encode()), read_xml(case["xml"].encode()))
        assert gap is None
    else:
        with pytest.raises(NoDocument):
            json_as_xml(case["json"].encode())


@pytest.mark.parametrize(("size_bytes", "document_bytes"), [(50, 85), (1024, 2259)])
def test_the_documents_of_the_workloads_have_the_published_sizes(
    size_bytes: int, document_bytes: int
) -> None:
    sent = payload("array", size_bytes)
    entries = "".join(f"<payload>{entry}</payload>" for entry in json.loads(sent)["payload"])
    text = f"<root><size>{size_bytes}B</size>{entries}</root>"
    assert len(text) == document_bytes
    assert json_as_xml(sent.encode()) == read_xml(text.encode())


@given(documents)
def test_another_derivation_comes_to_the_same_document(value: Any) -> None:
    tree = ElementTree.tostring(as_tree(value), encoding="utf-8")
    tree = tree.partition(b"?>\n")[2] if tree.startswith(b"<?xml") else tree
    gap = difference(json_as_xml(json.dumps(value).encode()), read_xml(tree))
    assert gap is None


@given(documents)
def test_no_text_is_lost_or_added_and_their_order_is_kept(value: Any) -> None:
    pieces = json_as_xml(json.dumps(value).encode())
    starts = sum(isinstance(piece, Start) for piece in pieces)
    assert starts == sum(isinstance(piece, End) for piece in pieces)
    found = "".join(piece.characters for piece in pieces if isinstance(piece, Text))
    assert found == "".join(written(value))
    assert not any(both_text(one, other) for one, other in pairwise(pieces))


@pytest.mark.parametrize("name", ["a", "_", "ä", "a-b", "a.1", "名", "a·", "xmlthing", "ā̈", "имя"])
def test_a_name_is_one_that_a_parser_takes(name: str) -> None:
    assert read_xml(f"<{name}/>".encode()) == json_as_xml(json.dumps({name: None}).encode())


@pytest.mark.parametrize("body", [b"\xff", b'{"a":"\xed\xa0\x80"}', b"\xef\xbb\xbf[1]", b"[" * 9])
def test_bytes_that_are_no_json_make_no_document(body: bytes) -> None:
    with pytest.raises(NoDocument, match="not JSON"):
        json_as_xml(body)


def as_tree(value: Any) -> ElementTree.Element:
    """The rule once more, as a tree that another library writes."""
    if isinstance(value, dict) and len(value) == 1:
        ((key, only),) = value.items()
        if key[0] not in "@#" and not isinstance(only, list):
            return filled(ElementTree.Element(key), only)
    return filled(ElementTree.Element("root"), value)


def filled(element: ElementTree.Element, value: Any) -> ElementTree.Element:
    if isinstance(value, dict):
        for key, one in value.items():
            if key == "#content":
                add_text(element, one)
            elif key.startswith("@"):
                element.set(key[1:], as_text(one))
            else:
                for entry in one if isinstance(one, list) else [one]:
                    filled(ElementTree.SubElement(element, key), entry)
    elif isinstance(value, list):
        for entry in value:
            filled(ElementTree.SubElement(element, "item"), entry)
    else:
        add_text(element, value)
    return element


def add_text(element: ElementTree.Element, value: Any) -> None:
    if len(element):
        element[-1].tail = as_text(value)
    else:
        element.text = as_text(value)


def as_text(value: Any) -> str:
    return "" if value is None else value if isinstance(value, str) else json.dumps(value)


def written(value: Any) -> Iterator[str]:
    if isinstance(value, dict):
        for key, one in value.items():
            if not key.startswith("@"):
                yield from written(one)
    elif isinstance(value, list):
        for entry in value:
            yield from written(entry)
    else:
        yield as_text(value)


def both_text(one: object, other: object) -> bool:
    return isinstance(one, Text) and isinstance(other, Text)
