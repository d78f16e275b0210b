//! Dates of cookies, as leniently as browsers read them: RFC 6265, section 5.1.1.

const MONTHS: [&[u8]; 12] = [
    b"jan", b"feb", b"mar", b"apr", b"may", b"jun", b"jul", b"aug", b"sep", b"oct", b"nov", b"dec",
];

/// What was found of a date; each part counts where it stands first.
#[derive(Default)]
struct Parts {
    time: Option<[i64; 3]>,
    day: Option<i64>,
    month: Option<i64>,
    year: Option<i64>,
}

/// The date in seconds since 1970; none if it is none.
#[must_use]
pub fn parse(text: &[u8]) -> Option<i64> {
    let mut parts = Parts::default();
    for token in text.split(|&byte| is_delimiter(byte)) {
        if parts.time.is_none()
            && let Some(time) = time(token)
        {
            parts.time = Some(time);
        } else if parts.day.is_none()
            && let Some((day, _)) = number(token, 1..=2)
        {
            parts.day = Some(day);
        } else if parts.month.is_none()
            && let Some(month) = month(token)
        {
            parts.month = Some(month);
        } else if parts.year.is_none()
            && let Some((year, _)) = number(token, 2..=4)
        {
            parts.year = Some(year);
        }
    }
    let [hour, minute, second] = parts.time?;
    let (day, month) = (parts.day?, parts.month?);
    let year = match parts.year? {
        year @ 70..=99 => year + 1900,
        year @ 0..=69 => year + 2000,
        year => year,
    };
    let is_date = year >= 1601 && (1..=month_length(year, month)).contains(&day);
    let is_time = hour < 24 && minute < 60 && second < 60;
    let second_of_day = (hour * 60 + minute) * 60 + second;
    (is_date && is_time).then(|| days(year, month, day) * 86_400 + second_of_day)
}

fn is_delimiter(byte: u8) -> bool {
    matches!(byte, b'\t' | b' '..=b'/' | b';'..=b'@' | b'['..=b'`' | b'{'..=b'~')
}

/// The number of so many digits with which a token begins, and what follows after it.
fn number(token: &[u8], digits: std::ops::RangeInclusive<usize>) -> Option<(i64, &[u8])> {
    let count = token
        .iter()
        .take_while(|byte| byte.is_ascii_digit())
        .count();
    let (text, rest) = token.split_at(count);
    let value = |value, byte: &u8| value * 10 + i64::from(byte - b'0');
    digits
        .contains(&count)
        .then(|| (text.iter().fold(0, value), rest))
}

fn time(token: &[u8]) -> Option<[i64; 3]> {
    let (hour, rest) = number(token, 1..=2)?;
    let (minute, rest) = number(rest.strip_prefix(b":")?, 1..=2)?;
    let (second, _) = number(rest.strip_prefix(b":")?, 1..=2)?;
    Some([hour, minute, second])
}

fn month(token: &[u8]) -> Option<i64> {
    let name = token.get(..3)?;
    let is_same = |month: &&[u8]| month.eq_ignore_ascii_case(name);
    let index = MONTHS.iter().position(is_same)?;
    i64::try_from(index + 1).ok()
}

fn month_length(year: i64, month: i64) -> i64 {
    let is_leap = year % 4 == 0 && (year % 100 != 0 || year % 400 == 0);
    match month {
        2 => 28 + i64::from(is_leap),
        4 | 6 | 9 | 11 => 30,
        _ => 31,
    }
}

/// Days since 1970, of years from March on: the algorithm `days_from_civil` of Hinnant
/// ("chrono-Compatible Low-Level Date Algorithms", 2013), for years after 0.
fn days(year: i64, month: i64, day: i64) -> i64 {
    let (year, month) = if month > 2 {
        (year, month - 3)
    } else {
        (year - 1, month + 9)
    };
    let leap_days = year / 4 - year / 100 + year / 400;
    // The first of March of the year 0 is 719,468 days before 1970.
    365 * year + leap_days + (153 * month + 2) / 5 + day - 1 - 719_468
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::plan::session_format::DateForm;
    use crate::session::timestamps;
    use proptest::prelude::*;

    #[test]
    fn dates_are_read_in_every_form_that_servers_write() {
        for text in [
            "Sun, 06 Nov 1994 08:49:37 GMT",
            "Sunday, 06-Nov-94 08:49:37 GMT",
            "Sun Nov  6 08:49:37 1994",
            "Sun, 06-Nov-1994 08:49:37 GMT",
            "6 november 94 8:49:37+0200",
            "08:49:37 6 nov 1994",
        ] {
            assert_eq!(parse(text.as_bytes()), Some(784_111_777), "{text}");
        }
        assert_eq!(parse(b"Thu, 01 Jan 1970 00:00:00 GMT"), Some(0));
        assert_eq!(
            parse(b"Fri, 01 Jan 1601 00:00:00 GMT"),
            Some(-11_644_473_600)
        );
        assert_eq!(parse(b"1 jan 69 00:00:00"), Some(3_124_224_000));
    }

    #[test]
    fn what_is_no_date_is_none() {
        for text in [
            "",
            "0",
            "never",
            "Sun, 06 Nov 1994",
            "Sun, 06 Nov 08:49:37 GMT",
            "Sun, 06 1994 08:49:37",
            "Nov 1994 08:49:37",
            "30 Feb 2020 00:00:00",
            "29 Feb 2100 00:00:00",
            "0 Jan 2020 00:00:00",
            "32 Jan 2020 00:00:00",
            "1 Jan 1600 00:00:00",
            "1 Jan 12345 00:00:00",
            "1 Jan 2020 24:00:00",
            "1 Jan 2020 00:60:00",
            "1 Jan 2020 00:00:60",
            "1 Jan 2020 000:00:00",
            "1 Jan 2020 00:00",
        ] {
            assert_eq!(parse(text.as_bytes()), None, "{text}");
        }
    }

    proptest! {
        #[test]
        fn a_date_comes_back(unix_s in -11_644_473_600..253_402_300_800_i64) {
            let mut text = Vec::new();
            prop_assert!(timestamps::push(unix_s, DateForm::Second, &mut text));
            let text = String::from_utf8(text).expect("is ASCII");
            let month: usize = text[5..7].parse().expect("is a number");
            let month = str::from_utf8(MONTHS[month - 1]).expect("is ASCII");
            let date = format!("{} {month} {} {} GMT", &text[8..10], &text[..4], &text[11..19]);
            prop_assert_eq!(parse(date.as_bytes()), Some(unix_s));
        }

        #[test]
        fn any_bytes_are_read_without_a_panic(text: Vec<u8>) {
            let _ = parse(&text);
        }
    }
}
