import pytest

from gateway.conversion import NotConvertible, convert

DOCUMENTS = {
    '{"size":"50B","payload":["01","AB"]}': (
        "<root><size>50B</size><payload>01</payload><payload>AB</payload></root>"
    ),
    '{" a ":{"b":1,"c":[]}}': "<a><b>1</b></a>",
    '{"a":[]}': "<root></root>",
    '{"a":{}}': "<a></a>",
    '{"a":[1,[2,[3]]]}': ("<root><a>1</a><a><item>2</item><item><item>3</item></item></a></root>"),
    '[1,{"a":2}]': "<root><item>1</item><item><a>2</a></item></root>",
    "[]": "<root></root>",
    '{"a":[true,false,null,-7,23.56,1.0e2]}': (
        "<root><a>true</a><a>false</a><a></a><a>-7</a><a>23.56</a><a>1.0e2</a></root>"
    ),
    '{"a":12345678901234567890.10}': "<a>12345678901234567890.10</a>",
    '{"a":"<&>\\"\\r\\n\\t"}': '<a>&lt;&amp;&gt;"&#13;\n\t</a>',
    '{"a":{"@b":"<&>\\"\\r\\n\\t","#content":"c"}}': ("<a b='&lt;&amp;&gt;\"&#13;&#10;&#9;'>c</a>"),
    '{"a":{"b":1,"#content":"t","@c":null}}': '<a c=""><b>1</b>t</a>',
    '{"@a":1}': '<root a="1"></root>',
    '{"#content":"a"}': "<root>a</root>",
    '{"p:a":1,"@xmlns:p":"u"}': '<root xmlns:p="u"><p:a>1</p:a></root>',
    '{"a":{"@xmlns":"u","b":{"p:c":1}},"@xmlns:p":"v"}': (
        '<root xmlns:p="v"><a xmlns="u"><b><p:c>1</p:c></b></a></root>'
    ),
    '{"a":{"@xml:lang":"de"}}': '<a xml:lang="de"></a>',
    '{"\\u00e4\\ud83d\\ude00":"\\ud83d\\ude00"}': "<ä😀>😀</ä😀>",
}

NO_DOCUMENTS = [
    "",
    "{",
    "{} {}",
    "{'a':1}",
    '{"a":1,}',
    '{"a":NaN}',
    '{"a":-Infinity}',
    '{"a":01}',
    '{"a":"\t"}',
    "{}",
    '"a"',
    "1",
    "true",
    "null",
    '{"":1}',
    '{"a b":1}',
    '{"1a":1}',
    '{"a\\n":1}',
    '{"a":{"@":1}}',
    '{"a":{"@ b":1}}',
    '{"a:b:c":1}',
    '{":a":1}',
    '{"a:":1,"@xmlns:a":"u"}',
    '{"a":{"@b":1," @b":2}}',
    '{"a":{"@p:b":1,"@q:b":2,"@xmlns:p":"u","@xmlns:q":"u"}}',
    '{"a":"\\u0000"}',
    '{"a":"\\uffff"}',
    '{"a":"\\ud800"}',
    '{"a":{"@b":{}}}',
    '{"a":{"@b":[]}}',
    '{"a":{"#content":{}}}',
    '{"a":{"#content":[]}}',
    '{"p:a":1}',
    '{"a":{"@p:b":1}}',
    '{"a":{"@xmlns:p":"u"},"p:b":1}',
    '{"xmlns:a":1}',
    '{"a":{"@xmlns:p":""}}',
    '{"a":{"@xmlns:xmlns":"u"}}',
    '{"a":{"@xmlns:xml":"u"}}',
    '{"a":{"@xmlns:p":"http://www.w3.org/XML/1998/namespace"}}',
]


@pytest.mark.parametrize("body", DOCUMENTS)
def test_a_body_becomes_its_document(body: str) -> None:
    assert convert(body.encode()).decode() == DOCUMENTS[body]


@pytest.mark.parametrize("body", NO_DOCUMENTS)
def test_a_body_that_makes_no_document_is_refused(body: str) -> None:
    with pytest.raises(NotConvertible):
        convert(body.encode())


@pytest.mark.parametrize(
    "body", [b'{"a":"\xff"}', '{"a":1}'.encode("utf-16"), b'\xef\xbb\xbf{"a":1}']
)
def test_a_body_that_is_not_utf8_alone_is_refused(body: bytes) -> None:
    with pytest.raises(NotConvertible):
        convert(body)


def test_a_hundred_levels_are_converted() -> None:
    document = convert(b'{"a":' * 100 + b"1" + b"}" * 100)
    assert document == b"<a>" * 100 + b"1" + b"</a>" * 100


@pytest.mark.parametrize("levels", [1_000, 500_000])
def test_a_nesting_that_nothing_could_convert_is_refused(levels: int) -> None:
    with pytest.raises(NotConvertible):
        convert(b"[" * levels + b"]" * levels)
