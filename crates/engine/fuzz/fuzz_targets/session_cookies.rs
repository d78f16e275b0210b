//! Cookies: whatever is set, what is sent back may stand in a header, is within its bounds, and was set.
//!
//! Input: lines of Set-Cookie; the first byte of each says how many seconds pass before, and whether the
//! session begins anew.

#![no_main]

use libfuzzer_sys::fuzz_target;
use loadstone_engine::fuzzing::{Asked, Jar, Taken};

fuzz_target!(|input: &[u8]| {
    let mut jar = Jar::default();
    let mut asked = Asked {
        host: "api.example.test",
        path: b"/a/b?c",
        is_secure: false,
        now_unix_s: 1_000_000_000,
    };
    for line in input.split(|&byte| byte == b'\n') {
        let Some((&first, line)) = line.split_first() else {
            continue;
        };
        asked.now_unix_s += i64::from(first & 0x3f);
        asked.is_secure = first & 0x40 != 0;
        if first & 0x80 != 0 {
            jar.begin();
            assert_eq!(jar.count(), 0);
        }
        let before = jar.count();
        let taken = jar.set(line, &asked);
        assert!(
            jar.count()
                <= if taken == Taken::Kept {
                    before + 1
                } else {
                    before
                }
        );
        let mut sent = Vec::new();
        let is_any = jar.write(&asked, &mut sent);
        assert_eq!(is_any, !sent.is_empty());
        assert!(jar.count() <= 32 && sent.len() <= (8 << 10) + 3 * 32);
        assert!(sent.iter().all(|byte| (b' '..=b'~').contains(byte)));
        let pairs = sent.split(|&byte| byte == b';');
        assert!(!is_any || pairs.clone().all(|pair| pair.contains(&b'=')));
        assert!(pairs.count() <= jar.count().max(1));
    }
});
