package loadstone.booking;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.math.BigInteger;
import java.time.Instant;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.function.Executable;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class ValidationTest {

    private static final String BEYOND = "\uD83D\uDE00";
    private static final Instant NOW = Instant.parse("2030-01-01T00:00:00Z");

    private static final Map<String, Object> ACCOUNT =
            Map.of("email", "A.b%c@X.example", "name", "n", "password", "12345678");
    private static final Map<String, Object> CLUB = Map.of("name", "n", "city", "c");
    private static final Map<String, Object> FACILITY =
            Map.of(
                    "name", "n",
                    "sport", "padel",
                    "slot_minutes", 60,
                    "opens", 360,
                    "closes", 1320,
                    "price_cents", 0);
    private static final Map<String, Object> RESERVATION =
            Map.of("facility_id", 1, "starts_at", "2040-03-01T06:00:00Z");
    private static final Map<String, Object> RATING = Map.of("stars", 5);

    @Test
    void bodiesAreTakenAsTheyAre() {
        assertEquals(
                new AccountBody("a.b%c@x.example", "n", "12345678", "player"),
                Validation.account(ACCOUNT));
        assertEquals(new ClubBody("n", "c", ""), Validation.club(CLUB));
        assertEquals(
                new FacilityBody("n", "padel", 60, 360, 1320, 0), Validation.facility(FACILITY));
        assertEquals(
                new ReservationBody(1, Instant.parse("2040-03-01T06:00:00Z"), 1),
                Validation.reservation(RESERVATION, NOW));
        assertEquals(new RatingBody(5, ""), Validation.rating(RATING));
    }

    @Test
    void membersThatAreNotNamedAreIgnored() {
        assertEquals(
                new ClubBody("  ", "é", "d"),
                Validation.club(
                        Map.of("name", "  ", "city", "é", "description", "d", "id", List.of())));
    }

    @Test
    void nullIsAsMissingWhereThereIsADefault() {
        assertEquals("player", Validation.account(with(ACCOUNT, "role", null)).role());
        assertEquals("", Validation.club(with(CLUB, "description", null)).description());
        assertEquals(1, Validation.reservation(with(RESERVATION, "slots", null), NOW).slots());
        assertEquals("", Validation.rating(with(RATING, "comment", null)).comment());
    }

    static Stream<List<Object>> faults() {
        Function<Object, Object> account = Validation::account;
        Function<Object, Object> club = Validation::club;
        Function<Object, Object> facility = Validation::facility;
        Function<Object, Object> reservation = body -> Validation.reservation(body, NOW);
        Function<Object, Object> rating = Validation::rating;
        return Stream.of(
                Arrays.asList(account, ACCOUNT, "email", null, "required"),
                List.of(account, ACCOUNT, "email", 1, "type"),
                List.of(account, ACCOUNT, "email", "a@b.c", "too-short"),
                List.of(account, ACCOUNT, "email", "a@b@c.example", "format"),
                List.of(account, ACCOUNT, "email", "\u212A@b.example", "format"),
                List.of(account, ACCOUNT, "email", "a@b.example\n", "format"),
                List.of(account, ACCOUNT, "email", "a".repeat(65) + "@b.example", "format"),
                List.of(account, ACCOUNT, "password", "1234567", "too-short"),
                List.of(account, ACCOUNT, "password", "é".repeat(37), "too-long"),
                List.of(account, ACCOUNT, "password", "1234567\0", "format"),
                List.of(account, ACCOUNT, "role", "admin", "unknown-value"),
                List.of(account, ACCOUNT, "role", 1, "type"),
                List.of(club, CLUB, "name", "", "too-short"),
                List.of(club, CLUB, "name", BEYOND.repeat(101), "too-long"),
                List.of(club, CLUB, "name", "a\0", "format"),
                List.of(club, CLUB, "name", "\uD83D", "format"),
                List.of(club, CLUB, "city", List.of(), "type"),
                List.of(club, CLUB, "description", "a".repeat(1001), "too-long"),
                List.of(facility, FACILITY, "sport", "chess", "unknown-value"),
                List.of(facility, FACILITY, "slot_minutes", 45, "unknown-value"),
                List.of(facility, FACILITY, "slot_minutes", "60", "type"),
                List.of(facility, FACILITY, "opens", -1, "range"),
                List.of(facility, FACILITY, "closes", 1441, "range"),
                List.of(facility, FACILITY, "closes", 360, "range"),
                List.of(facility, FACILITY, "closes", 300, "range"),
                List.of(facility, FACILITY, "closes", 400, "not-aligned"),
                List.of(facility, FACILITY, "price_cents", 1_000_001, "range"),
                List.of(facility, FACILITY, "price_cents", 1.5, "type"),
                List.of(facility, FACILITY, "price_cents", true, "type"),
                List.of(reservation, RESERVATION, "facility_id", 0, "range"),
                List.of(
                        reservation,
                        RESERVATION,
                        "facility_id",
                        new BigInteger("9223372036854775808"),
                        "range"),
                List.of(reservation, RESERVATION, "starts_at", 1, "type"),
                List.of(reservation, RESERVATION, "starts_at", "2040-02-30T06:00:00Z", "format"),
                List.of(reservation, RESERVATION, "starts_at", "2100-01-01T00:00:00Z", "range"),
                List.of(
                        reservation,
                        RESERVATION,
                        "starts_at",
                        "2020-01-01T00:00:00+00:01",
                        "range"),
                List.of(reservation, RESERVATION, "starts_at", "2030-01-01T00:00:00Z", "in-past"),
                List.of(reservation, RESERVATION, "slots", 0, "range"),
                List.of(reservation, RESERVATION, "slots", 5L, "range"),
                List.of(reservation, RESERVATION, "slots", Double.POSITIVE_INFINITY, "type"),
                List.of(rating, RATING, "stars", 6, "range"),
                List.of(rating, RATING, "comment", "a".repeat(501), "too-long"));
    }

    @ParameterizedTest
    @MethodSource("faults")
    void theFirstFaultOfAMemberIsTold(List<Object> fault) {
        @SuppressWarnings("unchecked")
        var validation = (Function<Object, Object>) fault.get(0);
        @SuppressWarnings("unchecked")
        var members = (Map<String, Object>) fault.get(1);
        String name = (String) fault.get(2);
        assertFaults(
                List.of(new Fault("/" + name, (String) fault.get(4))),
                () -> validation.apply(with(members, name, fault.get(3))));
    }

    @Test
    void eachMemberHasItsFaultInOrder() {
        assertFaults(
                List.of(
                        new Fault("/name", "required"),
                        new Fault("/sport", "required"),
                        new Fault("/slot_minutes", "required"),
                        new Fault("/opens", "required"),
                        new Fault("/closes", "required"),
                        new Fault("/price_cents", "required")),
                () -> Validation.facility(Map.of()));
        assertFaults(
                List.of(new Fault("/closes", "range"), new Fault("/price_cents", "range")),
                () -> Validation.facility(with(with(FACILITY, "closes", 0), "price_cents", -1)));
        assertFaults(
                List.of(new Fault("/opens", "range"), new Fault("/closes", "type")),
                () -> Validation.facility(with(with(FACILITY, "opens", 2000), "closes", "1")));
    }

    @Test
    void whatIsNoObjectHasOneFault() {
        for (Object value : Arrays.asList(List.of(), "text", 1, null)) {
            assertFaults(List.of(new Fault("", "type")), () -> Validation.club(value));
        }
    }

    @Test
    void limitsAreInThem() {
        Validation.account(with(ACCOUNT, "email", "a".repeat(64) + "@" + "b".repeat(189)));
        Validation.account(with(ACCOUNT, "password", "é".repeat(36)));
        Validation.club(with(CLUB, "name", BEYOND.repeat(100)));
        Validation.reservation(with(RESERVATION, "starts_at", "2099-12-31T23:59:59.5Z"), NOW);
        Validation.facility(with(with(FACILITY, "opens", 0), "closes", 1440));
    }

    @Test
    void aLogInMayBeOfNobody() {
        assertTrue(logIn("OWNER-1@booking.example", "court-side-2040").mayFit());
        assertEquals("owner-1@x.org", logIn("OWNER-1@x.org", "").email());
        assertFalse(logIn("nobody", "court-side-2040").mayFit());
        assertFalse(logIn("owner-1@booking.example", "é".repeat(37)).mayFit());
        assertFaults(
                List.of(new Fault("/email", "type"), new Fault("/password", "required")),
                () -> Validation.logIn(Map.of("email", 1)));
    }

    private static LogInBody logIn(String email, String password) {
        return Validation.logIn(Map.of("email", email, "password", password));
    }

    private static Map<String, Object> with(
            Map<String, Object> members, String name, Object value) {
        var changed = new HashMap<>(members);
        changed.put(name, value);
        return changed;
    }

    private static void assertFaults(List<Fault> faults, Executable validation) {
        Refusal refusal = assertThrows(Refusal.class, validation);
        assertEquals(Problem.VALIDATION, refusal.problem());
        assertEquals(faults, refusal.faults());
    }
}
