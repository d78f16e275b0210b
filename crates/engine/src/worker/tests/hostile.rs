//! Servers that do whatever a script says: nothing hangs, nothing is lost, and the load goes on.

use proptest::prelude::*;
use std::fs;
use std::path::Path;

use crate::worker::simulated::load::{HEAD_BYTES, run};

/// A script in which good order is as frequent as all else.
fn a_script() -> impl Strategy<Value = Vec<u8>> {
    let byte = prop_oneof![1 => Just(0), 1 => any::<u8>()];
    prop::collection::vec(byte, 0..300)
}

fn a_head() -> impl Strategy<Value = [u8; HEAD_BYTES]> {
    any::<[u8; HEAD_BYTES]>()
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(256))]
    #[test]
    fn every_request_has_a_deadline_and_an_outcome_whatever_the_server_does(
        head in a_head(), script in a_script(),
    ) {
        run(&[&head[..], &script].concat());
    }
}

#[test]
fn servers_in_good_order_answer_all() {
    for head in [
        [0; HEAD_BYTES],
        [1, 3, 3, 2, 0, 0],
        [3, 3, 3, 2, 100, 0],
        [2, 3, 0, 0, 100, 0],
    ] {
        let came = run(&head).expect("is a load");
        assert_eq!(came.offered, came.ok, "{head:?}");
        assert!(came.ok > 100, "{head:?}: {came:?}");
    }
}

#[test]
fn what_the_fuzzer_has_found_holds() {
    let corpus = Path::new(env!("CARGO_MANIFEST_DIR")).join("fuzz/corpus/simulated_load");
    let files = fs::read_dir(corpus).expect("the corpus is committed");
    let inputs = files.map(|file| fs::read(file.expect("a file").path()).expect("is read"));
    assert!(inputs.filter_map(|input| run(&input)).count() > 5);
}
