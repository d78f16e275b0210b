-- The table, the one user of the stacks, and beside them the rows of every level as they are copied in.
-- Without padding and by code point, 'a' and 'a ' are two keys, and so are 'a' and 'A'.
CREATE DATABASE conferencedb CHARACTER SET utf8mb4 COLLATE utf8mb4_nopad_bin;
CREATE TABLE conferencedb.conferences (
  id VARCHAR(191) NOT NULL,
  name VARCHAR(191) NOT NULL,
  PRIMARY KEY (id)
) ENGINE = InnoDB;

-- A statement that a stack has given up ends by itself; the limit is above all that stacks may wait.
CREATE USER 'dbuser'@'127.0.0.1' IDENTIFIED BY 'dbpwd123' WITH MAX_STATEMENT_TIME 10;
GRANT SELECT, INSERT, UPDATE, DELETE ON conferencedb.* TO 'dbuser'@'127.0.0.1';

CREATE DATABASE seeds;
