package loadstone.conference;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class RequestBodyTest {

    private static final String JSON = "application/json";
    private static final int UNKNOWN = -1;

    @ParameterizedTest
    @ValueSource(strings = {JSON, "Application/JSON ; charset=latin1"})
    void theBytesAreUtf8OfWhateverParameters(String type) throws IOException {
        assertEquals("é", read("é".getBytes(StandardCharsets.UTF_8), UNKNOWN, type));
    }

    @Test
    void theSizeIsLookedAtBeforeTheType() throws IOException {
        assertRefused(Problem.TOO_LARGE, new byte[0], 16_385, "text/plain");
        assertRefused(Problem.TOO_LARGE, new byte[16_385], UNKNOWN, null);
        assertEquals(16_384, read(new byte[16_384], UNKNOWN, JSON).length());
    }

    @Test
    void theTypeIsLookedAtBeforeTheText() {
        byte[] none = {(byte) 0xBF, 0x27};
        assertRefused(Problem.UNSUPPORTED_MEDIA_TYPE, none, UNKNOWN, null);
        assertRefused(Problem.UNSUPPORTED_MEDIA_TYPE, none, UNKNOWN, "application/jsonx");
        assertRefused(Problem.MALFORMED, none, UNKNOWN, JSON);
    }

    @Test
    void overlongFormsAreNoText() {
        assertRefused(Problem.MALFORMED, new byte[] {(byte) 0xC0, (byte) 0xAF}, UNKNOWN, JSON);
    }

    private static String read(byte[] bytes, long length, String type) throws IOException {
        return RequestBody.read(new ByteArrayInputStream(bytes), length, type);
    }

    private static void assertRefused(Problem problem, byte[] bytes, long length, String type) {
        assertEquals(
                problem, assertThrows(Refusal.class, () -> read(bytes, length, type)).problem());
    }
}
