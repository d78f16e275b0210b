//! What is kept of what servers set, and what is sent back.

use super::*;
use proptest::prelude::*;

const ASKED: Asked<'static> = Asked {
    host: "api.example.test",
    path: b"/clubs/7?a=b",
    is_secure: false,
    now_unix_s: 1_000,
};

fn sent(jar: &Jar, asked: &Asked) -> String {
    let mut out = Vec::new();
    let is_any = jar.write(asked, &mut out);
    assert_eq!(is_any, !out.is_empty());
    String::from_utf8(out).expect("is ASCII")
}

fn set(jar: &mut Jar, line: &str) -> Taken {
    jar.set(line.as_bytes(), &ASKED)
}

fn to(path: &'static str) -> Asked<'static> {
    Asked {
        path: path.as_bytes(),
        ..ASKED
    }
}

#[test]
fn a_cookie_is_sent_back_until_it_is_replaced() {
    let mut jar = Jar::default();
    assert_eq!(sent(&jar, &ASKED), "");
    assert_eq!(
        set(&mut jar, "sid=a b; HttpOnly; SameSite=Lax"),
        Taken::Kept
    );
    assert_eq!(set(&mut jar, " lang = de ; x"), Taken::Kept);
    assert_eq!(sent(&jar, &ASKED), "sid=a b; lang=de");
    assert_eq!(set(&mut jar, "sid=\"longer=value\""), Taken::Kept);
    assert_eq!(sent(&jar, &ASKED), "sid=\"longer=value\"; lang=de");
    assert_eq!(set(&mut jar, "sid="), Taken::Kept);
    assert_eq!(sent(&jar, &ASKED), "sid=; lang=de");
    assert_eq!(jar.count(), 2);
}

#[test]
fn a_cookie_expires() {
    let mut jar = Jar::default();
    let later = Asked {
        now_unix_s: 1_010,
        ..ASKED
    };
    for (line, now, then) in [
        ("a=1; Max-Age=10", "a=1", ""),
        ("a=1; Max-Age=11", "a=1", "a=1"),
        ("a=1; max-age=x", "a=1", "a=1"),
        ("a=1; Max-Age=11; Max-Age=10", "a=1", ""),
        ("a=1; Max-Age=99999999999999999999999", "a=1", "a=1"),
        ("a=1; Expires=Thu, 01 Jan 1970 00:16:50 GMT", "a=1", ""),
        ("a=1; Expires=Thu, 01 Jan 1970 00:16:51 GMT", "a=1", "a=1"),
        ("a=1; Expires=never", "a=1", "a=1"),
        (
            "a=1; Max-Age=5; Expires=Fri, 01 Jan 2100 00:00:00 GMT",
            "a=1",
            "",
        ),
    ] {
        assert_eq!(set(&mut jar, line), Taken::Kept, "{line}");
        assert_eq!(sent(&jar, &ASKED), now, "{line}");
        assert_eq!(sent(&jar, &later), then, "{line}");
    }
    for line in [
        "a=1; Max-Age=0",
        "a=1; Max-Age=-5; Expires=Fri, 01 Jan 2100 00:00:00 GMT",
        "a=1; Expires=Thu, 01-Jan-70 00:00:00 GMT",
    ] {
        set(&mut jar, "a=2");
        assert_eq!(set(&mut jar, line), Taken::Expired, "{line}");
        assert_eq!((sent(&jar, &ASKED).as_str(), jar.count()), ("", 0));
    }
}

#[test]
fn a_cookie_is_sent_where_its_path_says() {
    let mut jar = Jar::default();
    for line in [
        "a=root; Path=/",
        "b=default",
        "c=deep; path=/clubs/7",
        "d=odd; path=x",
    ] {
        assert_eq!(set(&mut jar, line), Taken::Kept);
    }
    assert_eq!(sent(&jar, &ASKED), "c=deep; b=default; d=odd; a=root");
    assert_eq!(
        sent(&jar, &to("/clubs/7/facilities")),
        "c=deep; b=default; d=odd; a=root"
    );
    assert_eq!(sent(&jar, &to("/clubs/70")), "b=default; d=odd; a=root");
    assert_eq!(sent(&jar, &to("/clubs?x")), "b=default; d=odd; a=root");
    assert_eq!(sent(&jar, &to("/clubsmen")), "a=root");
    assert_eq!(set(&mut jar, "a=other; Path=/clubs"), Taken::Kept);
    assert_eq!(
        sent(&jar, &to("/clubs")),
        "b=default; d=odd; a=other; a=root"
    );
    for (path, expected) in [
        ("/", "/"),
        ("/a", "/"),
        ("/a/b/c?d=/e", "/a/b"),
        ("", "/"),
        ("a/b", "/"),
    ] {
        assert_eq!(default_path(path.as_bytes()), expected.as_bytes());
    }
}

#[test]
fn what_is_not_for_here_is_refused() {
    let mut jar = Jar::default();
    for line in [
        "a=1; Domain=other.example.test",
        "a=1; Domain=pi.example.test",
        "a=1; Domain=very.api.example.test",
        "a=1; domain=api.example.test; DOMAIN=elsewhere.test",
        "a",
        "=1",
        " =1",
        "",
        ";a=1",
        "a=\r\nb: c",
        "a=\u{e9}",
        "a\tb=1",
        "a\0=1",
    ] {
        assert_eq!(set(&mut jar, line), Taken::Refused, "{line}");
    }
    for line in [
        "a=1; Domain=.Example.test",
        "b=1; Domain=API.example.test",
        "c=1; Domain=",
    ] {
        assert_eq!(set(&mut jar, line), Taken::Kept, "{line}");
    }
    assert!(is_of_domain("127.0.0.1", b"127.0.0.1"));
    assert!(!is_of_domain("127.0.0.1", b"0.0.1"));
    assert!(!is_of_domain("::1", b"1"));
}

#[test]
fn secure_cookies_go_over_tls_alone() {
    let mut jar = Jar::default();
    set(&mut jar, "a=1; Secure");
    assert_eq!(sent(&jar, &ASKED), "");
    let secure = Asked {
        is_secure: true,
        ..ASKED
    };
    assert_eq!(sent(&jar, &secure), "a=1");
}

#[test]
fn a_jar_has_bounds() {
    let mut jar = Jar::default();
    for number in 0..10_000 {
        let taken = set(
            &mut jar,
            &format!("c{number}=1; Max-Age={}", number % 2 + 1),
        );
        assert_eq!(taken == Taken::Kept, number < 32, "{number}");
    }
    let later = Asked {
        now_unix_s: 1_001,
        ..ASKED
    };
    assert_eq!(jar.set(b"new=1", &later), Taken::Kept);
    assert_eq!(jar.count(), 17);
    assert!(sent(&jar, &later).ends_with("c31=1; new=1"));
    let long = format!("a={}", "x".repeat(MOST_BYTES));
    assert_eq!(set(&mut jar, &long), Taken::Dropped);
    assert_eq!(jar.set(b"c1=a", &later), Taken::Kept);
    assert!(sent(&jar, &later).starts_with("c1=a; c3=1"));
    jar.reset();
    let fits = format!("a={}", "x".repeat(MOST_BYTES - 1 - "/clubs".len()));
    assert_eq!(set(&mut jar, &fits), Taken::Kept);
    assert_eq!(set(&mut jar, "b="), Taken::Dropped);
    assert_eq!(set(&mut jar, &fits.replace('x', "y")), Taken::Kept);
    jar.begin();
    assert!(jar.now.bytes.capacity() <= KEPT_BYTES);
}

#[test]
fn a_session_begins_with_what_was_kept() {
    let mut jar = Jar::default();
    set(&mut jar, "sid=of user");
    jar.keep();
    for _ in 0..2 {
        set(&mut jar, "sid=changed");
        set(&mut jar, "more=1");
        jar.begin();
        assert_eq!(sent(&jar, &ASKED), "sid=of user");
    }
    jar.reset();
    assert_eq!(sent(&jar, &ASKED), "");
}

#[test]
fn a_cookie_can_be_captured_by_its_name() {
    assert_eq!(
        name_and_value(b"sid=a=b; Path=/"),
        Some((&b"sid"[..], &b"a=b"[..]))
    );
    assert_eq!(name_and_value(b"sid"), None);
}

fn line() -> impl Strategy<Value = Vec<u8>> {
    let part = prop::sample::select(vec![
        &b"a"[..],
        b"b",
        b"sid",
        b"=",
        b"=",
        b"; ",
        b";",
        b" ",
        b"Path=/",
        b"Path=/clubs",
        b"Max-Age=",
        b"0",
        b"5",
        b"-",
        b"Expires=",
        b"Thu, 01 Jan 1970 00:20:00 GMT",
        b"Domain=",
        b"example.test",
        b"Secure",
        b"\"",
        b"\r\n",
        b"\xff",
        b"\t",
        b"value-of-some-length",
    ]);
    prop_oneof![
        3 => prop::collection::vec(part, 0..8).prop_map(|parts| parts.concat()),
        1 => any::<Vec<u8>>(),
    ]
}

/// A cookie of a plain list.
#[derive(Clone, Debug)]
struct Known {
    name: Vec<u8>,
    value: Vec<u8>,
    path: Vec<u8>,
    is_secure: bool,
    expires_s: i64,
}

proptest! {
    #[test]
    fn any_lines_leave_a_header_that_may_be_sent(
        lines in prop::collection::vec((line(), 0..20_i64), 0..60), is_secure: bool,
    ) {
        let (mut jar, mut list) = (Jar::default(), Vec::<Known>::new());
        let mut asked = Asked { is_secure, ..ASKED };
        for (text, passed_s) in lines {
            asked.now_unix_s += passed_s;
            let taken = jar.set(&text, &asked);
            if let Some(line) = Line::parse(&text).filter(|_| taken != Taken::Refused) {
                let path = line.path.unwrap_or(b"/clubs");
                let place = list.iter().position(|one| one.name == line.name && one.path == path);
                if let Some(place) = place {
                    list.remove(place);
                }
                if taken == Taken::Kept {
                    list.insert(place.unwrap_or(list.len()), Known {
                        name: line.name.to_vec(),
                        value: line.value.to_vec(),
                        path: path.to_vec(),
                        is_secure: line.is_secure,
                        expires_s: line.expiry_s(asked.now_unix_s),
                    });
                }
            }
            let is_sent = |one: &&Known| {
                let is_fresh = one.expires_s > asked.now_unix_s;
                is_fresh && (is_secure || !one.is_secure) && is_below(asked.path, &one.path)
            };
            let mut expected: Vec<_> = list.iter().filter(is_sent).collect();
            expected.sort_by_key(|one| std::cmp::Reverse(one.path.len()));
            let pairs = expected.iter().map(|one| [&one.name[..], b"=", &one.value].concat());
            let expected = pairs.collect::<Vec<_>>().join(&b"; "[..]);
            let found = sent(&jar, &asked);
            prop_assert_eq!(found.as_bytes(), expected);
            prop_assert!(is_header(found.as_bytes()));
            prop_assert!(jar.count() <= MOST_COOKIES && jar.now.bytes.len() <= MOST_BYTES);
        }
    }
}
