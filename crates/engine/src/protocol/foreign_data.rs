//! Where tests find data that others made, and that never enters the project.

use std::path::{Path, PathBuf};

/// Names the folder.
const VARIABLE: &str = "LOADSTONE_TEST_DATA";
/// Where it is looked for without the variable: beside the checkout.
const BESIDE: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../../shared/data");

/// A file or folder of that data; where it is absent, says that the test is skipped.
pub fn find(name: &str) -> Option<PathBuf> {
    let folder = std::env::var_os(VARIABLE).map_or_else(|| PathBuf::from(BESIDE), PathBuf::from);
    let path = folder.join(name);
    let found = path.exists().then_some(path);
    if found.is_none() {
        eprintln!(
            "skipped: {name} is not in {}: set {VARIABLE} to the folder that has it",
            display(&folder)
        );
    }
    found
}

fn display(folder: &Path) -> String {
    let whole = folder.canonicalize();
    whole.as_deref().unwrap_or(folder).display().to_string()
}
