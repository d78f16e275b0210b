package loadstone.booking;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Test;

/** That the stack's library writes answers as SPEC.md has them. */
class JsonTest {

    private static final Instant SIX = Instant.parse("2040-03-01T06:00:00Z");
    private static final Instant SEVEN = Instant.parse("2040-03-01T07:00:00Z");

    @Test
    void membersAreInOrder() {
        assertEquals(
                "{\"id\":1,\"facility_id\":2,\"player_id\":3,\"starts_at\":\"2040-03-01T06:00:00Z\","
                        + "\"ends_at\":\"2040-03-01T07:00:00Z\",\"status\":\"pending\","
                        + "\"price_cents\":1000,\"created_at\":\"2040-03-01T06:00:00Z\","
                        + "\"decided_at\":null}",
                write(new Reservation(1, 2, 3, SIX, SEVEN, "pending", 1000, SIX, null)));
        assertEquals(
                "{\"id\":1,\"club_id\":2,\"name\":\"n\",\"sport\":\"padel\",\"slot_minutes\":60,"
                        + "\"opens\":360,\"closes\":1320,\"price_cents\":0,\"retired\":false,"
                        + "\"created_at\":\"2040-03-01T06:00:00Z\"}",
                write(new Facility(1, 2, "n", "padel", 60, 360, 1320, 0, false, SIX)));
        assertEquals(
                "{\"id\":1,\"email\":\"e\",\"name\":\"n\",\"role\":\"owner\","
                        + "\"created_at\":\"2040-03-01T06:00:00Z\"}",
                write(new Account(1, "e", "n", "owner", SIX)));
        assertEquals(
                "{\"token\":\"t\",\"token_type\":\"Bearer\",\"expires_in\":3600}",
                write(new TokenAnswer("t", "Bearer", 3600)));
    }

    @Test
    void pagesAreObjects() {
        var rating = new Rating(1, 2, 5, "", SIX);
        String shown =
                "{\"reservation_id\":1,\"facility_id\":2,\"stars\":5,\"comment\":\"\","
                        + "\"created_at\":\"2040-03-01T06:00:00Z\"}";
        assertEquals(
                "{\"items\":[" + shown + "],\"next_cursor\":\"MQ\",\"count\":2,\"average\":4.5}",
                write(new RatingListing(List.of(rating), "MQ", 2, 4.5)));
        assertEquals("{\"items\":[],\"next_cursor\":null}", write(new Listing<>(List.of(), null)));
        assertEquals(
                "{\"date\":\"2040-03-01\",\"slots\":[{\"starts_at\":\"2040-03-01T06:00:00Z\","
                        + "\"ends_at\":\"2040-03-01T07:00:00Z\",\"available\":true}]}",
                write(new DayOfSlots("2040-03-01", List.of(new Slot(SIX, SEVEN, true)))));
    }

    @Test
    void nothingElseIsEscaped() {
        String name = "/<&>é漢\uD83D\uDE00\u2028\u007f\"\\";
        assertEquals(
                "{\"id\":1,\"owner_id\":2,\"name\":\"/<&>é漢\uD83D\uDE00\u2028\u007f\\\"\\\\\","
                        + "\"city\":\"\\n\",\"description\":\"\","
                        + "\"created_at\":\"2040-03-01T06:00:00Z\"}",
                write(new Club(1, 2, name, "\n", "", SIX)));
    }

    private static String write(Object value) {
        return new String(new JacksonJson().write(value), StandardCharsets.UTF_8);
    }
}
