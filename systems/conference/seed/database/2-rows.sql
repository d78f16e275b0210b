-- Six rows as published; more of them have names in turn, so that look-ups differ as little as they can.
USE seeds;
CREATE TABLE r6 LIKE conferencedb.conferences;
INSERT INTO r6 (id, name) VALUES
  ('CONF-2021-002', 'Strata'),
  ('CONF-2021-004', 'IBM Think'),
  ('CONF-2022-001', 'QCon'),
  ('CONF-2022-005', 'Microsoft Ignite'),
  ('CONF-2023-003', 'KubeCon'),
  ('CONF-2023-006', 'MS Build');

CREATE TABLE r100000 LIKE conferencedb.conferences;
INSERT INTO r100000 (id, name)
  SELECT CONCAT('SEED-', LPAD(seq, 8, '0')),
    ELT((seq - 1) MOD 14 + 1,
      'WSO2Con', 'Strata', 'QCon', 'Google I/O', 'MS Build', 'Apple WWDC', 'Oracle OpenWorld',
      'AWS re:Invent', 'KubeCon', 'DockerCon', 'Red Hat Summit', 'IBM Think', 'Google Cloud Next',
      'Microsoft Ignite')
  FROM seq_7_to_100000;
INSERT INTO r100000 (id, name) SELECT id, name FROM r6;

CREATE TABLE r1000 LIKE conferencedb.conferences;
INSERT INTO r1000 (id, name) SELECT id, name FROM r100000 ORDER BY id LIMIT 1000;
