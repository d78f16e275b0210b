package loadstone.users;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.StreamReadConstraints;
import com.fasterxml.jackson.core.json.JsonWriteFeature;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.json.JsonMapper;

/** JSON by the mapper that Quarkus writes answers with. */
final class JacksonJson implements Json {

    private final ObjectMapper mapper =
            JsonMapper.builder(
                            JsonFactory.builder()
                                    // Numbers and names may be as long as the text, which is
                                    // bounded already.
                                    .streamReadConstraints(
                                            StreamReadConstraints.builder()
                                                    .maxNumberLength(Integer.MAX_VALUE)
                                                    .maxNameLength(Integer.MAX_VALUE)
                                                    .build())
                                    // Names come from callers: a table of them for ever is no gain.
                                    .disable(JsonFactory.Feature.INTERN_FIELD_NAMES)
                                    .disable(JsonFactory.Feature.CANONICALIZE_FIELD_NAMES)
                                    // Characters beyond U+FFFF are not escaped.
                                    .enable(JsonWriteFeature.COMBINE_UNICODE_SURROGATES_IN_UTF8)
                                    .build())
                    .enable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS)
                    .build();

    /** What Quarkus writes answers with. */
    ObjectMapper mapper() {
        return mapper;
    }

    @Override
    public Object read(String text) throws Malformed {
        try {
            return mapper.readValue(text, Object.class);
        } catch (JsonProcessingException e) {
            throw new Malformed(e);
        }
    }

    @Override
    public byte[] write(Object value) {
        try {
            return mapper.writeValueAsBytes(value);
        } catch (JsonProcessingException e) {
            throw new IllegalStateException("an answer is no JSON", e);
        }
    }
}
