//! A whole worker against servers that do anything, well or badly, in HTTP/1.1 or HTTP/2: every request
//! has a deadline after every turn and an outcome in the end, and users go on.
//!
//! Input: six bytes say what is loaded, the others what the servers do next, one choice each; where they
//! end, all servers are in good order.

#![no_main]

use libfuzzer_sys::fuzz_target;
use loadstone_engine::fuzzing::run_simulated_load;

fuzz_target!(|input: &[u8]| {
    let _ = run_simulated_load(input);
});
