package loadstone.conference;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.core.json.JsonWriteFeature;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.List;

/** The bodies of answers, written member by member: a long list needs no objects besides. */
final class AnswerJson {

    /** A little more than an entry has on average. */
    private static final int BYTES_OF_ENTRY = 64;

    private static final JsonFactory FACTORY =
            JsonFactory.builder()
                    .enable(JsonWriteFeature.COMBINE_UNICODE_SURROGATES_IN_UTF8)
                    .build();

    private interface Part<T> {
        void write(T value, JsonGenerator generator) throws IOException;
    }

    private AnswerJson() {}

    static byte[] conference(Conference conference) {
        return write(1, conference, AnswerJson::write);
    }

    static byte[] conferences(List<Conference> conferences) {
        return list(conferences, AnswerJson::write);
    }

    static byte[] conferencesWithCountry(List<ConferenceWithCountry> conferences) {
        return list(
                conferences,
                (conference, generator) -> {
                    generator.writeStartObject();
                    generator.writeStringField("name", conference.name());
                    generator.writeStringField("country", conference.country());
                    generator.writeEndObject();
                });
    }

    private static void write(Conference conference, JsonGenerator generator) throws IOException {
        generator.writeStartObject();
        generator.writeStringField("id", conference.getId());
        generator.writeStringField("name", conference.getName());
        generator.writeEndObject();
    }

    private static <T> byte[] list(List<T> entries, Part<T> part) {
        return write(
                1 + entries.size(),
                entries,
                (all, generator) -> {
                    generator.writeStartArray();
                    for (T entry : all) {
                        part.write(entry, generator);
                    }
                    generator.writeEndArray();
                });
    }

    private static <T> byte[] write(int count, T value, Part<T> part) {
        var bytes = new ByteArrayOutputStream(count * BYTES_OF_ENTRY);
        try (JsonGenerator generator = FACTORY.createGenerator(bytes)) {
            part.write(value, generator);
        } catch (IOException e) {
            throw new UncheckedIOException(e); // there is no file or socket below
        }
        return bytes.toByteArray();
    }
}
