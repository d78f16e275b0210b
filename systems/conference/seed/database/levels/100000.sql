-- These rows and no others, in dense pages: copied in the order of the key.
TRUNCATE TABLE conferencedb.conferences;
INSERT INTO conferencedb.conferences (id, name) SELECT id, name FROM seeds.r100000 ORDER BY id;
