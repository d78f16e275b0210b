-- owners, clubs, facilities, players, reservations, and the hash of cost 4 of everybody's password
CALL fill(100, 200, 1000, 10000, 192000, '$2b$04$courtsidecourtsidecouuDPA1CyCaj1RGbCiy4psmRUKp0EtfvEq');
DROP PROCEDURE fill;
