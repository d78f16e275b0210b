//! Deadlines that all lie equally far ahead when they are added: a list in order of insertion.
//!
//! An entry is the number of a connection or of a lane. The list is linked through the entries, so that
//! adding, removing and looking at the first take constant time and memory, however many requests end
//! long before their deadline.

const NONE: u32 = u32::MAX;

#[derive(Clone, Copy, Debug)]
struct Link {
    deadline_ns: u64,
    before: u32,
    after: u32,
}

/// At most one deadline per entry, earliest first.
#[derive(Clone, Debug)]
pub struct Deadlines {
    links: Vec<Option<Link>>,
    first: u32,
    last: u32,
    length: usize,
}

#[allow(
    clippy::cast_possible_truncation,
    reason = "a plan has at most a million lanes"
)]
fn index(entry: usize) -> u32 {
    entry as u32
}

impl Deadlines {
    /// No deadlines, for entries 0 to `entries - 1`.
    #[must_use]
    pub fn new(entries: usize) -> Self {
        Self {
            links: vec![None; entries],
            first: NONE,
            last: NONE,
            length: 0,
        }
    }

    /// How many entries have a deadline.
    #[must_use]
    pub fn len(&self) -> usize {
        self.length
    }

    /// Whether no entry has one.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.length == 0
    }

    /// The earliest deadline.
    #[must_use]
    pub fn first_ns(&self) -> Option<u64> {
        self.first_entry()
            .and_then(|entry| self.links[entry])
            .map(|link| link.deadline_ns)
    }

    /// The entry of the earliest deadline.
    #[must_use]
    pub fn first_entry(&self) -> Option<usize> {
        (self.first != NONE).then_some(self.first as usize)
    }

    /// Whether an entry has one.
    #[cfg(any(test, fuzzing))]
    #[must_use]
    pub fn holds(&self, entry: usize) -> bool {
        self.links[entry].is_some()
    }

    /// Adds a deadline that is not before any other; an entry that has one keeps it.
    pub fn add(&mut self, entry: usize, deadline_ns: u64) {
        if self.links[entry].is_some() {
            return;
        }
        self.links[entry] = Some(Link {
            deadline_ns,
            before: self.last,
            after: NONE,
        });
        match self.link(self.last) {
            Some(last) => last.after = index(entry),
            None => self.first = index(entry),
        }
        self.last = index(entry);
        self.length += 1;
    }

    /// Takes an entry's deadline away, if it has one.
    pub fn remove(&mut self, entry: usize) {
        let Some(removed) = self.links[entry].take() else {
            return;
        };
        match self.link(removed.before) {
            Some(before) => before.after = removed.after,
            None => self.first = removed.after,
        }
        match self.link(removed.after) {
            Some(after) => after.before = removed.before,
            None => self.last = removed.before,
        }
        self.length -= 1;
    }

    fn link(&mut self, entry: u32) -> Option<&mut Link> {
        self.links.get_mut(entry as usize)?.as_mut()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn it_behaves_as_a_queue_with_removal(
            steps in prop::collection::vec((0_usize..6, any::<bool>()), 0..60),
        ) {
            let mut deadlines = Deadlines::new(6);
            let mut model: Vec<(usize, u64)> = Vec::new();
            for (now_ns, (entry, add)) in (0_u64..).zip(steps) {
                if add {
                    deadlines.add(entry, now_ns);
                    if model.iter().all(|&(known, _)| known != entry) {
                        model.push((entry, now_ns));
                    }
                } else {
                    deadlines.remove(entry);
                    model.retain(|&(known, _)| known != entry);
                }
                prop_assert_eq!(deadlines.first_entry(), model.first().map(|entry| entry.0));
                prop_assert_eq!(deadlines.first_ns(), model.first().map(|entry| entry.1));
                prop_assert_eq!(deadlines.len(), model.len());
                prop_assert_eq!(deadlines.is_empty(), model.is_empty());
            }
        }
    }
}
