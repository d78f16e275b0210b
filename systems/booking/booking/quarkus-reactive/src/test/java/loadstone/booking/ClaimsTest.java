package loadstone.booking;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;

import java.time.Instant;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ClaimsTest {

    private static final Instant NOW = Instant.parse("2040-03-01T06:00:00Z");

    @Test
    void aTokenNamesItsCaller() {
        assertEquals(
                new Caller(9_999_999_999_999_999L, Role.OWNER),
                Claims.caller(
                        "booking",
                        Set.of("booking"),
                        "9999999999999999",
                        "owner",
                        NOW.plusNanos(1),
                        NOW));
    }

    @Test
    void itIsOverAtItsEnd() {
        assertNull(Claims.caller("booking", Set.of("booking"), "1", "player", NOW, NOW));
        assertNull(Claims.caller("booking", Set.of("booking"), "1", "player", null, NOW));
    }

    @ParameterizedTest
    @CsvSource({
        "Booking, booking, 1, player",
        ", booking, 1, player",
        "booking, other, 1, player",
        "booking, , 1, player",
        "booking, booking, , player",
        "booking, booking, 0, player",
        "booking, booking, 01, player",
        "booking, booking, 12345678901234567, player",
        "booking, booking, x, player",
        "booking, booking, 1,",
        "booking, booking, 1, admin",
        "booking, booking, 1, PLAYER",
    })
    void anythingElseIsNobodys(String issuer, String audience, String subject, String role) {
        List<String> audiences = audience == null ? null : List.of(audience);
        assertNull(Claims.caller(issuer, audiences, subject, role, NOW.plusSeconds(1), NOW));
    }

    @Test
    void aRoleIsAText() {
        Instant end = NOW.plusSeconds(1);
        assertNull(Claims.caller("booking", List.of("booking"), "1", List.of("player"), end, NOW));
    }
}
