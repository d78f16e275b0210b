-- owners, clubs, facilities, players, reservations, and the hash of cost 4 of everybody's password
CALL fill(10, 20, 100, 1000, 9600, '$2b$04$courtsidecourtsidecouuDPA1CyCaj1RGbCiy4psmRUKp0EtfvEq');
DROP PROCEDURE fill;
