//! The rule, example by example.

use super::*;

fn converted(json: &str) -> String {
    let xml = convert(json.as_bytes()).expect("a document");
    String::from_utf8(xml).expect("UTF-8")
}

fn refused(json: &str) -> ConversionError {
    convert(json.as_bytes()).expect_err(json)
}

#[test]
fn members_are_elements_and_keep_their_order() {
    assert_eq!(
        converted(r#"{"size":"50B","payload":["0123456789","ABCDEFGH"]}"#),
        "<root><size>50B</size><payload>0123456789</payload><payload>ABCDEFGH</payload></root>"
    );
    assert_eq!(
        converted(r#"{" b ":1,"a":{"c":null}}"#),
        "<root><b>1</b><a><c></c></a></root>"
    );
}

#[test]
fn an_array_repeats_its_element_and_an_empty_one_leaves_nothing() {
    assert_eq!(
        converted(r#"{"a":{"b":[],"c":[1,{"d":2}]}}"#),
        "<a><c>1</c><c><d>2</d></c></a>"
    );
}

#[test]
fn entries_without_a_key_are_items() {
    assert_eq!(
        converted("[1,[2,[]],{}]"),
        "<root><item>1</item><item><item>2</item><item></item></item><item></item></root>"
    );
    assert_eq!(
        converted(r#"{"a":[[1,2],[3]]}"#),
        "<root><a><item>1</item><item>2</item></a><a><item>3</item></a></root>"
    );
    assert_eq!(converted("[]"), "<root></root>");
}

#[test]
fn text_is_read_back_whole() {
    assert_eq!(
        converted(r##"{"a":{"@b":"<&>\"'\t\r\n","#content":"<&>]]>\r\n\té"}}"##),
        "<a b=\"&lt;&amp;&gt;&quot;&apos;&#9;&#13;&#10;\">&lt;&amp;&gt;]]&gt;&#13;\n\té</a>"
    );
}

#[test]
fn scalars_are_themselves() {
    for number in [
        "0",
        "-0",
        "-7",
        "23.56",
        "0.0000001",
        "-0.1",
        "999999999999999",
        "0.00000000000001",
    ] {
        assert_eq!(
            converted(&format!(r#"{{"a":{number}}}"#)),
            format!("<a>{number}</a>")
        );
    }
    assert_eq!(
        converted(r#"{"a":[true,false,null]}"#),
        "<root><a>true</a><a>false</a><a></a></root>"
    );
}

#[test]
fn a_key_with_an_at_sign_is_an_attribute_wherever_it_stands() {
    assert_eq!(
        converted(r##"{"a":{"b":1,"@c":2,"#content":"x","d":3,"@e":null}}"##),
        r#"<a c="2" e=""><b>1</b>x<d>3</d></a>"#
    );
    assert_eq!(converted(r#"{"@a":true}"#), r#"<root a="true"></root>"#);
}

#[test]
fn one_element_is_the_document_and_all_else_has_a_root() {
    assert_eq!(converted(r#"{"a":{}}"#), "<a></a>");
    assert_eq!(converted(r#"{"a":[1]}"#), "<root><a>1</a></root>");
    assert_eq!(converted(r##"{"#content":"x"}"##), "<root>x</root>");
    assert_eq!(
        converted(r#"{"a":1,"@b":2}"#),
        r#"<root b="2"><a>1</a></root>"#
    );
}

#[test]
fn a_prefix_is_declared_around_its_use() {
    assert_eq!(
        converted(r#"{"p:a":{"p:b":1,"@p:c":2},"@xmlns:p":"u"}"#),
        r#"<root xmlns:p="u"><p:a p:c="2"><p:b>1</p:b></p:a></root>"#
    );
    assert_eq!(
        converted(r#"{"a":{"@xmlns":"u","@xml:lang":"de"}}"#),
        r#"<a xmlns="u" xml:lang="de"></a>"#
    );
    for json in [
        r#"{"p:a":1}"#,
        r#"{"a":{"@p:b":1}}"#,
        r#"{"x":{"@xmlns:p":"u"},"p:a":1}"#,
        r#"{"@xmlns:p":"","p:a":1}"#,
        r#"{"xmlns:a":1}"#,
    ] {
        assert!(matches!(refused(json), ConversionError::Prefix), "{json}");
    }
}

#[test]
fn what_is_no_name_is_refused() {
    for json in [
        r#"{"":1}"#,
        r#"{"  ":1}"#,
        r#"{"1a":1}"#,
        r#"{"a b":1}"#,
        r#"{"a:b:c":1}"#,
        r##"{"#other":1}"##,
        r#"{"a":{"@":1}}"#,
        r#"{"@xmlns:p":"u","@xmlns:q":"u","@p:a":1,"@q:a":2}"#,
    ] {
        assert!(matches!(refused(json), ConversionError::NoName), "{json}");
    }
}

#[test]
fn what_is_no_text_is_refused() {
    for json in [r#"{"@a":{}}"#, r#"{"@a":[]}"#, r##"{"#content":[1]}"##] {
        assert!(matches!(refused(json), ConversionError::NoText), "{json}");
    }
    for json in [r#"{"a":"\u0000"}"#, r#"{"@a":"\uffff"}"#] {
        assert!(
            matches!(refused(json), ConversionError::Character),
            "{json}"
        );
    }
}

#[test]
fn a_value_without_a_name_is_refused() {
    for json in ["1", "\"a\"", "true", "null", "{}"] {
        assert!(
            matches!(refused(json), ConversionError::NothingNamed),
            "{json}"
        );
    }
}

#[test]
fn what_is_not_one_value_of_json_is_refused() {
    for json in [
        "",
        "{",
        r#"{"a":1}x"#,
        "{'a':1}",
        r#"{"a":01}"#,
        r#"{"a":1,}"#,
        r#"{"a":NaN}"#,
        "\u{FEFF}{\"a\":1}",
        r#"{"a":"\ud800"}"#,
        "{\"a\":\"\n\"}",
    ] {
        assert!(
            matches!(refused(json), ConversionError::NotJson(_)),
            "{json}"
        );
    }
    assert!(convert(b"{\"a\":\"\xFF\"}").is_err());
}

#[test]
fn deep_nesting_is_converted_and_too_deep_nesting_refused() {
    let nested = |levels| format!(r"{}1{}", r#"{"a":"#.repeat(levels), "}".repeat(levels));
    assert!(converted(&nested(100)).contains("<a>1</a>"));
    assert!(matches!(
        refused(&nested(100_000)),
        ConversionError::NotJson(_)
    ));
}
