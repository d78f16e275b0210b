-- Six users with nine vehicles, of the size that was published; `list-users` answers 2,140 bytes. All names are made
-- up. Everybody's password is Loadstone#Park-1, its hash of cost 10.
INSERT INTO app_user (first_name, last_name, email, password_hash, nif, role, payment_method, status)
  SELECT
    first_name, last_name, email || '@park.example',
    '$2b$10$LoadstoneParkSeedSalt.vo/GxERivFmh9jg20q0DBbcJd2jCq1q',
    700000000 + id, role, payment_method, 0
  FROM (VALUES
    (1, 'Orla', 'Fennimarsh', 'supervisor', 0, 3),
    (2, 'Tavi', 'Brookharrow', 'parkmanager', 3, 3),
    (3, 'Neva', 'Stillwick', 'customermanager', 2, 3),
    (4, 'Bram', 'Oakhollow', 'bram', 1, 2),
    (5, 'Sefa', 'Larkmoor', 'sefa', 1, 2),
    (6, 'Ilo', 'Thistledown', 'ilo', 1, 2)
  ) AS someone (id, first_name, last_name, email, role, payment_method)
  ORDER BY id;

-- Vehicle k of user i, from 0, has the plate of 3 i + k.
INSERT INTO vehicle (plate, user_id, type, energy) VALUES
  ('LA-00003', 1, 0, 0),
  ('LA-00006', 2, 0, 0),
  ('LA-00009', 3, 1, 0),
  ('LA-00012', 4, 0, 2),
  ('LA-00015', 5, 0, 0),
  ('LA-00016', 5, 0, 2),
  ('LA-00018', 6, 0, 0),
  ('LA-00019', 6, 0, 0),
  ('LA-00020', 6, 0, 0);
