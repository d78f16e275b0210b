-- An empty table. Open connections and the statements that they have prepared survive it.
TRUNCATE TABLE conferencedb.conferences;
