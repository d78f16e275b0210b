//! Deadlines of slots that all have the same distance: a list in order of insertion.
//!
//! Linked through the slots themselves, so that adding, removing and looking at the first are
//! constant in time and memory, however many requests end long before their deadline.

const NONE: u32 = u32::MAX;

#[derive(Clone, Copy, Debug)]
struct Link {
    deadline_ns: u64,
    before: u32,
    after: u32,
}

/// At most one deadline per slot, earliest first.
#[derive(Clone, Debug)]
pub struct Deadlines {
    links: Vec<Option<Link>>,
    first: u32,
    last: u32,
    length: usize,
}

#[allow(
    clippy::cast_possible_truncation,
    reason = "a plan has at most a million slots"
)]
fn index(slot: usize) -> u32 {
    slot as u32
}

impl Deadlines {
    /// No deadlines, for slots 0 to `slots`.
    #[must_use]
    pub fn new(slots: usize) -> Self {
        Self {
            links: vec![None; slots],
            first: NONE,
            last: NONE,
            length: 0,
        }
    }

    /// How many slots have a deadline.
    #[must_use]
    pub fn len(&self) -> usize {
        self.length
    }

    /// Whether no slot has one.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.length == 0
    }

    /// The earliest deadline.
    #[must_use]
    pub fn first_ns(&self) -> Option<u64> {
        self.first_slot()
            .and_then(|slot| self.links[slot])
            .map(|link| link.deadline_ns)
    }

    /// The slot of the earliest deadline.
    #[must_use]
    pub fn first_slot(&self) -> Option<usize> {
        (self.first != NONE).then_some(self.first as usize)
    }

    /// Adds a deadline that is not before any other; a slot that has one keeps it.
    pub fn add(&mut self, slot: usize, deadline_ns: u64) {
        if self.links[slot].is_some() {
            return;
        }
        self.links[slot] = Some(Link {
            deadline_ns,
            before: self.last,
            after: NONE,
        });
        match self.link(self.last) {
            Some(last) => last.after = index(slot),
            None => self.first = index(slot),
        }
        self.last = index(slot);
        self.length += 1;
    }

    /// Takes a slot's deadline away, if it has one.
    pub fn remove(&mut self, slot: usize) {
        let Some(removed) = self.links[slot].take() else {
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

    fn link(&mut self, slot: u32) -> Option<&mut Link> {
        self.links.get_mut(slot as usize)?.as_mut()
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
            for (now_ns, (slot, add)) in (0_u64..).zip(steps) {
                if add {
                    deadlines.add(slot, now_ns);
                    if model.iter().all(|&(known, _)| known != slot) {
                        model.push((slot, now_ns));
                    }
                } else {
                    deadlines.remove(slot);
                    model.retain(|&(known, _)| known != slot);
                }
                prop_assert_eq!(deadlines.first_slot(), model.first().map(|entry| entry.0));
                prop_assert_eq!(deadlines.first_ns(), model.first().map(|entry| entry.1));
                prop_assert_eq!(deadlines.len(), model.len());
                prop_assert_eq!(deadlines.is_empty(), model.is_empty());
            }
        }
    }
}
