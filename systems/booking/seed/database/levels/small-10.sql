-- owners, clubs, facilities, players, reservations, and the hash of cost 10 of everybody's password
CALL fill(10, 20, 100, 1000, 9600, '$2b$10$courtsidecourtsidecouuv5y/f6o5v81yQHI5QY8M9i9LUcafCoC');
DROP PROCEDURE fill;
