package loadstone.booking;

import java.time.Instant;
import java.util.List;

/**
 * Bodies of requests out of JSON values, as a library for JSON gives them. Each method throws a
 * Refusal with the first fault of each member that has one.
 */
final class Validation {

    /** More than these are not hashed by bcrypt. */
    static final int MOST_PASSWORD_BYTES = 72;

    static final List<String> SPORTS =
            List.of("tennis", "football", "padel", "basketball", "volleyball", "badminton");
    static final List<String> STATES = List.of("pending", "accepted", "rejected", "cancelled");
    static final int MOST_NAME_CHARACTERS = 100;

    private static final int LEAST_PASSWORD_BYTES = 8;
    private static final int MOST_DESCRIPTION_CHARACTERS = 1_000;
    private static final int MOST_COMMENT_CHARACTERS = 500;
    private static final List<Integer> SLOT_MINUTES = List.of(30, 60, 90);
    private static final int MINUTES_OF_DAY = 1_440;
    private static final int MOST_PRICE_CENTS = 1_000_000;
    private static final int MOST_SLOTS = 4;
    private static final int MOST_STARS = 5;

    private Validation() {}

    static AccountBody account(Object body) {
        Members members = Members.of(body);
        String email = members.email("email");
        String name = members.text("name", 1, MOST_NAME_CHARACTERS);
        String password = members.password("password", LEAST_PASSWORD_BYTES, MOST_PASSWORD_BYTES);
        String role =
                members.isMissing("role") ? Role.PLAYER.text() : members.word("role", Role.TEXTS);
        members.refuseFaults();
        return new AccountBody(email, name, password, role);
    }

    static LogInBody logIn(Object body) {
        Members members = Members.of(body);
        String email = members.text("email");
        String password = members.text("password");
        members.refuseFaults();
        return new LogInBody(Texts.lowerCase(email), password);
    }

    static ClubBody club(Object body) {
        Members members = Members.of(body);
        String name = members.text("name", 1, MOST_NAME_CHARACTERS);
        String city = members.text("city", 1, MOST_NAME_CHARACTERS);
        String description = textOrEmpty(members, "description", MOST_DESCRIPTION_CHARACTERS);
        members.refuseFaults();
        return new ClubBody(name, city, description);
    }

    static FacilityBody facility(Object body) {
        Members members = Members.of(body);
        String name = members.text("name", 1, MOST_NAME_CHARACTERS);
        String sport = members.word("sport", SPORTS);
        Integer slotMinutes = members.oneOf("slot_minutes", SLOT_MINUTES);
        Integer opens = members.integer("opens", 0, MINUTES_OF_DAY);
        Integer closes = members.integer("closes", 0, MINUTES_OF_DAY);
        if (slotMinutes != null && opens != null && closes != null) {
            checkHours(members, slotMinutes, closes - opens);
        }
        Integer priceCents = members.integer("price_cents", 0, MOST_PRICE_CENTS);
        members.refuseFaults();
        return new FacilityBody(name, sport, slotMinutes, opens, closes, priceCents);
    }

    private static void checkHours(Members members, int slotMinutes, int openMinutes) {
        if (openMinutes <= 0) {
            members.fault("closes", "range");
        } else if (openMinutes % slotMinutes != 0) {
            members.fault("closes", "not-aligned");
        }
    }

    static ReservationBody reservation(Object body, Instant now) {
        Members members = Members.of(body);
        Long facilityId = members.id("facility_id");
        Instant startsAt = members.instant("starts_at");
        if (startsAt != null) {
            checkStart(members, startsAt, now);
        }
        Integer slots =
                members.isMissing("slots")
                        ? Integer.valueOf(1)
                        : members.integer("slots", 1, MOST_SLOTS);
        members.refuseFaults();
        return new ReservationBody(facilityId, startsAt, slots);
    }

    private static void checkStart(Members members, Instant startsAt, Instant now) {
        if (!Instants.isInYears(Instants.day(startsAt))) {
            members.fault("starts_at", "range");
        } else if (!startsAt.isAfter(now)) {
            members.fault("starts_at", "in-past");
        }
    }

    static RatingBody rating(Object body) {
        Members members = Members.of(body);
        Integer stars = members.integer("stars", 1, MOST_STARS);
        String comment = textOrEmpty(members, "comment", MOST_COMMENT_CHARACTERS);
        members.refuseFaults();
        return new RatingBody(stars, comment);
    }

    private static String textOrEmpty(Members members, String name, int most) {
        return members.isMissing(name) ? "" : members.text(name, 0, most);
    }
}
