package loadstone.booking;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.time.Instant;
import java.time.LocalDate;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class GridTest {

    /** From 06:30 to 09:30. */
    private static final Facility FACILITY = facility(390, 570, false);

    private static Facility facility(int opens, int closes, boolean retired) {
        return new Facility(1, 1, "n", "padel", 60, opens, closes, 1250, retired, Instant.EPOCH);
    }

    private static ReservationBody body(String time, int slots) {
        return new ReservationBody(1, Instant.parse("2040-03-01T" + time + "Z"), slots);
    }

    @ParameterizedTest
    @CsvSource({"06:30:00, 1", "06:30:00, 3", "07:30:00, 2", "08:30:00, 1"})
    void wholeSlotsAreOnTheGrid(String time, int slots) {
        Grid.check(FACILITY, body(time, slots));
    }

    @ParameterizedTest
    @CsvSource({
        "06:29:59.9, 1, outside-hours",
        "00:00:00, 1, outside-hours",
        "08:30:00, 2, outside-hours",
        "08:30:00.1, 1, outside-hours",
        "09:30:00, 1, outside-hours",
        "09:00:00, 1, outside-hours",
        "07:00:00, 1, not-aligned",
        "07:30:01, 1, not-aligned",
        "07:30:00.1, 1, not-aligned",
    })
    void anyOtherStartIsRefused(String time, int slots, String code) {
        Refusal refusal =
                assertThrows(Refusal.class, () -> Grid.check(FACILITY, body(time, slots)));
        assertEquals(Problem.VALIDATION, refusal.problem());
        assertEquals(List.of(new Fault("/starts_at", code)), refusal.faults());
    }

    @Test
    void endAndPriceGoByTheSlots() {
        assertEquals(
                Instant.parse("2040-03-01T08:30:00Z"), Grid.end(FACILITY, body("06:30:00", 2)));
        assertEquals(2500, Grid.price(FACILITY, body("06:30:00", 2)));
    }

    @Test
    void aSlotWithAReservationInItIsNotAvailable() {
        var taken = new Span(instant("06:00:00"), instant("07:30:00"));
        var late = new Span(instant("09:29:00"), instant("09:31:00"));
        assertEquals(
                new DayOfSlots(
                        "2040-03-01",
                        List.of(
                                new Slot(instant("06:30:00"), instant("07:30:00"), false),
                                new Slot(instant("07:30:00"), instant("08:30:00"), true),
                                new Slot(instant("08:30:00"), instant("09:30:00"), false))),
                Grid.show(FACILITY, LocalDate.of(2040, 3, 1), List.of(taken, late)));
    }

    @Test
    void nothingOfARetiredFacilityIsAvailable() {
        DayOfSlots day = Grid.show(facility(0, 1440, true), LocalDate.of(2040, 3, 1), List.of());
        assertEquals(24, day.slots().size());
        assertEquals(List.of(), day.slots().stream().filter(Slot::available).toList());
        assertEquals(Instant.parse("2040-03-02T00:00:00Z"), day.slots().get(23).endsAt());
    }

    private static Instant instant(String time) {
        return Instant.parse("2040-03-01T" + time + "Z");
    }
}
