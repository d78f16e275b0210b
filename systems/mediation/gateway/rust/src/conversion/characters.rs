//! Which characters XML 1.0 (fifth edition) has, and which of them make a name.

/// Whether a document can hold the text (production 2).
pub fn is_text(text: &str) -> bool {
    text.chars()
        .all(|character| matches!(character, '\t' | '\n' | '\r' | ' '..='\u{FFFD}' | '\u{10000}'..))
}

/// Whether it is a name without a prefix (Namespaces in XML 1.0, production 4).
pub fn is_local_name(name: &str) -> bool {
    let mut characters = name.chars();
    characters.next().is_some_and(begins_name) && characters.all(continues_name)
}

/// Production 4, without the colon.
fn begins_name(character: char) -> bool {
    matches!(
        character,
        'A'..='Z'
            | '_'
            | 'a'..='z'
            | '\u{C0}'..='\u{D6}'
            | '\u{D8}'..='\u{F6}'
            | '\u{F8}'..='\u{2FF}'
            | '\u{370}'..='\u{37D}'
            | '\u{37F}'..='\u{1FFF}'
            | '\u{200C}'..='\u{200D}'
            | '\u{2070}'..='\u{218F}'
            | '\u{2C00}'..='\u{2FEF}'
            | '\u{3001}'..='\u{D7FF}'
            | '\u{F900}'..='\u{FDCF}'
            | '\u{FDF0}'..='\u{FFFD}'
            | '\u{10000}'..='\u{EFFFF}'
    )
}

/// Production 4a, without the colon.
fn continues_name(character: char) -> bool {
    begins_name(character)
        || matches!(
            character,
            '-' | '.' | '0'..='9' | '\u{B7}' | '\u{300}'..='\u{36F}' | '\u{203F}'..='\u{2040}'
        )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn text_is_what_xml_has_and_no_control_characters() {
        for text in [
            "",
            "\t\n\r ~",
            "\u{7F}\u{85}",
            "é€😀",
            "\u{FFFD}",
            "\u{10FFFF}",
        ] {
            assert!(is_text(text), "{text:?}");
        }
        for text in ["\0", "a\u{B}", "\u{1F}", "\u{FFFE}", "\u{FFFF}"] {
            assert!(!is_text(text), "{text:?}");
        }
    }

    #[test]
    fn a_name_begins_with_a_letter_or_an_underscore() {
        for name in ["a", "_", "Z-9.", "é", "λ·", "a\u{300}", "日本"] {
            assert!(is_local_name(name), "{name:?}");
        }
        for name in [
            "", "9", "-a", ".a", "a b", "a:b", "@a", "#a", "a×", "\u{300}", "a\u{37E}",
        ] {
            assert!(!is_local_name(name), "{name:?}");
        }
    }
}
