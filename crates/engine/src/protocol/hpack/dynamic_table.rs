//! The dynamic table of a decoder: RFC 7541, sections 2.3.2 and 4.
//!
//! Names and values lie one after the other in one buffer, the oldest first. What was evicted is
//! only removed when the buffer would outgrow the table, so an insertion copies little beside
//! itself, and the buffer never holds more bytes than the table may.

use std::collections::VecDeque;

use super::ENTRY_OVERHEAD;

/// Entries in the order of their insertion.
#[derive(Debug)]
pub struct DynamicTable {
    entries: VecDeque<Entry>,
    bytes: Vec<u8>,
    /// How many bytes were removed from the front of `bytes` since the beginning.
    removed: usize,
    /// The size as RFC 7541 section 4.1 counts it.
    size: usize,
    max_size: usize,
    changes: u64,
}

#[derive(Clone, Copy, Debug)]
struct Entry {
    /// Bytes inserted before it since the beginning.
    start: usize,
    name_length: usize,
    value_length: usize,
}

impl Entry {
    fn length(self) -> usize {
        self.name_length + self.value_length
    }
}

impl DynamicTable {
    /// An empty table; it takes memory only for what is inserted.
    #[must_use]
    pub fn new(max_size: usize) -> Self {
        Self {
            entries: VecDeque::new(),
            bytes: Vec::new(),
            removed: 0,
            size: 0,
            max_size,
            changes: 0,
        }
    }

    /// A number that differs after every change.
    #[must_use]
    pub fn changes(&self) -> u64 {
        self.changes
    }

    /// Name and value of an entry, 0 being the newest.
    #[must_use]
    pub fn get(&self, age: usize) -> Option<(&[u8], &[u8])> {
        let place = self.entries.len().checked_sub(age)?.checked_sub(1)?;
        let entry = *self.entries.get(place)?;
        let start = self.place(entry);
        let both = &self.bytes[start..start + entry.length()];
        Some(both.split_at(entry.name_length))
    }

    /// Evicts until a new size is held.
    pub fn resize(&mut self, max_size: usize) {
        self.changes += 1;
        self.max_size = max_size;
        self.evict_down_to(max_size);
    }

    /// Evicts what is in the way and inserts; what is larger than the table only empties it, RFC
    /// 7541 section 4.4.
    pub fn insert(&mut self, name: &[u8], value: &[u8]) {
        self.changes += 1;
        let length = name.len() + value.len();
        let size = length + ENTRY_OVERHEAD;
        self.evict_down_to(self.max_size.saturating_sub(size));
        if size > self.max_size {
            return;
        }
        self.make_room(length);
        self.entries.push_back(Entry {
            start: self.removed + self.bytes.len(),
            name_length: name.len(),
            value_length: value.len(),
        });
        self.bytes.extend_from_slice(name);
        self.bytes.extend_from_slice(value);
        self.size += size;
    }

    fn evict_down_to(&mut self, size: usize) {
        while self.size > size
            && let Some(oldest) = self.entries.pop_front()
        {
            self.size -= oldest.length() + ENTRY_OVERHEAD;
        }
    }

    /// Removes evicted bytes if the buffer would outgrow the table, and lets it grow no further.
    fn make_room(&mut self, length: usize) {
        if self.bytes.len() + length > self.max_size {
            let evicted = match self.entries.front() {
                Some(&oldest) => self.place(oldest),
                None => self.bytes.len(),
            };
            self.bytes.drain(..evicted);
            self.removed += evicted;
        }
        let needed = self.bytes.len() + length;
        if needed > self.bytes.capacity() {
            let capacity = (2 * self.bytes.capacity()).clamp(needed, self.max_size);
            self.bytes.reserve_exact(capacity - self.bytes.len());
        }
    }

    /// Where an entry begins in `bytes`.
    fn place(&self, entry: Entry) -> usize {
        entry.start - self.removed
    }

    /// Bytes that the table holds on the heap.
    #[cfg(test)]
    pub fn memory(&self) -> usize {
        self.bytes.capacity() + self.entries.capacity() * size_of::<Entry>()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    /// The table as section 4 describes it, newest first.
    #[derive(Default)]
    struct Model {
        entries: VecDeque<(Vec<u8>, Vec<u8>)>,
        max_size: usize,
    }

    impl Model {
        fn evict(&mut self, wanted: usize) {
            let size = |entries: &VecDeque<(Vec<u8>, Vec<u8>)>| -> usize {
                entries.iter().map(|(n, v)| n.len() + v.len() + 32).sum()
            };
            while !self.entries.is_empty() && size(&self.entries) + wanted > self.max_size {
                self.entries.pop_back();
            }
        }

        fn insert(&mut self, name: Vec<u8>, value: Vec<u8>) {
            let wanted = name.len() + value.len() + 32;
            self.evict(wanted);
            if wanted <= self.max_size {
                self.entries.push_front((name, value));
            }
        }
    }

    fn a_step() -> impl Strategy<Value = Result<(Vec<u8>, Vec<u8>), usize>> {
        let text = |longest| prop::collection::vec(any::<u8>(), 0..longest);
        prop_oneof![
            6 => (text(20), text(40)).prop_map(Ok),
            2 => (text(20), text(400)).prop_map(Ok),
            1 => (0_usize..400).prop_map(Err),
        ]
    }

    proptest! {
        #[test]
        fn it_holds_what_the_rfc_says(steps in prop::collection::vec(a_step(), 1..200)) {
            let mut table = DynamicTable::new(300);
            let mut model = Model { max_size: 300, ..Model::default() };
            for step in steps {
                let changes = table.changes();
                match step {
                    Ok((name, value)) => {
                        table.insert(&name, &value);
                        model.insert(name, value);
                    }
                    Err(max_size) => {
                        table.resize(max_size);
                        model.max_size = max_size;
                        model.evict(0);
                    }
                }
                prop_assert!(table.changes() > changes);
                for (age, (name, value)) in model.entries.iter().enumerate() {
                    prop_assert_eq!(table.get(age), Some((&name[..], &value[..])));
                }
                prop_assert_eq!(table.get(model.entries.len()), None);
                prop_assert_eq!(table.get(usize::MAX), None);
            }
        }
    }
}
