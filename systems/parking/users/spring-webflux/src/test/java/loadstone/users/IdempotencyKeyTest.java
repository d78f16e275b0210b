package loadstone.users;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertDoesNotThrow;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class IdempotencyKeyTest {

    private static final String KEY = "0123456789-ABCxyz";

    @Test
    void aKeyIsOfLettersDigitsAndHyphens() {
        assertEquals(KEY, IdempotencyKey.of(List.of(KEY)));
        assertEquals("a".repeat(64), IdempotencyKey.of(List.of("a".repeat(64))));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "0123456789abcde",
                "0123456789abcdef_",
                "0123456789abcdef\n",
                "0123456789abcdefé",
                "0123456789012345678901234567890123456789012345678901234567890123x"
            })
    void anyOtherTextIsMalformed(String key) {
        assertMalformed(List.of(key));
    }

    @Test
    void exactlyOneIsNeeded() {
        assertMalformed(List.of());
        assertMalformed(List.of(KEY, KEY));
    }

    @Test
    void theDigestIsThatOfTheText() throws NoSuchAlgorithmException {
        byte[] text = "-30|4,5|café".getBytes(StandardCharsets.UTF_8);
        byte[] digest = IdempotencyKey.digest(new Grant(List.of(4L, 5L), -30, "café"));
        assertArrayEquals(MessageDigest.getInstance("SHA-256").digest(text), digest);
    }

    @Test
    void anotherRequestIsRefused() {
        var stored = new StoredAnswer(new byte[] {1}, 201, "{}");
        assertDoesNotThrow(() -> stored.refuseOther(new byte[] {1}));
        Refusal refusal = assertThrows(Refusal.class, () -> stored.refuseOther(new byte[] {2}));
        assertEquals(Problem.IDEMPOTENCY_MISMATCH, refusal.problem());
    }

    private static void assertMalformed(List<String> fields) {
        Refusal refusal = assertThrows(Refusal.class, () -> IdempotencyKey.of(fields));
        assertEquals(Problem.MALFORMED, refusal.problem());
    }
}
