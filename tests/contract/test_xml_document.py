import pytest

from systems.mediation.contract.lib.xml_document import (
    End,
    Name,
    NotXml,
    Start,
    Text,
    begins,
    difference,
    expect_xml,
    read_xml,
    read_xml_beginning,
)


def test_a_document_is_its_pieces_in_order() -> None:
    assert read_xml(b'<a><b c="1">x</b>y</a>') == (
        Start(Name("", "a")),
        Start(Name("", "b"), frozenset({(Name("", "c"), "1")})),
        Text("x"),
        End(),
        Text("y"),
        End(),
    )


@pytest.mark.parametrize(
    ("one", "other"),
    [
        (b"<a/>", b"<a></a >"),
        (b"<a>&lt;&#9;&#x41;</a>", b"<a><![CDATA[<]]>\tA</a>"),
        (b'<a b="1" c="2"/>', b"<a c='2' b='1'/>"),
        (b'<p:a xmlns:p="urn:1" p:b=""/>', b'<q:a xmlns:q="urn:1" q:b=""/>'),
        (b'<a xmlns="urn:1"><b/></a>', b'<p:a xmlns:p="urn:1"><p:b/></p:a>'),
        (b'<a xmlns:unused="urn:1"/>', b"<a/>"),
    ],
)
def test_documents_that_say_the_same_are_equal(one: bytes, other: bytes) -> None:
    assert read_xml(one) == read_xml(other)
    assert difference(read_xml(one), read_xml(other)) is None


@pytest.mark.parametrize(
    ("one", "other", "said"),
    [
        (b"<a/>", b"<b/>", "piece 1 is <a> </>, not <b> </>"),
        (b"<a> <b/></a>", b"<a><b/></a>", "piece 2 is ' ' <b> </>, not <b> </> </>"),
        (b"<a><b/></a>", b"<a/>", "piece 2 is <b> </> </>, not </>"),
        (b"<a>x\r</a>", b"<a>x&#13;</a>", "piece 2 is 'x\\n' </>, not 'x\\r' </>"),
        (b'<a b="\t"/>', b'<a b="&#9;"/>', "piece 1 is <a b=' '> </>, not <a b='\\t'> </>"),
        (b'<a xmlns="urn:1"/>', b"<a/>", "piece 1 is <{urn:1}a> </>, not <a> </>"),
        (b'<p:a xmlns:p="u" p:b=""/>', b'<p:a xmlns:p="u" b=""/>', "piece 1 is <{u}a {u}b=''>"),
    ],
)
def test_a_difference_is_said_by_its_place(one: bytes, other: bytes, said: str) -> None:
    found = difference(read_xml(one), read_xml(other))
    assert found is not None
    assert found.startswith(said)


@pytest.mark.parametrize(
    ("data", "reason"),
    [
        (b"", "no element found"),
        (b"<a>", "no element found"),
        (b"<a/><b/>", "junk after document element"),
        (b"x<a/>", "not well-formed"),
        (b"<a></b>", "mismatched tag"),
        (b"<a b='1' b='2'/>", "duplicate attribute"),
        (b"<a xmlns:p='u' xmlns:q='u' p:b='' q:b=''/>", "duplicate attribute"),
        (b"<p:a/>", "unbound prefix"),
        (b"<a>\xff</a>", "can't decode"),
        (b"<a>&#0;</a>", "reference to invalid character"),
        (b"<a>&nbsp;</a>", "undefined entity"),
        (b"<a>]]></a>", "not well-formed"),
        (b'<?xml version="1.0"?><a/>', "a declaration"),
        (b'<!DOCTYPE a [<!ENTITY b "c">]><a>&b;</a>', "a document type"),
        (b"<a><!-- b --></a>", "a comment"),
        (b"<a><?b?></a>", "a processing instruction"),
        ("<a/>".encode("utf-16"), "a zero byte"),
        (b"\xff\xfe<a/>", "can't decode"),
        ("<a/>".encode("utf-16-le"), "a zero byte"),
    ],
)
def test_what_is_not_strictly_xml_is_refused(data: bytes, reason: str) -> None:
    with pytest.raises(NotXml, match=reason):
        read_xml(data)


def test_a_check_shows_where_and_not_all_of_it() -> None:
    expect_xml(b"<a></a>", "<a/>", "the document")
    with pytest.raises(AssertionError) as raised:
        expect_xml(b"<a>%b</a>" % (b"x" * 1000), f"<a>{'y' * 1000}</a>", "the document")
    shown = [f"'{letter * 59}... </>" for letter in "xy"]
    assert str(raised.value) == f"piece 2 is {shown[0]}, not {shown[1]} in the document"


def test_no_depth_is_too_much() -> None:
    levels = 50_000
    document = read_xml(b"<a>" * levels + b"</a>" * levels)
    assert len(document) == 2 * levels
    assert difference(document[:-1], document) == f"piece {2 * levels} is the end, not </>"


def test_every_beginning_of_a_document_begins_it() -> None:
    data = '<root a="1"><b>text ä &amp; more</b><c/><d><e>x</e></d></root>'.encode()
    document = read_xml(data)
    for length in range(len(data) + 1):
        assert begins(document, read_xml_beginning(data[:length]))


@pytest.mark.parametrize("data", [b"<b>", b"<a><c/>", b"<a>y", b"<a>xyz<b/>", b"<a>xy<b></b></a> "])
def test_another_beginning_does_not(data: bytes) -> None:
    assert not begins(read_xml(b"<a>xy<b>z</b></a>"), read_xml_beginning(data))


def test_a_document_that_cannot_be_wanted_is_no_fault_of_the_service() -> None:
    with pytest.raises(NotXml):
        expect_xml(b"<a>", "<a/>", "it")
    with pytest.raises(ValueError, match="no document can be wanted: no element found"):
        expect_xml(b"<a/>", "<a>", "it")
