-- owners, clubs, facilities, players, reservations, and the hash of cost 8 of everybody's password
CALL fill(100, 200, 1000, 10000, 192000, '$2b$08$courtsidecourtsidecouu7BI864F8dvOqDTIMGrckXC47EoAKYUe');
DROP PROCEDURE fill;
