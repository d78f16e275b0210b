package loadstone.gateway;

import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.DeserializationFeature;
import tools.jackson.databind.json.JsonMapper;

/** JSON of tokens and of the registry. */
final class Json {

    private static final JsonMapper MAPPER =
            JsonMapper.builder().enable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS).build();

    /** A text that is not one JSON object with nothing behind it. */
    static final class Malformed extends Exception {
        private static final long serialVersionUID = 1L;

        Malformed(Throwable cause) {
            super("no JSON object", cause);
        }
    }

    private Json() {}

    /** Gives the members of a text in UTF-8: Maps, Lists, Strings, Numbers, Booleans and nulls. */
    static Map<?, ?> object(byte[] text) throws Malformed {
        try {
            // Strict, and without a guess at other encodings, unlike a parser of bytes.
            String characters =
                    StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(text)).toString();
            if (MAPPER.readValue(characters, Object.class) instanceof Map<?, ?> members) {
                return members;
            }
            throw new Malformed(null);
        } catch (CharacterCodingException | JacksonException e) {
            throw new Malformed(e);
        }
    }
}
