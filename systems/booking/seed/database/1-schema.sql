-- The tables, and the one user of the stacks, who may read and write rows and nothing else.
CREATE EXTENSION btree_gist;

CREATE TABLE account (
  id bigserial PRIMARY KEY,
  email text NOT NULL UNIQUE,
  name text NOT NULL,
  password_hash text NOT NULL,
  role text NOT NULL CHECK (role IN ('player', 'owner')),
  created_at timestamptz(0) NOT NULL DEFAULT now()
);

CREATE TABLE club (
  id bigserial PRIMARY KEY,
  owner_id bigint NOT NULL REFERENCES account,
  name text NOT NULL,
  city text NOT NULL,
  description text NOT NULL DEFAULT '',
  created_at timestamptz(0) NOT NULL DEFAULT now()
);
CREATE INDEX club_owner_idx ON club (owner_id, id);

CREATE TABLE facility (
  id bigserial PRIMARY KEY,
  club_id bigint NOT NULL REFERENCES club,
  name text NOT NULL,
  sport text NOT NULL CHECK (sport IN ('tennis', 'football', 'padel', 'basketball', 'volleyball', 'badminton')),
  slot_minutes smallint NOT NULL CHECK (slot_minutes IN (30, 60, 90)),
  opens smallint NOT NULL,
  closes smallint NOT NULL,
  price_cents integer NOT NULL,
  retired_at timestamptz(0),
  created_at timestamptz(0) NOT NULL DEFAULT now(),
  CHECK (opens >= 0 AND closes <= 1440 AND closes > opens AND (closes - opens) % slot_minutes = 0)
);
CREATE INDEX facility_club_idx ON facility (club_id, id);
CREATE INDEX facility_sport_idx ON facility (sport, id) WHERE retired_at IS NULL;

-- That no two reservations which live overlap is held here, whatever a stack does.
CREATE TABLE reservation (
  id bigserial PRIMARY KEY,
  facility_id bigint NOT NULL REFERENCES facility,
  player_id bigint NOT NULL REFERENCES account,
  starts_at timestamptz(0) NOT NULL,
  ends_at timestamptz(0) NOT NULL CHECK (ends_at > starts_at),
  status text NOT NULL DEFAULT 'pending' CHECK (status IN ('pending', 'accepted', 'rejected', 'cancelled')),
  price_cents integer NOT NULL,
  decided_at timestamptz(0),
  created_at timestamptz(0) NOT NULL DEFAULT now(),
  CONSTRAINT reservation_no_overlap EXCLUDE USING gist
    (facility_id WITH =, tstzrange(starts_at, ends_at) WITH &&) WHERE (status IN ('pending', 'accepted'))
);
CREATE INDEX reservation_player_idx ON reservation (player_id, id);
CREATE INDEX reservation_facility_idx ON reservation (facility_id, id);

CREATE TABLE rating (
  reservation_id bigint PRIMARY KEY REFERENCES reservation,
  facility_id bigint NOT NULL REFERENCES facility,
  stars smallint NOT NULL CHECK (stars BETWEEN 1 AND 5),
  comment text NOT NULL DEFAULT '',
  created_at timestamptz(0) NOT NULL DEFAULT now()
);
CREATE INDEX rating_facility_idx ON rating (facility_id, reservation_id);

CREATE TABLE idempotency (
  account_id bigint NOT NULL REFERENCES account,
  key text NOT NULL,
  fingerprint bytea NOT NULL,
  body text,
  PRIMARY KEY (account_id, key)
);

CREATE ROLE booking LOGIN PASSWORD 'booking';
ALTER ROLE booking SET statement_timeout = '2s';
ALTER ROLE booking SET lock_timeout = '1s';
GRANT SELECT, INSERT, UPDATE, DELETE ON ALL TABLES IN SCHEMA public TO booking;
GRANT USAGE ON ALL SEQUENCES IN SCHEMA public TO booking;
