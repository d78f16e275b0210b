package loadstone.users;

import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;

/** What holds of every body of a request, in the order in which faults are answered. */
final class RequestBody {

    static final int MOST_BYTES = 65_536;

    private static final String MEDIA_TYPE = "application/json";

    private RequestBody() {}

    /**
     * Reads a whole body, as a JSON value. The length is negative where the caller did not tell it,
     * the type null likewise. Throws a Refusal.
     */
    static Object read(InputStream stream, long length, String contentType, Json json)
            throws IOException {
        if (length > MOST_BYTES) {
            throw new Refusal(Problem.TOO_LARGE);
        }
        return value(stream.readNBytes(MOST_BYTES + 1), contentType, json);
    }

    /** Reads a body that came up to one byte more than it may have. Throws a Refusal. */
    static Object value(byte[] bytes, String contentType, Json json) {
        if (bytes.length > MOST_BYTES) {
            throw new Refusal(Problem.TOO_LARGE);
        }
        if (!isJson(contentType)) {
            throw new Refusal(Problem.UNSUPPORTED_MEDIA_TYPE);
        }
        try {
            return json.read(decode(bytes));
        } catch (CharacterCodingException | Json.Malformed e) {
            throw new Refusal(Problem.MALFORMED);
        }
    }

    /** Strict, and without a guess at other encodings, unlike parsers of JSON in bytes. */
    private static String decode(byte[] bytes) throws CharacterCodingException {
        return StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(bytes)).toString();
    }

    private static boolean isJson(String contentType) {
        if (contentType == null) {
            return false;
        }
        int end = contentType.indexOf(';');
        String type = end < 0 ? contentType : contentType.substring(0, end);
        return type.strip().equalsIgnoreCase(MEDIA_TYPE);
    }
}
