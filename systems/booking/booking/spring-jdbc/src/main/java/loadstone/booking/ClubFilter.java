package loadstone.booking;

/** What `list-clubs` is asked for; null where it is not. The pattern is one for LIKE. */
record ClubFilter(Long ownerId, String city, String pattern) {

    private static final int MOST_PART_CHARACTERS = 50;

    /** Throws a Refusal. */
    static ClubFilter of(Query query, Caller caller) {
        Boolean isMine = query.flag("mine");
        String city = query.text("city", Validation.MOST_NAME_CHARACTERS);
        String part = query.text("q", MOST_PART_CHARACTERS);
        return new ClubFilter(
                Boolean.TRUE.equals(isMine) ? Long.valueOf(caller.id()) : null,
                city,
                part == null ? null : Texts.contained(part));
    }
}
