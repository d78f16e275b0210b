package loadstone.booking;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.HexFormat;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class IdempotencyKeyTest {

    private static final Json JSON = new JacksonJson();

    private static final ReservationBody BODY =
            new ReservationBody(7, Instant.parse("2040-03-01T06:00:00Z"), 2);

    @Test
    void aKeyIsVisibleAscii() {
        assertNull(IdempotencyKey.of(null));
        assertEquals("!~".repeat(32), IdempotencyKey.of("!~".repeat(32)));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "a b",
                "é",
                "a\t",
                "0123456789012345678901234567890123456789012345678901234567890123x"
            })
    void anyOtherTextIsMalformed(String key) {
        Refusal refusal = assertThrows(Refusal.class, () -> IdempotencyKey.of(key));
        assertEquals(Problem.MALFORMED, refusal.problem());
    }

    /** By `printf '7|2040-03-01T06:00:00Z|2' | sha256sum`. */
    @Test
    void theFingerprintIsThatOfTheText() {
        assertEquals(
                "985ff99750a61290d30d10f8b458505ba72f4ed6da0949c04dcfbab8cc34a32f",
                HexFormat.of().formatHex(IdempotencyKey.fingerprint(BODY)));
    }

    @Test
    void theSameRequestIsReplayed() {
        byte[] own = IdempotencyKey.fingerprint(BODY);
        var stored = new StoredReservation(own.clone(), "{\"id\":12,\"status\":\"pending\"}");
        Reserved reserved = stored.replay(own, JSON);
        assertEquals(new Reserved(12, "{\"id\":12,\"status\":\"pending\"}", true), reserved);
        assertEquals("/reservations/12", reserved.location());
    }

    @Test
    void anotherRequestIsRefused() {
        var stored = new StoredReservation(new byte[] {1}, "{}");
        byte[] own = "own".getBytes(StandardCharsets.US_ASCII);
        Refusal refusal = assertThrows(Refusal.class, () -> stored.replay(own, JSON));
        assertEquals(Problem.IDEMPOTENCY_MISMATCH, refusal.problem());
    }
}
