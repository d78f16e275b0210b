//! Reads the feeds of a plan from their files, and holds them against what the plan says of them.

use anyhow::{Context, Result, ensure};
use rustls::crypto::aws_lc_rs::cipher_suite::TLS13_AES_128_GCM_SHA256;
use std::fs;
use std::path::Path;
use std::sync::Arc;

use crate::plan::Feed;
use crate::session::rows::Rows;

/// The rows of each feed. A file that is not absolute is seen from the plan's folder.
///
/// # Errors
/// Names the file that cannot be read, or is another than the plan means.
pub fn read(feeds: &[Feed], folder: Option<&Path>) -> Result<Arc<[Rows]>> {
    let folder = folder.unwrap_or(Path::new(""));
    let rows = feeds.iter().map(|feed| {
        let path = folder.join(&feed.file);
        let said = || format!("feed {}, {}", feed.name, path.display());
        read_one(feed, &path).with_context(said)
    });
    rows.collect()
}

fn read_one(feed: &Feed, path: &Path) -> Result<Rows> {
    let bytes = fs::read(path)?;
    let digest = sha256(&bytes);
    ensure!(
        digest == feed.sha256,
        "has the digest {digest}, not {}: it is another file than the one that the plan was made for",
        feed.sha256
    );
    Ok(Rows::new(bytes.into(), feed.rows, feed.columns)?)
}

/// By the hash function that TLS needs anyway.
fn sha256(bytes: &[u8]) -> String {
    let Some(suite) = TLS13_AES_128_GCM_SHA256.tls13() else {
        return String::new();
    };
    let digest = suite.common.hash_provider.hash(bytes);
    let digits = digest.as_ref().iter().map(|byte| format!("{byte:02x}"));
    digits.collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn feed(file: &str, rows: u64, sha256: &str) -> Feed {
        Feed {
            name: "owners".to_owned(),
            file: file.to_owned(),
            rows,
            columns: 1,
            sha256: sha256.to_owned(),
        }
    }

    #[test]
    fn a_digest_is_the_one_that_others_compute() {
        let abc = "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad";
        assert_eq!(sha256(b"abc"), abc);
    }

    #[test]
    fn a_feed_is_read_beside_the_plan_and_refused_if_it_is_another_file() {
        let folder = tempfile::tempdir().expect("a folder");
        let bytes: Vec<u8> = [0_u32, 1, 2]
            .iter()
            .flat_map(|offset| offset.to_le_bytes())
            .chain(*b"ab")
            .collect();
        fs::write(folder.path().join("0.rows"), &bytes).expect("is written");
        let digest = sha256(&bytes);
        let read = |feed: Feed| super::read(&[feed], Some(folder.path()));
        let rows = read(feed("0.rows", 2, &digest)).expect("is a feed");
        assert_eq!(rows[0].count(), 2);
        for (feed, expected) in [
            (feed("1.rows", 2, &digest), "1.rows"),
            (feed("0.rows", 2, &"0".repeat(64)), "it is another file"),
            (feed("0.rows", 9, &digest), "0.rows"),
        ] {
            let refused = format!("{:#}", read(feed).expect_err("is refused"));
            assert!(refused.starts_with("feed owners, "), "{refused}");
            assert!(refused.contains(expected), "{refused}");
        }
    }
}
