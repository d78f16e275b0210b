//! What is an instant, and which one it is.

use super::*;

fn reread(text: &str) -> Option<String> {
    read(text).map(|instant| shown(&instant))
}

#[test]
fn an_instant_is_shown_in_utc() {
    for (text, expected) in [
        ("2040-03-01T06:00:00Z", "2040-03-01T06:00:00Z"),
        ("2040-03-01T06:00:00.000Z", "2040-03-01T06:00:00Z"),
        ("2040-03-01T06:00:00+02:00", "2040-03-01T04:00:00Z"),
        ("2040-03-01T00:30:00.5+23:59", "2040-02-29T00:31:00Z"),
        ("2099-12-31T23:30:00-00:30", "2100-01-01T00:00:00Z"),
        ("0000-01-01T00:00:00-00:00", "0000-01-01T00:00:00Z"),
    ] {
        assert_eq!(reread(text).as_deref(), Some(expected), "{text}");
    }
    assert!(read("9999-12-31T23:59:59-23:59").is_some());
}

#[test]
fn what_is_no_instant_is_refused() {
    for text in [
        "",
        "2040-03-01",
        "2040-03-01T06:00Z",
        "2040-03-01T06:00:00",
        "2040-03-01t06:00:00Z",
        "2040-03-01T06:00:00z",
        "2040-03-01 06:00:00Z",
        "2040-02-30T06:00:00Z",
        "2041-02-29T06:00:00Z",
        "2040-13-01T06:00:00Z",
        "2040-00-01T06:00:00Z",
        "2040-03-01T24:00:00Z",
        "2040-03-01T06:60:00Z",
        "2040-03-01T06:00:60Z",
        "2040-03-01T06:00:00.Z",
        "2040-03-01T06:00:00.5",
        "2040-03-01T06:00:00,5Z",
        "2040-03-01T06:00:00+24:00",
        "2040-03-01T06:00:00+02:60",
        "2040-03-01T06:00:00+0200",
        "2040-03-01T06:00:00+02",
        "2040-03-01T06:00:00Z ",
        " 2040-03-01T06:00:00Z",
        "+2040-3-01T06:00:00Z",
        "2040-03-01T+6:00:00Z",
        "2040-03-01T06:00:00é",
        "20４0-03-01T06:00:00Z",
    ] {
        assert_eq!(read(text), None, "{text}");
    }
}

#[test]
fn a_fraction_is_kept_however_small() {
    let nanosecond = |text: &str| read(text).expect("an instant").nanosecond();
    assert_eq!(nanosecond("2040-03-01T06:00:00.25Z"), 250_000_000);
    assert_eq!(nanosecond("2040-03-01T06:00:00.0000000001Z"), 1);
    assert_eq!(nanosecond("2040-03-01T06:00:00.00000000000Z"), 0);
}

#[test]
fn a_minute_is_whole_without_seconds() {
    let minute = |text: &str| whole_minute(&read(text).expect("an instant"));
    assert_eq!(minute("2040-03-01T00:00:00Z"), Some(0));
    assert_eq!(minute("2040-03-01T23:59:00Z"), Some(1439));
    assert_eq!(minute("2040-03-01T10:00:01Z"), None);
    assert_eq!(minute("2040-03-01T10:00:00.1Z"), None);
}

#[test]
fn a_day_is_one_of_the_calendar() {
    assert!(read_date("2040-02-29").is_some());
    for text in [
        "",
        "2040-2-29",
        "2041-02-29",
        "2040-03-01T",
        "20400301",
        "2040/03/01",
    ] {
        assert_eq!(read_date(text), None, "{text}");
    }
}
