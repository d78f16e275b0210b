-- The tables, and the one user of the stacks, who may read and write rows and nothing else.
-- Words of a list are stored as their place in it, from 0; the lists are in SPEC.md.
CREATE TABLE app_user (
  id bigserial PRIMARY KEY,
  first_name text NOT NULL,
  last_name text NOT NULL,
  email text NOT NULL,
  password_hash text NOT NULL,
  nif integer NOT NULL UNIQUE,
  role smallint NOT NULL,
  payment_method smallint NOT NULL,
  status smallint NOT NULL,
  coins integer NOT NULL DEFAULT 0 CHECK (coins >= 0)
);
CREATE UNIQUE INDEX app_user_email_key ON app_user (lower(email));

CREATE TABLE vehicle (
  plate text PRIMARY KEY,
  user_id bigint NOT NULL REFERENCES app_user,
  type smallint NOT NULL,
  energy smallint NOT NULL
);
CREATE INDEX vehicle_user_idx ON vehicle (user_id);

-- What was given and taken, manager or reference telling by whom; the sum of a user's is the balance.
CREATE TABLE coin_event (
  id bigserial PRIMARY KEY,
  user_id bigint NOT NULL REFERENCES app_user,
  amount integer NOT NULL,
  reason text NOT NULL,
  manager_id bigint,
  reference text UNIQUE,
  at timestamptz NOT NULL
);

CREATE TABLE idempotency (
  key text NOT NULL,
  operation text NOT NULL,
  digest bytea NOT NULL,
  status smallint NOT NULL,
  body text NOT NULL,
  at timestamptz NOT NULL,
  PRIMARY KEY (key, operation)
);

CREATE ROLE park LOGIN PASSWORD 'park';
ALTER ROLE park SET statement_timeout = '2s';
ALTER ROLE park SET lock_timeout = '1s';
GRANT SELECT, INSERT, UPDATE, DELETE ON ALL TABLES IN SCHEMA public TO park;
GRANT USAGE ON ALL SEQUENCES IN SCHEMA public TO park;
