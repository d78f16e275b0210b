-- owners, clubs, facilities, players, reservations, and the hash of cost 8 of everybody's password
CALL fill(1000, 2000, 10000, 100000, 2400000, '$2b$08$courtsidecourtsidecouu7BI864F8dvOqDTIMGrckXC47EoAKYUe');
DROP PROCEDURE fill;
