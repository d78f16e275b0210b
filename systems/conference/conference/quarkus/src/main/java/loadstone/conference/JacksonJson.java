package loadstone.conference;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.core.StreamReadConstraints;
import com.fasterxml.jackson.core.json.JsonWriteFeature;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** JSON that is read and written beside what the framework writes: values, not objects of types. */
final class JacksonJson implements Json {

    private final JsonFactory factory =
            JsonFactory.builder()
                    // Numbers and names may be as long as the text, which is bounded already.
                    .streamReadConstraints(
                            StreamReadConstraints.builder()
                                    .maxNumberLength(Integer.MAX_VALUE)
                                    .maxNameLength(Integer.MAX_VALUE)
                                    .build())
                    .enable(JsonWriteFeature.COMBINE_UNICODE_SURROGATES_IN_UTF8)
                    // Names come from callers: a table of them for ever is no gain.
                    .disable(JsonFactory.Feature.INTERN_FIELD_NAMES)
                    .disable(JsonFactory.Feature.CANONICALIZE_FIELD_NAMES)
                    .build();

    @Override
    public Object read(String text) throws Malformed {
        try (JsonParser parser = factory.createParser(text)) {
            JsonToken first = parser.nextToken();
            if (first == null) {
                throw new Malformed(null);
            }
            Object value = value(parser, first);
            if (parser.nextToken() != null) {
                throw new Malformed(null);
            }
            return value;
        } catch (IOException e) {
            throw new Malformed(e);
        }
    }

    @Override
    public byte[] write(Object value) {
        var bytes = new ByteArrayOutputStream();
        try (JsonGenerator generator = factory.createGenerator(bytes)) {
            write(value, generator);
        } catch (IOException e) {
            throw new UncheckedIOException(e); // there is no file or socket below
        }
        return bytes.toByteArray();
    }

    private static Object value(JsonParser parser, JsonToken token) throws IOException {
        return switch (token) {
            case START_OBJECT -> members(parser);
            case START_ARRAY -> entries(parser);
            case VALUE_STRING -> parser.getText();
            case VALUE_TRUE, VALUE_FALSE -> parser.getBooleanValue();
            case VALUE_NULL -> null;
            default -> parser.getNumberValue();
        };
    }

    private static Map<String, Object> members(JsonParser parser) throws IOException {
        Map<String, Object> members = new HashMap<>();
        for (String name; (name = parser.nextFieldName()) != null; ) {
            members.put(name, value(parser, parser.nextToken()));
        }
        return members;
    }

    private static List<Object> entries(JsonParser parser) throws IOException {
        List<Object> entries = new ArrayList<>();
        for (JsonToken token; (token = parser.nextToken()) != JsonToken.END_ARRAY; ) {
            entries.add(value(parser, token));
        }
        return entries;
    }

    private static void write(Object value, JsonGenerator generator) throws IOException {
        if (value instanceof Map<?, ?> members) {
            generator.writeStartObject();
            for (Map.Entry<?, ?> member : members.entrySet()) {
                generator.writeFieldName((String) member.getKey());
                write(member.getValue(), generator);
            }
            generator.writeEndObject();
        } else if (value instanceof List<?> entries) {
            generator.writeStartArray();
            for (Object entry : entries) {
                write(entry, generator);
            }
            generator.writeEndArray();
        } else {
            generator.writeObject(value);
        }
    }
}
