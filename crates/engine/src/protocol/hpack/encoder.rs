//! Encodes the header blocks of requests that are known beforehand: RFC 7541, section 6.

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

/// All distinct fields of a plan's requests, prepared once and shared by all connections.
#[derive(Clone, Debug, Default)]
pub struct Fields {
    prepared: Vec<Prepared>,
    known: HashMap<(Vec<u8>, Vec<u8>), FieldId>,
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
}

fn prepare(name: &[u8], value: &[u8]) -> Prepared {
    if let Some(index) = static_table::find(name, value) {
        return Prepared::Static(INDEXED | u8::try_from(index).unwrap_or_default());
    }
    let same_name = static_table::find_name(name);
    let literal = |prefix_bits, flags| {
        let mut form = Vec::new();
        integer::encode(same_name.unwrap_or(0), prefix_bits, flags, &mut form);
        if same_name.is_none() {
            append_string(name, &mut form);
        }
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
    pub fn encode(&mut self, fields: &Fields, block: &[FieldId], out: &mut Vec<u8>) {
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
        for &FieldId(id) in block {
            let id = id as usize;
            match self.inserted_as[id] {
                0 => self.append_new(&fields.prepared[id], id, out),
                number => {
                    let age = usize::from(self.inserted - number);
                    integer::encode(static_table::LENGTH + 1 + age, 7, INDEXED, out);
                }
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
