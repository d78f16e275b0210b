-- owners, clubs, facilities, players, reservations, and the hash of cost 8 of everybody's password
CALL fill(10, 20, 100, 1000, 9600, '$2b$08$courtsidecourtsidecouu7BI864F8dvOqDTIMGrckXC47EoAKYUe');
DROP PROCEDURE fill;
