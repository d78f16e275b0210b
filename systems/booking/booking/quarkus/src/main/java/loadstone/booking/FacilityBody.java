package loadstone.booking;

/** What `add-facility` and `replace-facility` are given; hours are minutes after midnight. */
record FacilityBody(
        String name, String sport, int slotMinutes, int opens, int closes, int priceCents) {}
