package loadstone.booking;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.time.Instant;
import java.time.LocalDate;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.function.Executable;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class QueryTest {

    private static final Caller OWNER = new Caller(7, Role.OWNER);

    @Test
    void escapesAreDecoded() {
        assertEquals("a é+", Query.of("x=1&city=a+%c3%A9%2B&y").text("city"));
        assertEquals("", Query.of("city&y=").text("city"));
        assertEquals("b=c", Query.of("city=b=c").text("city"));
        assertNull(Query.of(null).text("city"));
        assertNull(Query.of("").text("city"));
        assertEquals("a", Query.of("%zz=b&%63ity=a").text("city"));
    }

    @ParameterizedTest
    @ValueSource(strings = {"%", "%4", "%zz", "%BF%27", "%C0%AF", "é"})
    void whatIsNoTextIsMalformed(String value) {
        assertMalformed(() -> Query.of("city=" + value).text("city"));
        assertNull(Query.of("other=" + value).text("city"));
    }

    @Test
    void aTextIsCountedInCodePoints() {
        String beyond = "%F0%9F%98%80";
        assertEquals("\uD83D\uDE00".repeat(50), Query.of("q=" + beyond.repeat(50)).text("q", 50));
        assertMalformed(() -> Query.of("q=" + beyond.repeat(51)).text("q", 50));
        assertMalformed(() -> Query.of("q=").text("q", 50));
        assertMalformed(() -> Query.of("q=a%00").text("q", 50));
    }

    @Test
    void clubsAreFiltered() {
        assertEquals(
                new ClubFilter(7L, "Norvale", "%50\\% \\_\\\\%"),
                ClubFilter.of(Query.of("mine=true&city=Norvale&q=50%25+_%5C"), OWNER));
        assertEquals(
                new ClubFilter(null, null, null), ClubFilter.of(Query.of("mine=false"), OWNER));
        assertMalformed(() -> ClubFilter.of(Query.of("mine=TRUE"), OWNER));
        assertMalformed(() -> ClubFilter.of(Query.of("mine"), OWNER));
    }

    @Test
    void facilitiesAreFiltered() {
        FacilityFilter filter =
                FacilityFilter.of(
                        Query.of(
                                "available=true&at=2040-03-10T12:30:00%2B02:00&sport=padel&club_id=3"));
        assertEquals("padel", filter.sport());
        assertEquals(3L, filter.clubId());
        assertEquals(Instant.parse("2040-03-10T10:30:00Z"), filter.start());
        assertEquals(630, filter.minute());
        assertNull(FacilityFilter.of(Query.of("at=2040-03-10T12:30:00Z")).freeAt());
        for (String wrong :
                List.of(
                        "available=true",
                        "available=1",
                        "at=now",
                        "sport=chess",
                        "club_id=0",
                        "city=")) {
            assertMalformed(() -> FacilityFilter.of(Query.of(wrong)));
        }
    }

    @Test
    void noSlotBeginsWithinAMinute() {
        assertEquals(-1, minute("2040-03-10T10:00:01Z"));
        assertEquals(-1, minute("2040-03-10T10:00:00.001Z"));
        assertEquals(0, minute("2040-03-10T00:00:00Z"));
    }

    private static int minute(String at) {
        return FacilityFilter.of(Query.of("available=true&at=" + at)).minute();
    }

    @Test
    void noDriverIsAskedForAYearThatItMayNotHave() {
        var first = FacilityFilter.of(Query.of("available=true&at=0000-01-01T00:00:00Z"));
        assertEquals(Instant.parse("2000-01-01T00:00:00Z"), first.start());
        var last = FacilityFilter.of(Query.of("available=true&at=9999-12-31T23:00:00-23:00"));
        assertEquals(Instant.parse("2200-01-01T00:00:00Z"), last.start());
    }

    @Test
    void reservationsAreFiltered() {
        assertEquals(
                new ReservationFilter(5L, "cancelled"),
                ReservationFilter.of(Query.of("facility_id=5&status=cancelled")));
        assertMalformed(() -> ReservationFilter.of(Query.of("facility_id=x")));
        assertMalformed(() -> ReservationFilter.of(Query.of("status=gone")));
    }

    @Test
    void aDayIsOfTheYearsOfReservations() {
        assertEquals(LocalDate.of(2040, 3, 1), Query.of("date=2040-03-01").day("date"));
        assertMalformed(() -> Query.of("date=2019-12-31").day("date"));
        assertMalformed(() -> Query.of("date=2040-02-30").day("date"));
    }

    private static void assertMalformed(Executable read) {
        assertEquals(Problem.MALFORMED, assertThrows(Refusal.class, read).problem());
    }
}
