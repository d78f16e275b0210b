package gateway;

import java.nio.ByteBuffer;
import java.nio.CharBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import tools.jackson.core.JacksonException;
import tools.jackson.core.JsonParser;
import tools.jackson.core.JsonToken;
import tools.jackson.core.ObjectReadContext;
import tools.jackson.core.StreamReadConstraints;
import tools.jackson.core.TokenStreamFactory;
import tools.jackson.core.json.JsonFactory;

/** A JSON value, its members in order and its scalars as the text that they are written with. */
sealed interface Json {

    /** Members may repeat a key here; what that means is up to the reader. */
    record Members(List<Member> list) implements Json {}

    record Member(String key, Json value) {}

    record Entries(List<Json> list) implements Json {}

    /** A string, a number, true or false; null is empty. */
    record Scalar(String text) implements Json {}

    /** Not JSON, or deeper than is read. */
    final class Malformed extends Exception {
        private static final long serialVersionUID = 1L;

        Malformed(Exception cause) {
            super("not JSON", cause);
        }
    }

    /**
     * Reads a whole text in UTF-8. Numbers and names may be as long as the text, which is bounded
     * already; the depth is, since a stack frame stands for each level.
     */
    static Json read(ByteBuffer text) throws Malformed {
        try {
            // Strict, and without a guess at other encodings, unlike a parser of bytes.
            CharBuffer characters = StandardCharsets.UTF_8.newDecoder().decode(text);
            try (JsonParser parser =
                    Reader.FACTORY.createParser(
                            ObjectReadContext.empty(),
                            characters.array(),
                            characters.arrayOffset(),
                            characters.remaining())) {
                Json value = Reader.value(parser, parser.nextToken());
                if (parser.nextToken() != null) {
                    throw new Malformed(null);
                }
                return value;
            }
        } catch (CharacterCodingException | JacksonException e) {
            throw new Malformed(e);
        }
    }

    /** The recursive descent. */
    final class Reader {

        private static final int MOST_LEVELS = 500;

        private static final TokenStreamFactory FACTORY =
                JsonFactory.builder()
                        .streamReadConstraints(
                                StreamReadConstraints.builder()
                                        .maxNestingDepth(MOST_LEVELS)
                                        .maxNumberLength(Integer.MAX_VALUE)
                                        .maxNameLength(Integer.MAX_VALUE)
                                        .build())
                        // Keys come from callers: a table of them for ever is no gain.
                        .disable(TokenStreamFactory.Feature.INTERN_PROPERTY_NAMES)
                        .disable(TokenStreamFactory.Feature.CANONICALIZE_PROPERTY_NAMES)
                        .build();

        private Reader() {}

        private static Json value(JsonParser parser, JsonToken token) throws Malformed {
            if (token == null) {
                throw new Malformed(null);
            }
            return switch (token) {
                case START_OBJECT -> members(parser);
                case START_ARRAY -> entries(parser);
                case VALUE_NULL -> new Scalar("");
                default -> new Scalar(parser.getString());
            };
        }

        private static Json members(JsonParser parser) throws Malformed {
            List<Member> members = new ArrayList<>();
            for (String key; (key = parser.nextName()) != null; ) {
                members.add(new Member(key, value(parser, parser.nextToken())));
            }
            return new Members(members);
        }

        private static Json entries(JsonParser parser) throws Malformed {
            List<Json> entries = new ArrayList<>();
            for (JsonToken token; (token = parser.nextToken()) != JsonToken.END_ARRAY; ) {
                entries.add(value(parser, token));
            }
            return new Entries(entries);
        }
    }
}
