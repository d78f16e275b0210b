//! Encodes the header blocks of requests: RFC 7541, section 6. Most of their fields are known
//! beforehand; what is only known at run time is a literal, which no table holds and nothing
//! remembers.

use std::collections::HashMap;

use super::{DEFAULT_CAPACITY, ENTRY_OVERHEAD, huffman, integer, static_table};

/// Fields that hold credentials are never put into a table (RFC 7541 section 7.1.3), neither here nor
/// by a proxy.
const NEVER_INDEXED: [&[u8]; 3] = [b"authorization", b"cookie", b"proxy-authorization"];

const INDEXED: u8 = 0x80;
const INSERTING: u8 = 0x40;
const SIZE_UPDATE: u8 = 0x20;
const NEVER: u8 = 0x10;
const PLAIN: u8 = 0x00;

/// A field of `Fields`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct FieldId(u32);

/// The name of a field whose values are only known at run time.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct NameId(u32);

/// All distinct fields of a plan's requests, and the names of those whose values vary, prepared once
/// and shared by all connections. Nothing is ever forgotten: what varies must not be added.
#[derive(Clone, Debug, Default)]
pub struct Fields {
    prepared: Vec<Prepared>,
    known: HashMap<(Vec<u8>, Vec<u8>), FieldId>,
    /// What stands before the value of a literal, by name.
    names: Vec<Box<[u8]>>,
    known_names: HashMap<Vec<u8>, NameId>,
}

/// One field of a block.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum BlockField {
    /// One of `Fields`.
    Prepared(FieldId),
    /// A name of `Fields`, and so many bytes of the block's values.
    Literal(NameId, usize),
}

/// The fields of one request in their order.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Block {
    fields: Vec<BlockField>,
    /// Values of the literals, one after another.
    values: Vec<u8>,
}

impl Block {
    /// Adds a prepared field.
    pub fn push(&mut self, field: FieldId) {
        self.fields.push(BlockField::Prepared(field));
    }

    /// Adds a field of a prepared name with any value. It enters no table, and where it holds
    /// credentials it says that no other may either.
    pub fn push_literal(&mut self, name: NameId, value: &[u8]) {
        self.fields.push(BlockField::Literal(name, value.len()));
        self.values.extend_from_slice(value);
    }

    /// Takes all fields out and keeps the memory.
    pub fn clear(&mut self) {
        self.fields.clear();
        self.values.clear();
    }
}

impl FromIterator<FieldId> for Block {
    fn from_iter<I: IntoIterator<Item = FieldId>>(fields: I) -> Self {
        Self {
            fields: fields.into_iter().map(BlockField::Prepared).collect(),
            values: Vec::new(),
        }
    }
}

/// A field in the forms in which it may be written.
#[derive(Clone, Debug)]
enum Prepared {
    /// In the static table.
    Static(u8),
    NeverIndexed(Box<[u8]>),
    Indexable {
        /// What it takes of the table, in bytes.
        size: u32,
        inserting: Box<[u8]>,
        plain: Box<[u8]>,
    },
}

impl Fields {
    /// No field yet.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// Prepares a field; the same one has the same id. The name is written in lower case, RFC
    /// 9113 section 8.2.1.
    pub fn add(&mut self, name: &[u8], value: &[u8]) -> FieldId {
        let key = (name.to_ascii_lowercase(), value.to_vec());
        if let Some(&known) = self.known.get(&key) {
            return known;
        }
        let id = FieldId(u32::try_from(self.prepared.len()).unwrap_or(u32::MAX));
        self.prepared.push(prepare(&key.0, value));
        self.known.insert(key, id);
        id
    }

    /// Prepares a name for literals; the same one has the same id. It is written in lower case.
    pub fn add_name(&mut self, name: &[u8]) -> NameId {
        let name = name.to_ascii_lowercase();
        if let Some(&known) = self.known_names.get(&name) {
            return known;
        }
        let id = NameId(u32::try_from(self.names.len()).unwrap_or(u32::MAX));
        let flags = if NEVER_INDEXED.contains(&name.as_slice()) {
            NEVER
        } else {
            PLAIN
        };
        let mut form = Vec::new();
        append_name(&name, 4, flags, &mut form);
        self.names.push(form.into_boxed_slice());
        self.known_names.insert(name, id);
        id
    }

    /// How many fields and names are kept.
    #[cfg(test)]
    #[must_use]
    pub fn kept(&self) -> usize {
        self.prepared.len() + self.names.len()
    }
}

fn prepare(name: &[u8], value: &[u8]) -> Prepared {
    if let Some(index) = static_table::find(name, value) {
        return Prepared::Static(INDEXED | u8::try_from(index).unwrap_or_default());
    }
    let literal = |prefix_bits, flags| {
        let mut form = Vec::new();
        append_name(name, prefix_bits, flags, &mut form);
        append_string(value, &mut form);
        form.into_boxed_slice()
    };
    if NEVER_INDEXED.contains(&name) {
        return Prepared::NeverIndexed(literal(4, NEVER));
    }
    Prepared::Indexable {
        size: u32::try_from(name.len() + value.len() + ENTRY_OVERHEAD).unwrap_or(u32::MAX),
        inserting: literal(6, INSERTING),
        plain: literal(4, PLAIN),
    }
}

/// The kind of a literal and its name: an index of the static table, or else the name itself.
fn append_name(name: &[u8], prefix_bits: u32, flags: u8, out: &mut Vec<u8>) {
    let index = static_table::find_name(name);
    integer::encode(index.unwrap_or(0), prefix_bits, flags, out);
    if index.is_none() {
        append_string(name, out);
    }
}

/// Huffman-coded where that is shorter.
fn append_string(text: &[u8], out: &mut Vec<u8>) {
    let coded_length = huffman::encoded_length(text);
    if coded_length < text.len() {
        integer::encode(coded_length, 7, 0x80, out);
        huffman::encode(text, out);
    } else {
        integer::encode(text.len(), 7, 0, out);
        out.extend_from_slice(text);
    }
}

/// The encoding side of one connection: which fields the peer's dynamic table holds, and where.
/// A field is inserted when it is first used, if it still fits; nothing is ever evicted by that.
#[derive(Clone, Debug)]
pub struct Encoder {
    /// For each field, which insertion it was, counted from 1; 0 if it is not in the table. The table's
    /// 4,096 bytes hold 128 entries at most.
    inserted_as: Vec<u8>,
    inserted: u8,
    used: u32,
    capacity: u32,
    /// The smallest capacity since the last block, if the peer has to be told of a new one.
    lowest_untold: Option<u32>,
}

impl Default for Encoder {
    fn default() -> Self {
        Self::new()
    }
}

impl Encoder {
    /// With an empty table of the default size.
    #[must_use]
    pub fn new() -> Self {
        Self {
            inserted_as: Vec::new(),
            inserted: 0,
            used: 0,
            capacity: DEFAULT_CAPACITY,
            lowest_untold: None,
        }
    }

    /// Takes over the peer's `SETTINGS_HEADER_TABLE_SIZE`; the next block tells it. A table that
    /// would have to evict is emptied.
    pub fn set_capacity(&mut self, peer_header_table_size: u32) {
        let capacity = peer_header_table_size.min(DEFAULT_CAPACITY);
        if capacity == self.capacity {
            return;
        }
        let mut lowest = capacity.min(self.lowest_untold.unwrap_or(capacity));
        if capacity < self.used {
            self.inserted_as.fill(0);
            self.inserted = 0;
            self.used = 0;
            lowest = 0;
        }
        self.lowest_untold = Some(lowest);
        self.capacity = capacity;
    }

    /// Appends one block. Does not allocate, but for `out` and for fields added since the last.
    pub fn encode(&mut self, fields: &Fields, block: &Block, out: &mut Vec<u8>) {
        if let Some(lowest) = self.lowest_untold.take() {
            // RFC 7541 section 4.2: the smallest size in between, then the final one.
            if lowest < self.capacity {
                integer::encode(lowest as usize, 5, SIZE_UPDATE, out);
            }
            integer::encode(self.capacity as usize, 5, SIZE_UPDATE, out);
        }
        if self.inserted_as.len() < fields.prepared.len() {
            self.inserted_as.resize(fields.prepared.len(), 0);
        }
        let mut values = block.values.as_slice();
        for &field in &block.fields {
            match field {
                BlockField::Prepared(FieldId(id)) => self.append(fields, id as usize, out),
                BlockField::Literal(NameId(name), length) => {
                    let (value, rest) = values.split_at(length);
                    values = rest;
                    out.extend_from_slice(&fields.names[name as usize]);
                    append_string(value, out);
                }
            }
        }
    }

    fn append(&mut self, fields: &Fields, id: usize, out: &mut Vec<u8>) {
        match self.inserted_as[id] {
            0 => self.append_new(&fields.prepared[id], id, out),
            number => {
                let age = usize::from(self.inserted - number);
                integer::encode(static_table::LENGTH + 1 + age, 7, INDEXED, out);
            }
        }
    }

    fn append_new(&mut self, field: &Prepared, id: usize, out: &mut Vec<u8>) {
        match field {
            Prepared::Static(byte) => out.push(*byte),
            Prepared::NeverIndexed(form) => out.extend_from_slice(form),
            Prepared::Indexable {
                size,
                inserting,
                plain,
            } => {
                if *size > self.capacity - self.used {
                    out.extend_from_slice(plain);
                    return;
                }
                out.extend_from_slice(inserting);
                self.used += size;
                self.inserted += 1;
                self.inserted_as[id] = self.inserted;
            }
        }
    }
}
