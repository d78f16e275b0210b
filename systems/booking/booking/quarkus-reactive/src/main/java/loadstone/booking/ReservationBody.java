package loadstone.booking;

import java.time.Instant;

/** What `reserve` is given. */
record ReservationBody(long facilityId, Instant startsAt, int slots) {}
