"""TR-6 to TR-10 and TR-12: the rule by which JSON becomes XML.

The quick ones hold with any echoing upstream. In the texts `$` stands for one random name, so that
no answer can be known beforehand.
"""

from functools import partial
from secrets import token_hex

from loadstone.contract import declare
from loadstone.contract.expect import expect_equal
from loadstone.contract.subject import Subject
from loadstone.study.values.payload import payload

from .lib.gateway import JSON
from .lib.xml_document import expect_xml

check = partial(declare.check, operation="transform")

PATH = "/transform"

LETTERS = ("$", "_", "a-b.c_1$", "größe", "Größe", "名前$", "имя", "\u05d0", "a·b", "xs")
INHERITED = (
    "__proto__",
    "constructor",
    "toString",
    "hasOwnProperty",
    "length",
    "class",
    "__class__",
)
"""Names that a language may find in an object although it does not hold them."""


@check("TR-6", "the payload of a workload becomes its document", quick=True)
def published_payload(subject: Subject) -> None:
    sent = payload("array", 50)
    wanted = "<root><size>50B</size><payload>0123456789</payload><payload>ABCDEFGH</payload></root>"
    _expect_document(subject, sent, wanted)
    _expect_document(subject, sent.replace("0123", "$"), wanted.replace("0123", "$"))


@check("TR-6", "members are elements by their keys, in their order")
def members(subject: Subject) -> None:
    _expect_document(
        subject,
        '{"z$": "1", "a": {"y": "$", "b": "2", "x": {"c$": "3"}}, "m": "4", "B": "5"}',
        "<root><z$>1</z$><a><y>$</y><b>2</b><x><c$>3</c$></x></a><m>4</m><B>5</B></root>",
    )


@check("TR-6", "spaces around a key are taken off")
def spaces_around_a_key(subject: Subject) -> None:
    _expect_document(
        subject,
        '{" a": "$", "b ": "2", "  c  ": [" 3 "], "d": {" e ": ""}}',
        "<root><a>$</a><b>2</b><c> 3 </c><d><e/></d></root>",
    )


@check("TR-6", "names may have letters of any script, digits, dots, hyphens and underscores")
def names(subject: Subject) -> None:
    for name in (*LETTERS, *INHERITED):
        _expect_document(subject, f'{{"{name}": {{"{name}": "$"}}}}', _nested(name))
    _expect_document(subject, '{"\\u0061\\u00e4$": "1"}', "<aä$>1</aä$>")


@check("TR-6", "an array repeats its element at its place, and an empty one leaves nothing")
def arrays(subject: Subject) -> None:
    _expect_document(
        subject,
        '{"a": ["$", "2"], "b": "3", "c": [], "d": ["4"], "e": {"f": []}}',
        "<root><a>$</a><a>2</a><b>3</b><d>4</d><e/></root>",
    )


@check("TR-6", "entries of an array may be of any kind")
def kinds_of_entries(subject: Subject) -> None:
    _expect_document(
        subject,
        '{"a": ["$", null, {"b": "1", "c": ["2", "3"]}, true, {}, 7, ""]}',
        "<root><a>$</a><a/><a><b>1</b><c>2</c><c>3</c></a><a>true</a><a/><a>7</a><a/></root>",
    )


@check("TR-6", "a long array keeps every entry in its order")
def long_array(subject: Subject) -> None:
    entries = [f"{number}-$" for number in range(3000)]
    sent = ",".join(f'"{entry}"' for entry in entries)
    wanted = "".join(f"<a>{entry}</a>" for entry in entries)
    _expect_document(subject, f'{{"a":[{sent}]}}', f"<root>{wanted}</root>")


@check("TR-6", "spaces between tokens of JSON leave no trace")
def spaces_between_tokens(subject: Subject) -> None:
    sent = ' \r\n\t{ "a"\n:\t[ "$" , \r\n "2" ] , "b" : { } }\n\n'
    _expect_document(subject, sent, "<root><a>$</a><a>2</a><b/></root>")


@check("TR-7", "markup in text and in attributes is escaped", quick=True)
def markup(subject: Subject) -> None:
    sent = (
        '{"$": {"@id": "<$> & \\"quoted\\" \'too\'", "b": "a < b && c > \\"d\\" \'$\' ]]> &amp;"}}'
    )
    wanted = (
        '<$ id="&lt;$&gt; &amp; &quot;quoted&quot; &apos;too&apos;">'
        "<b>a &lt; b &amp;&amp; c &gt; \"d\" '$' ]]&gt; &amp;amp;</b></$>"
    )
    _expect_document(subject, sent, wanted)


@check("TR-7", "the end of a CDATA section and what looks like markup is text")
def looks_like_markup(subject: Subject) -> None:
    for text in ("]]>", "$]]>]]>", "<![CDATA[$]]>", "<!-- $ -->", "<?$?>", "&#65;&$;", "</root>"):
        escaped = text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")
        _expect_document(
            subject, f'{{"a": {{"@b": "{text}", "c": "{text}"}}}}', _attribute_and_text(escaped)
        )


@check("TR-7", "line ends, tabs and spaces come back from text and attributes")
def line_ends(subject: Subject) -> None:
    references = {"\\r": "&#13;", "\\n": "&#10;", "\\t": "&#9;"}
    for text in (
        "a\\nb",
        "a\\r\\nb$",
        "\\r",
        "\\n",
        "\\t",
        " ",
        "  $ \\t",
        "\\r\\n\\r\\n",
        "a\\rb",
    ):
        escaped = text
        for escape, reference in references.items():
            escaped = escaped.replace(escape, reference)
        _expect_document(
            subject, f'{{"a": {{"@b": "{text}", "c": "{text}"}}}}', _attribute_and_text(escaped)
        )


@check("TR-7", "every character that XML has comes back, written or escaped")
def characters(subject: Subject) -> None:
    for text in (
        "ä€漢",
        "😀$",
        "\U0010ffff",
        "\u007f\u0085\u2028\u2029",
        "\ue000\ufffd",
        "e\u0301",
    ):
        wanted = _attribute_and_text(text)
        _expect_document(subject, f'{{"a": {{"@b": "{text}", "c": "{text}"}}}}', wanted)
        units = text.encode("utf-16-be")
        escaped = "".join(
            "$" if unit == b"\0$" else f"\\u{unit.hex()}"
            for unit in (units[at : at + 2] for at in range(0, len(units), 2))
        )
        _expect_document(subject, f'{{"a": {{"@b": "{escaped}", "c": "{escaped}"}}}}', wanted)
    _expect_document(subject, '{"a": "\\/\\\\\\"$\\u0026\\u003c"}', '<a>/\\"$&amp;&lt;</a>')


@check("TR-7", "true and false are themselves, null and no characters are empty")
def literals(subject: Subject) -> None:
    _expect_document(
        subject,
        '{"$": true, "b": false, "c": null, "d": "", "e": [null, true], "f": "null"}',
        "<root><$>true</$><b>false</b><c/><d/><e/><e>true</e><f>null</f></root>",
    )


@check("TR-7", "a number of up to 15 digits is itself")
def numbers(subject: Subject) -> None:
    texts = ["0", "-7", "23.56", "42.8", "100", "-0.5", "0.1", "1.05", "0.001"]
    texts += ["123456789012345", "-999999999999999", "12345678.9012345", "0.12345678901234"]
    texts += ["2147483648", "9007199254740", "100000000000000", "0.0000001", "1000000.000001"]
    for text in [*texts, str(int(token_hex(5), 16))]:
        _expect_document(
            subject,
            f'{{"a": [{text}, {{"@b": {text}, "#content": {text}}}], "c": "$"}}',
            f'<root><a>{text}</a><a b="{text}">{text}</a><c>$</c></root>',
        )


@check("TR-8", "entries of an array within an array are items")
def arrays_within_arrays(subject: Subject) -> None:
    _expect_document(
        subject,
        '{"a": [["$", 2], [], [[3], {"b": [4, 5]}], 6]}',
        "<root><a><item>$</item><item>2</item></a><a/>"
        "<a><item><item>3</item></item><item><b>4</b><b>5</b></item></a><a>6</a></root>",
    )


@check("TR-8", "entries of an array at the top are items")
def array_at_the_top(subject: Subject) -> None:
    _expect_document(
        subject,
        '["$", [1, [2]], {"a": [3, 4]}, null, {}]',
        "<root><item>$</item><item><item>1</item><item><item>2</item></item></item>"
        "<item><a>3</a><a>4</a></item><item/><item/></root>",
    )


@check("TR-9", "a key with @ is an attribute of the element around it", quick=True)
def attributes(subject: Subject) -> None:
    _expect_document(
        subject,
        '{"$": {"@id": "$", "b": "1", "@n": -7, "@t": true, "@z": null, "c": {"@id": ""}}}',
        '<$ id="$" n="-7" t="true" z=""><b>1</b><c id=""/></$>',
    )
    _expect_document(
        subject,
        '{"a": [{"@$": "1"}, {"@$": "2", "@b": "3"}], "d": [[{"@e": "4"}]]}',
        '<root><a $="1"/><a $="2" b="3"/><d><item e="4"/></d></root>',
    )


@check("TR-9", "an attribute at the top is one of the root")
def attribute_at_the_top(subject: Subject) -> None:
    _expect_document(subject, '{"@a": "$", "b": "1"}', '<root a="$"><b>1</b></root>')
    _expect_document(subject, '{"b": "1", "c": [], "@a": "$"}', '<root a="$"><b>1</b></root>')


@check("TR-9", "#content is text of the element around it, at its place")
def content(subject: Subject) -> None:
    _expect_document(
        subject,
        '{"$": {"@b": "1", "#content": "$ <"}}',
        '<$ b="1">$ &lt;</$>',
    )
    _expect_document(
        subject,
        '{"a": {"b": "1", "#content": "$", "c": "2"}, "d": {"#content": 7}, "e": {"#content": null}}',
        "<root><a><b>1</b>$<c>2</c></a><d>7</d><e/></root>",
    )
    _expect_document(subject, '{"#content": "$", "a": "1"}', "<root>$<a>1</a></root>")


@check("TR-10", "the only member of an object is the document by itself")
def only_member(subject: Subject) -> None:
    _expect_document(subject, '{"$": {"a": "1", "b": "2"}}', "<$><a>1</a><b>2</b></$>")
    _expect_document(subject, '{"$": "1"}', "<$>1</$>")
    _expect_document(subject, '{" $ ": {"a": {"@b": "c"}}}', '<$><a b="c"/></$>')
    for empty in ("{}", "null", '""'):
        _expect_document(subject, f'{{"$": {empty}}}', "<$/>")


@check("TR-10", "anything else is put into root")
def wrapped(subject: Subject) -> None:
    for sent, wanted in (
        ('{"$": ["1"]}', "<root><$>1</$></root>"),
        ('{"$": []}', "<root/>"),
        ('{"$": [[]]}', "<root><$/></root>"),
        ('{"a": "$", "b": []}', "<root><a>$</a></root>"),
        ('{"@a": "$"}', '<root a="$"/>'),
        ('{"#content": "$"}', "<root>$</root>"),
        ('{"root": "$", "a": "1"}', "<root><root>$</root><a>1</a></root>"),
        ("[]", "<root/>"),
        ('["$"]', "<root><item>$</item></root>"),
        ('[{"$": 1}]', "<root><item><$>1</$></item></root>"),
    ):
        _expect_document(subject, sent, wanted)


@check("TR-12", "a prefix is in the namespace that the same object declares")
def declared_prefix(subject: Subject) -> None:
    wanted = '<root xmlns:x="urn:$"><x:a>1</x:a><b x:c="2"/></root>'
    for sent in (
        '{"@xmlns:p": "urn:$", "p:a": "1", "b": {"@p:c": "2"}}',
        '{"p:a": "1", "@xmlns:p": "urn:$", "b": {"@p:c": "2"}}',
        '{"p:a": "1", "b": {"@p:c": "2"}, "@xmlns:p": "urn:$"}',
    ):
        _expect_document(subject, sent, wanted)


@check("TR-12", "a prefix is in the namespace that an outer object declares, or redeclares")
def outer_declaration(subject: Subject) -> None:
    _expect_document(
        subject,
        '{"p:a": {"b": {"p:c": "1", "d": {"@xmlns:p": "urn:2", "p:e": "$"}, "p:f": "2"}}, '
        '"@xmlns:p": "urn:$"}',
        '<root xmlns:x="urn:$" xmlns:y="urn:2"><x:a><b><x:c>1</x:c><d><y:e>$</y:e></d>'
        "<x:f>2</x:f></b></x:a></root>",
    )
    _expect_document(
        subject,
        '{"@xmlns:p": "urn:$", "a": {"@xmlns:q": "urn:2", "p:b": {"q:c": "1"}}, "p:d": "2"}',
        '<root xmlns:x="urn:$" xmlns:y="urn:2"><a><x:b><y:c>1</y:c></x:b></a><x:d>2</x:d></root>',
    )


@check("TR-12", "a declaration holds for every entry of an array, and one in an entry for it alone")
def declaration_and_array(subject: Subject) -> None:
    _expect_document(
        subject,
        '{"p:a": ["1", {"p:b": "2"}, ["3"]], "@xmlns:p": "urn:$", '
        '"c": [{"p:d": "4", "@xmlns:p": "urn:4"}, {"p:d": "5"}]}',
        '<root xmlns:x="urn:$" xmlns:y="urn:4"><x:a>1</x:a><x:a><x:b>2</x:b></x:a>'
        "<x:a><item>3</item></x:a><c><y:d>4</y:d></c><c><x:d>5</x:d></c></root>",
    )


@check("TR-12", "a prefix may be any name")
def any_prefix(subject: Subject) -> None:
    for prefix in ("__proto__", "constructor", "_", "ä-1.b", "$", "item"):
        _expect_document(
            subject,
            f'{{"@xmlns:{prefix}": "urn:$", "{prefix}:a": {{"@{prefix}:b": "1"}}}}',
            '<root xmlns:x="urn:$"><x:a x:b="1"/></root>',
        )


@check("TR-12", "two prefixes are two namespaces, and parts of names do not mix")
def two_prefixes(subject: Subject) -> None:
    _expect_document(
        subject,
        '{"@xmlns:p": "urn:$", "@xmlns:q": "http://b/?c=1&d=2", '
        '"p:a": {"@q:b": "1", "@b": "2"}, "q:a": "3"}',
        '<root xmlns:x="urn:$" xmlns:y="http://b/?c=1&amp;d=2"><x:a y:b="1" b="2"/><y:a>3</y:a></root>',
    )


@check("TR-12", "@xmlns declares the namespace of names without prefix")
def default_namespace(subject: Subject) -> None:
    _expect_document(
        subject,
        '{"a": {"b": "1", "@c": "2"}, "@xmlns": "urn:$", "d": ["3", ["4"]]}',
        '<x:root xmlns:x="urn:$"><x:a c="2"><x:b>1</x:b></x:a><x:d>3</x:d>'
        "<x:d><x:item>4</x:item></x:d></x:root>",
    )
    _expect_document(
        subject,
        '{"a": {"b": {"@xmlns": "urn:2", "c": "1", "d": {"e": "$"}}, "f": "2"}, "@xmlns": "urn:$"}',
        '<root xmlns="urn:$"><a><b xmlns="urn:2"><c>1</c><d><e>$</e></d></b><f>2</f></a></root>',
    )


def _expect_document(subject: Subject, text: str, wanted: str) -> None:
    name = f"n{token_hex(4)}"
    answer = subject.ask(PATH, [JSON], text.replace("$", name).encode())
    expect_equal(answer.status, 200, f"the status after {text}")
    expect_xml(answer.body, wanted.replace("$", name), f"the document of {text}")


def _nested(name: str) -> str:
    return f"<{name}><{name}>$</{name}></{name}>"


def _attribute_and_text(escaped: str) -> str:
    return f'<a b="{escaped}"><c>{escaped}</c></a>'
