//! Instants, as they are shown.

use chrono::{DateTime, SecondsFormat, Utc};
use serde::Serializer;

/// A point in time.
pub type Instant = DateTime<Utc>;

/// An instant in its 24 characters; what is finer than a millisecond is cut off.
pub fn shown(instant: &Instant) -> String {
    instant.to_rfc3339_opts(SecondsFormat::Millis, true)
}

/// Shows an instant in JSON.
pub fn serialize<S: Serializer>(instant: &Instant, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.serialize_str(&shown(instant))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_instant_has_24_characters() {
        for (micros, text) in [
            (1_769_846_709_120_999, "2026-01-31T08:05:09.120Z"),
            (1_769_846_709_000_000, "2026-01-31T08:05:09.000Z"),
        ] {
            let instant = Instant::from_timestamp_micros(micros).expect("an instant");
            assert_eq!(shown(&instant), text);
        }
    }
}
