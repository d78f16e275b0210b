/**
 * The schemas of what is answered, from which Fastify makes the functions that encode it: the members of SPEC.md, in
 * its order. A member of a row that is not named here is left out.
 */

const TEXT = { type: 'string' };
const INTEGER = { type: 'integer' };
const BOOLEAN = { type: 'boolean' };
const TEXT_OR_NULL = { type: ['string', 'null'] };
const NUMBER_OR_NULL = { type: ['number', 'null'] };

export const STATUS = object({ status: TEXT });

export const TOKEN = object({ token: TEXT, token_type: TEXT, expires_in: INTEGER });

export const ACCOUNT = object({
  id: INTEGER,
  email: TEXT,
  name: TEXT,
  role: TEXT,
  created_at: TEXT,
});

export const CLUB = object({
  id: INTEGER,
  owner_id: INTEGER,
  name: TEXT,
  city: TEXT,
  description: TEXT,
  created_at: TEXT,
});

export const FACILITY = object({
  id: INTEGER,
  club_id: INTEGER,
  name: TEXT,
  sport: TEXT,
  slot_minutes: INTEGER,
  opens: INTEGER,
  closes: INTEGER,
  price_cents: INTEGER,
  retired: BOOLEAN,
  created_at: TEXT,
});

export const SLOTS = object({
  date: TEXT,
  slots: list(object({ starts_at: TEXT, ends_at: TEXT, available: BOOLEAN })),
});

export const RESERVATION = object({
  id: INTEGER,
  facility_id: INTEGER,
  player_id: INTEGER,
  starts_at: TEXT,
  ends_at: TEXT,
  status: TEXT,
  price_cents: INTEGER,
  created_at: TEXT,
  decided_at: TEXT_OR_NULL,
});

export const RATING = object({
  reservation_id: INTEGER,
  facility_id: INTEGER,
  stars: INTEGER,
  comment: TEXT,
  created_at: TEXT,
});

export const RATINGS = pageSchema(RATING, { count: INTEGER, average: NUMBER_OR_NULL });

/** The schema of a page of objects, with members that stand behind those of every page. */
export function pageSchema(items, more = {}) {
  return object({ items: list(items), next_cursor: TEXT_OR_NULL, ...more });
}

function object(properties) {
  return { type: 'object', properties, required: Object.keys(properties) };
}

function list(items) {
  return { type: 'array', items };
}
