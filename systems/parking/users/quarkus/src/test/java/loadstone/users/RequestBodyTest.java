package loadstone.users;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.math.BigInteger;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** With the stack's own library for JSON, whose leniences would be its. */
class RequestBodyTest {

    private static final String TYPE = "application/json";
    private static final int UNKNOWN = -1;
    private static final Json JSON = new JacksonJson();

    @ParameterizedTest
    @ValueSource(strings = {TYPE, "Application/JSON ; charset=latin1"})
    void theBytesAreUtf8OfWhateverParameters(String type) throws IOException {
        assertEquals("é", read("\"é\"".getBytes(StandardCharsets.UTF_8), UNKNOWN, type));
    }

    @Test
    void theSizeIsLookedAtBeforeTheType() throws IOException {
        assertRefused(Problem.TOO_LARGE, new byte[0], 65_537, "text/plain");
        assertRefused(Problem.TOO_LARGE, new byte[65_537], UNKNOWN, null);
        byte[] most = ("1" + " ".repeat(65_535)).getBytes(StandardCharsets.US_ASCII);
        assertEquals(1, read(most, UNKNOWN, TYPE));
    }

    @Test
    void theTypeIsLookedAtBeforeTheText() {
        byte[] none = {(byte) 0xBF, 0x27};
        assertRefused(Problem.UNSUPPORTED_MEDIA_TYPE, none, UNKNOWN, null);
        assertRefused(Problem.UNSUPPORTED_MEDIA_TYPE, none, UNKNOWN, "application/jsonx");
        assertRefused(Problem.MALFORMED, none, UNKNOWN, TYPE);
    }

    @Test
    void overlongFormsAreNoText() {
        byte[] overlong = {'"', (byte) 0xC0, (byte) 0xAF, '"'};
        assertRefused(Problem.MALFORMED, overlong, UNKNOWN, TYPE);
    }

    @ParameterizedTest
    @ValueSource(strings = {"", " ", "{", "{} {}", "{}x", "{'a':1}", "[1,]", "NaN", "01", "\"\t\""})
    void whatIsNotOneJsonValueIsMalformed(String text) {
        byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
        assertRefused(Problem.MALFORMED, bytes, UNKNOWN, TYPE);
    }

    @Test
    void depthIsBounded() {
        byte[] deep = "[".repeat(7_000).getBytes(StandardCharsets.US_ASCII);
        assertRefused(Problem.MALFORMED, deep, UNKNOWN, TYPE);
    }

    @Test
    void valuesAreThoseOfJava() throws IOException {
        String text = "{\"a\":[1,9223372036854775808,true,null,\"\\u0000\"],\"a b\":{}}";
        assertEquals(
                Map.of(
                        "a",
                        Arrays.asList(1, new BigInteger("9223372036854775808"), true, null, "\0"),
                        "a b",
                        Map.of()),
                read(text.getBytes(StandardCharsets.UTF_8), UNKNOWN, TYPE));
        Object fraction = read("1e400".getBytes(StandardCharsets.UTF_8), UNKNOWN, TYPE);
        assertEquals(
                List.of(false, false, false),
                List.of(
                        fraction instanceof Integer,
                        fraction instanceof Long,
                        fraction instanceof BigInteger));
    }

    private static Object read(byte[] bytes, long length, String type) throws IOException {
        return RequestBody.read(new ByteArrayInputStream(bytes), length, type, JSON);
    }

    private static void assertRefused(Problem problem, byte[] bytes, long length, String type) {
        assertEquals(
                problem, assertThrows(Refusal.class, () -> read(bytes, length, type)).problem());
    }
}
