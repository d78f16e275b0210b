-- The rows of one size, by whole numbers alone: the same on every machine and day. A level calls it once.
-- All that refers to a row does so by its number: looking each foreign key up again would double the time.
CREATE PROCEDURE fill(owners int, clubs int, facilities int, players int, reservations int, hash text)
LANGUAGE sql SET session_replication_role = replica AS $$
  -- Every second hash has the older of the two names of one and the same format.
  INSERT INTO account (email, name, password_hash, role, created_at)
    SELECT
      CASE WHEN i <= owners THEN 'owner-' || i ELSE 'player-' || i - owners END || '@booking.example',
      CASE WHEN i <= owners THEN 'Owner ' || i ELSE 'Player ' || i - owners END,
      CASE i % 2 WHEN 0 THEN overlay(hash PLACING '$2a$' FROM 1) ELSE hash END,
      CASE WHEN i <= owners THEN 'owner' ELSE 'player' END,
      timestamptz '2026-01-01 00:00:00Z'
    FROM generate_series(1, owners + players) AS i ORDER BY i;

  INSERT INTO club (owner_id, name, city, description, created_at)
    SELECT
      1 + (i - 1) % owners,
      (ARRAY['Amber', 'Birch', 'Cobalt', 'Dune', 'Elm', 'Fjord', 'Granite', 'Harbour'])[1 + (i - 1) % 8]
        || ' ' || (ARRAY['Meadow', 'Park', 'Arena', 'Court', 'Field'])[1 + (i - 1) % 5] || ' ' || i,
      (ARRAY['Norvale', 'Eastmere', 'Suderby', 'Westholt'])[1 + (i - 1) % 4],
      'Club ' || i,
      timestamptz '2026-01-01 00:00:00Z'
    FROM generate_series(1, clubs) AS i ORDER BY i;

  INSERT INTO facility (club_id, name, sport, slot_minutes, opens, closes, price_cents, created_at)
    SELECT
      1 + (i - 1) % clubs,
      'Facility ' || i,
      (ARRAY['tennis', 'football', 'padel', 'basketball', 'volleyball', 'badminton'])[1 + (i - 1) % 6],
      60, 360, 1320,
      1000 + 250 * ((i - 1) % 9),
      timestamptz '2026-01-01 00:00:00Z'
    FROM generate_series(1, facilities) AS i ORDER BY i;

  -- 48271 has no factor in common with 960 facilities: no two of these have one facility and one start.
  INSERT INTO reservation
      (facility_id, player_id, starts_at, ends_at, status, price_cents, decided_at, created_at)
    SELECT
      f.id,
      owners + 1 + 7919 * r % players,
      slot.starts_at, slot.starts_at + interval '1 hour',
      slot.status, f.price_cents,
      CASE WHEN slot.status IN ('accepted', 'rejected') THEN timestamptz '2026-01-01 00:00:00Z' END,
      timestamptz '2026-01-01 00:00:00Z'
    FROM generate_series(1, reservations::bigint) AS r
      CROSS JOIN LATERAL (SELECT 48271 * r % (960 * facilities) AS s) AS place
      CROSS JOIN LATERAL (
        SELECT
          timestamptz '2040-03-01 06:00:00Z' + place.s / facilities / 16 * interval '1 day'
            + place.s / facilities % 16 * interval '1 hour' AS starts_at,
          (ARRAY['accepted', 'accepted', 'accepted', 'accepted', 'accepted', 'accepted',
            'pending', 'pending', 'rejected', 'cancelled'])[1 + r % 10] AS status
      ) AS slot
      JOIN facility AS f ON f.id = 1 + place.s % facilities
    ORDER BY r;

  INSERT INTO rating (reservation_id, facility_id, stars, comment, created_at)
    SELECT id, facility_id, 1 + id / 10 % 5, 'Seed comment ' || id, timestamptz '2026-01-01 00:00:00Z'
    FROM reservation WHERE id % 10 < 5 ORDER BY id;
$$;
