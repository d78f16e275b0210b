//! Addresses that accounts have.

const LOCAL_BYTES: std::ops::RangeInclusive<usize> = 1..=64;
const DOMAIN_BYTES: std::ops::RangeInclusive<usize> = 3..=189;

/// Whether it is `[a-z0-9._%+-]{1,64}@[a-z0-9.-]{3,189}`.
pub fn is_address(text: &str) -> bool {
    text.split_once('@').is_some_and(|(local, domain)| {
        LOCAL_BYTES.contains(&local.len())
            && DOMAIN_BYTES.contains(&domain.len())
            && local
                .bytes()
                .all(|byte| is_of_domain(byte) || b"_%+".contains(&byte))
            && domain.bytes().all(is_of_domain)
    })
}

fn is_of_domain(byte: u8) -> bool {
    matches!(byte, b'a'..=b'z' | b'0'..=b'9' | b'.' | b'-')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_address_has_two_parts() {
        let longest = format!("{}@{}", "a".repeat(64), "b".repeat(189));
        for text in ["a@b.c", "a._%+-9@x-y.z", &longest] {
            assert!(is_address(text), "{text}");
        }
        let long_local = format!("{}@b.c", "a".repeat(65));
        let long_domain = format!("a@{}", "b".repeat(190));
        for text in [
            "",
            "a",
            "@b.c",
            "a@bc",
            "A@b.c",
            "a@b@c.d",
            "a@b_c",
            "a\0@b.c",
            "ä@b.c",
            &long_local,
            &long_domain,
        ] {
            assert!(!is_address(text), "{text}");
        }
    }
}
