//! The blocks of eight other encoders: every one decodes to the headers that it was made of.
//!
//! The data are the public `hpack-test-case` stories, each the blocks of one connection; they are not
//! part of the project (`foreign_data`).

use serde::Deserialize;
use std::collections::BTreeMap;
use std::fs::{self, DirEntry};
use std::path::Path;
use std::process::Command;

use super::super::DEFAULT_CAPACITY;
use super::super::decoder::Decoder;
use super::{List, decode, from_hex};
use crate::protocol::foreign_data;

const ARCHIVE: &str = "hpack-test-case.tar.xz";
/// What the archive holds, so that a part of it does not pass for all.
const ENCODERS: usize = 8;
const BLOCKS: usize = 26_838;

#[derive(Deserialize)]
struct Story {
    cases: Vec<Case>,
}

/// A block, and its fields as objects of one member each.
#[derive(Deserialize)]
struct Case {
    /// What the decoder announced before it.
    header_table_size: Option<u32>,
    wire: String,
    headers: Vec<BTreeMap<String, String>>,
}

#[test]
fn blocks_of_eight_other_encoders_decode_to_their_headers() {
    let Some(archive) = foreign_data::find(ARCHIVE) else {
        return;
    };
    let folder = tempfile::tempdir().expect("a folder");
    let unpacked = Command::new("tar")
        .arg("xJf")
        .arg(archive)
        .current_dir(&folder)
        .status();
    assert!(
        unpacked.is_ok_and(|status| status.success()),
        "needs tar and xz"
    );
    let encoders = entries(folder.path())
        .into_iter()
        .filter(|entry| entry.path().is_dir());
    let blocks: Vec<usize> = encoders
        .map(|encoder| {
            let stories = entries(&encoder.path());
            stories.iter().map(|story| decodes(&story.path())).sum()
        })
        .collect();
    assert_eq!((blocks.len(), blocks.iter().sum()), (ENCODERS, BLOCKS));
}

fn entries(folder: &Path) -> Vec<DirEntry> {
    let entries = fs::read_dir(folder).expect("a folder");
    entries.map(|entry| entry.expect("an entry")).collect()
}

/// Decodes all blocks of a story by one decoder; returns how many there are.
fn decodes(path: &Path) -> usize {
    let text = fs::read_to_string(path).expect("is read");
    let story: Story = serde_json::from_str(&text).expect("is a story");
    // A decoder announces one size; that of a story is the largest that it names.
    let announced = story.cases.iter().filter_map(|case| case.header_table_size);
    let capacity = announced.max().unwrap_or(0).max(DEFAULT_CAPACITY);
    let mut decoder = Decoder::new(capacity as usize);
    for (number, case) in story.cases.iter().enumerate() {
        let expected: List = case
            .headers
            .iter()
            .flatten()
            .map(|(name, value)| (name.clone().into_bytes(), value.clone().into_bytes()))
            .collect();
        assert_eq!(
            decode(&mut decoder, &from_hex(&case.wire)),
            Ok(expected),
            "{}, block {number}",
            path.display()
        );
    }
    story.cases.len()
}
