package loadstone.booking;

/** What `create-club` and `replace-club` are given. */
record ClubBody(String name, String city, String description) {}
