//! Times as text: RFC 3339 in UTC, to the second, or the date alone. Years 0 to 9999, as the format has
//! them, of the proleptic Gregorian calendar; without leap seconds.

use crate::plan::session_format::DateForm;
use crate::session::decimal::push_digits;

const DAY_S: i64 = 86_400;

/// 400 years have so many days, and then weekdays and leap years begin again.
const DAYS_OF_400_YEARS: u64 = 146_097;

/// The first and the last second that can be written.
const FIRST_S: i64 = -62_167_219_200;
const LAST_S: i64 = 253_402_300_799;

/// Appends the time; false if its year has other than four digits.
#[must_use]
pub fn push(unix_s: i64, form: DateForm, out: &mut Vec<u8>) -> bool {
    if !(FIRST_S..=LAST_S).contains(&unix_s) {
        return false;
    }
    // Since the first day of the year 0, so not negative.
    let days = unix_s.div_euclid(DAY_S).abs_diff(FIRST_S / DAY_S);
    let (year, month, day) = date(days);
    push_digits(year, 4, out);
    out.push(b'-');
    push_digits(month, 2, out);
    out.push(b'-');
    push_digits(day, 2, out);
    if form == DateForm::Second {
        let second = unix_s.rem_euclid(DAY_S).unsigned_abs();
        out.push(b'T');
        push_digits(second / 3_600, 2, out);
        out.push(b':');
        push_digits(second / 60 % 60, 2, out);
        out.push(b':');
        push_digits(second % 60, 2, out);
        out.push(b'Z');
    }
    true
}

/// Year, month and day, of the days since the first of the year 0.
///
/// Years are counted from March, so that the leap day is their last, in periods of 400 years: the
/// algorithm `civil_from_days` of Hinnant ("chrono-Compatible Low-Level Date Algorithms", 2013).
fn date(days: u64) -> (u64, u64, u64) {
    // Since the first of March of the year -400; that of the year 0 is day 60.
    let since_march = days + DAYS_OF_400_YEARS - 60;
    let period = since_march / DAYS_OF_400_YEARS;
    let day = since_march % DAYS_OF_400_YEARS;
    // Every 4th year is longer by a day, every 100th not, every 400th again.
    let year = (day - day / 1_460 + day / 36_524 - day / 146_096) / 365;
    let day_of_year = day - (365 * year + year / 4 - year / 100);
    let month_from_march = (5 * day_of_year + 2) / 153;
    let day_of_month = day_of_year - (153 * month_from_march + 2) / 5 + 1;
    let (year, month) = if month_from_march < 10 {
        (year, month_from_march + 3)
    } else {
        (year + 1, month_from_march - 9)
    };
    (year + 400 * period - 400, month, day_of_month)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn text(unix_s: i64, form: DateForm) -> Option<String> {
        let mut out = Vec::new();
        let is_written = push(unix_s, form, &mut out);
        is_written.then(|| String::from_utf8(out).expect("is ASCII"))
    }

    #[test]
    fn known_times_are_written_as_they_are_known() {
        for (unix_s, expected) in [
            (0, "1970-01-01T00:00:00Z"),
            (-1, "1969-12-31T23:59:59Z"),
            (951_827_696, "2000-02-29T12:34:56Z"),
            (2_240_719_200, "2041-01-02T06:00:00Z"),
            (4_107_542_399, "2100-02-28T23:59:59Z"),
            (4_107_542_400, "2100-03-01T00:00:00Z"),
            (FIRST_S, "0000-01-01T00:00:00Z"),
            (LAST_S, "9999-12-31T23:59:59Z"),
        ] {
            assert_eq!(text(unix_s, DateForm::Second).as_deref(), Some(expected));
            assert_eq!(
                text(unix_s, DateForm::Day).as_deref(),
                Some(&expected[..10])
            );
        }
    }

    #[test]
    fn what_needs_five_digits_or_a_sign_is_not_written() {
        for unix_s in [FIRST_S - 1, LAST_S + 1, i64::MIN, i64::MAX] {
            assert_eq!(text(unix_s, DateForm::Second), None);
        }
    }

    #[test]
    fn every_day_follows_the_one_before() {
        let (mut year, mut month, mut day) = (0, 1, 1);
        for days in 0..=(LAST_S / DAY_S).abs_diff(FIRST_S / DAY_S) {
            assert_eq!(date(days), (year, month, day));
            let is_leap = year % 4 == 0 && (year % 100 != 0 || year % 400 == 0);
            let length = match month {
                2 => 28 + u64::from(is_leap),
                4 | 6 | 9 | 11 => 30,
                _ => 31,
            };
            day += 1;
            if day > length {
                (month, day) = (month + 1, 1);
            }
            if month > 12 {
                (year, month) = (year + 1, 1);
            }
        }
        assert_eq!(year, 10_000);
    }
}
