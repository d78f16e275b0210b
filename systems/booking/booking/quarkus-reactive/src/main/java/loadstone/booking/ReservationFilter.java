package loadstone.booking;

/** What `list-reservations` is asked for; null where it is not. */
record ReservationFilter(Long facilityId, String status) {

    /** Throws a Refusal. */
    static ReservationFilter of(Query query) {
        return new ReservationFilter(
                query.id("facility_id"), query.word("status", Validation.STATES));
    }
}
