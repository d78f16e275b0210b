-- owners, clubs, facilities, players, reservations, and the hash of cost 4 of everybody's password
CALL fill(1000, 2000, 10000, 100000, 2400000, '$2b$04$courtsidecourtsidecouuDPA1CyCaj1RGbCiy4psmRUKp0EtfvEq');
DROP PROCEDURE fill;
