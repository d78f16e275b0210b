//! Feeds: what the plan says of their files, which are read later.

use super::{PlanError, wrong};
use crate::plan::Feed;

/// Checks what is said of each feed.
///
/// # Errors
/// Names the first key that is wrong.
pub(super) fn check(feeds: &[Feed]) -> Result<(), PlanError> {
    for (index, feed) in feeds.iter().enumerate() {
        let key = |name: &str| format!("feeds[{index}].{name}");
        if feed.rows == 0 {
            return Err(wrong(key("rows"), "must be at least 1"));
        }
        if feed.columns == 0 {
            return Err(wrong(key("columns"), "must be at least 1"));
        }
        let is_digit = |byte: u8| byte.is_ascii_digit() || (b'a'..=b'f').contains(&byte);
        if feed.sha256.len() != 64 || !feed.sha256.bytes().all(is_digit) {
            let message = "must be 64 hexadecimal digits, the letters among them small";
            return Err(wrong(key("sha256"), message));
        }
    }
    Ok(())
}
