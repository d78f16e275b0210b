//! Which prefixes are declared where (Namespaces in XML 1.0).

use std::borrow::Cow;

use super::characters::is_local_name;

const XML: &str = "http://www.w3.org/XML/1998/namespace";
const XMLNS: &str = "http://www.w3.org/2000/xmlns/";

/// A name as it is written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Name<'a> {
    /// Empty where there is none.
    pub prefix: &'a str,
    /// The rest.
    pub local: &'a str,
}

impl<'a> Name<'a> {
    /// Splits a name; none: XML does not have it.
    pub fn parse(name: &'a str) -> Option<Self> {
        let (prefix, local) = name.split_once(':').unwrap_or(("", name));
        let has_prefix = prefix.len() < name.len() && name.contains(':');
        (is_local_name(local) && (!has_prefix || is_local_name(prefix)))
            .then_some(Self { prefix, local })
    }

    /// The prefix that an attribute of this name declares; an empty one stands for names without.
    pub fn declared(self) -> Option<&'a str> {
        match self {
            Self {
                prefix: "xmlns",
                local,
            } => Some(local),
            Self {
                prefix: "",
                local: "xmlns",
            } => Some(""),
            _ => None,
        }
    }
}

/// The declarations around a place in a document, the nearest last.
#[derive(Debug, Default)]
pub struct Namespaces<'a> {
    declared: Vec<(&'a str, Cow<'a, str>)>,
}

impl<'a> Namespaces<'a> {
    /// How many there are, for [`Self::leave`].
    pub fn depth(&self) -> usize {
        self.declared.len()
    }

    /// Forgets what was declared since there were `depth`.
    pub fn leave(&mut self, depth: usize) {
        self.declared.truncate(depth);
    }

    /// Declares a prefix; false: it cannot be (section 3).
    #[must_use]
    pub fn declare(&mut self, prefix: &'a str, namespace: Cow<'a, str>) -> bool {
        let is_allowed = match prefix {
            "xmlns" => false,
            "xml" => namespace == XML,
            "" => namespace != XML && namespace != XMLNS,
            _ => !namespace.is_empty() && namespace != XML && namespace != XMLNS,
        };
        self.declared.push((prefix, namespace));
        is_allowed
    }

    /// The namespace of a prefix that is not empty.
    pub fn find(&self, prefix: &str) -> Option<&str> {
        if prefix == "xml" {
            return Some(XML);
        }
        self.declared
            .iter()
            .rev()
            .find(|(declared, _)| *declared == prefix)
            .map(|(_, namespace)| namespace.as_ref())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_has_at_most_one_prefix() {
        let name = |prefix, local| Some(Name { prefix, local });
        assert_eq!(Name::parse("a"), name("", "a"));
        assert_eq!(Name::parse("a:b"), name("a", "b"));
        for wrong in ["", ":", ":a", "a:", "a:b:c", "1:a", "a:1"] {
            assert_eq!(Name::parse(wrong), None, "{wrong}");
        }
    }

    #[test]
    fn the_nearest_declaration_counts_and_is_forgotten_at_its_end() {
        let mut namespaces = Namespaces::default();
        assert_eq!(namespaces.find("a"), None);
        assert!(namespaces.declare("a", "one".into()));
        let depth = namespaces.depth();
        assert!(namespaces.declare("a", "two".into()));
        assert_eq!(namespaces.find("a"), Some("two"));
        namespaces.leave(depth);
        assert_eq!(namespaces.find("a"), Some("one"));
    }

    #[test]
    fn reserved_prefixes_and_namespaces_are_kept() {
        assert_eq!(Namespaces::default().find("xml"), Some(XML));
        for (prefix, namespace) in [
            ("xmlns", "any"),
            ("xml", "any"),
            ("a", ""),
            ("a", XML),
            ("", XMLNS),
        ] {
            assert!(!Namespaces::default().declare(prefix, namespace.into()));
        }
        assert!(Namespaces::default().declare("xml", XML.into()));
        assert!(Namespaces::default().declare("", "".into()));
    }
}
