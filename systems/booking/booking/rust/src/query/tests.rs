//! What a query says, and what is refused of it.

use super::*;

fn text(query: &str) -> Result<Option<String>, Kind> {
    let uri: Uri = format!("/clubs?{query}").parse().expect("a URI");
    let read = Query::of(&uri).text("city", 1..=5);
    read.map_err(|problem| problem.kind)
}

#[test]
fn a_parameter_is_decoded() {
    for (query, expected) in [
        ("", None),
        ("City=x&other=%zz&town=%ff", None),
        ("city=a+b", Some("a b")),
        ("x=1&city=%C3%A9%2B&y", Some("é+")),
        ("c%69ty=a%2", Some("a%2")),
        ("city=a=b", Some("a=b")),
        ("city=%F0%9D%92%B3%F0%9D%92%B3", Some("𝒳𝒳")),
    ] {
        assert_eq!(text(query), Ok(expected.map(str::to_owned)), "{query}");
    }
}

#[test]
fn what_is_no_such_text_is_malformed() {
    for query in [
        "city",
        "city=",
        "city=abcdef",
        "city=%00",
        "city=%ff",
        "city=%C0%AF",
    ] {
        assert_eq!(text(query), Err(Kind::Malformed), "{query}");
    }
}

#[test]
fn a_flag_is_true_or_false() {
    let flag = |query: &str| {
        let uri: Uri = format!("/clubs?{query}").parse().expect("a URI");
        let read = Query::of(&uri).flag("mine");
        read.map_err(|problem| problem.kind)
    };
    assert_eq!(flag(""), Ok(false));
    assert_eq!(flag("mine=false"), Ok(false));
    assert_eq!(flag("mine=true"), Ok(true));
    for query in ["mine", "mine=", "mine=1", "mine=TRUE", "mine=true%20"] {
        assert_eq!(flag(query), Err(Kind::Malformed), "{query}");
    }
}
