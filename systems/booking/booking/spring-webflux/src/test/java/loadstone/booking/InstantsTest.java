package loadstone.booking;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.Instant;
import java.time.LocalDate;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class InstantsTest {

    @ParameterizedTest
    @CsvSource({
        "2040-03-01T06:00:00Z, 2040-03-01T06:00:00Z",
        "2040-03-01T06:00:00+02:00, 2040-03-01T04:00:00Z",
        "2040-03-01T06:00:00-00:30, 2040-03-01T06:30:00Z",
        "2040-03-01T06:00:00+23:59, 2040-02-29T06:01:00Z",
        "2040-02-29T00:00:00.5Z, 2040-02-29T00:00:00.5Z",
        "2040-03-01T06:00:00.000000000000Z, 2040-03-01T06:00:00Z",
        "2040-03-01T06:00:00.0000000001Z, 2040-03-01T06:00:00.000000001Z",
    })
    void anyOffsetIsRead(String text, Instant instant) {
        assertEquals(instant, Instants.parse(text));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "2040-03-01",
                "2040-03-01T06:00:00",
                "2040-03-01 06:00:00Z",
                "2040-03-01t06:00:00Z",
                "2040-03-01T06:00:00z",
                "2040-03-01T06:00Z",
                "2040-03-01T06:00:00.Z",
                "2040-03-01T24:00:00Z",
                "2040-03-01T06:60:00Z",
                "2040-03-01T06:00:60Z",
                "2040-02-30T06:00:00Z",
                "2039-02-29T06:00:00Z",
                "2040-13-01T06:00:00Z",
                "2040-00-01T06:00:00Z",
                "2040-03-01T06:00:00+24:00",
                "2040-03-01T06:00:00+02:60",
                "2040-03-01T06:00:00+0200",
                "2040-03-01T06:00:00Z\n",
                "+2040-03-01T06:00:00Z",
                "٢٠٤٠-03-01T06:00:00Z",
            })
    void anyOtherTextIsNone(String text) {
        assertNull(Instants.parse(text));
    }

    @Test
    void anInstantIsShownInTwentyCharacters() {
        assertEquals(
                "2040-03-01T06:00:00Z",
                Instants.show(Instant.parse("2040-03-01T06:00:00.999999999Z")));
    }

    @Test
    void daysAreThoseOfTheCalendar() {
        assertEquals(LocalDate.of(2040, 2, 29), Instants.parseDay("2040-02-29"));
        assertNull(Instants.parseDay("2040-02-30"));
        assertNull(Instants.parseDay("2040-2-29"));
    }

    @Test
    void theDayIsThatOfUtc() {
        Instant last = Instant.parse("2099-12-31T23:59:59Z");
        assertEquals(LocalDate.of(2099, 12, 31), Instants.day(last));
        assertEquals(86_399, Instants.secondOfDay(last));
        assertEquals(86_399, Instants.secondOfDay(Instant.parse("1969-12-31T23:59:59Z")));
        assertTrue(Instants.isInYears(Instants.day(last)));
        assertFalse(Instants.isInYears(Instants.day(last.plusSeconds(1))));
        assertFalse(Instants.isInYears(LocalDate.of(2019, 12, 31)));
    }
}
