package loadstone.users;

import tools.jackson.core.JacksonException;
import tools.jackson.core.StreamReadConstraints;
import tools.jackson.core.TokenStreamFactory;
import tools.jackson.core.json.JsonFactory;
import tools.jackson.databind.DeserializationFeature;
import tools.jackson.databind.json.JsonMapper;

/** JSON that is read and written beside what Spring's own converter writes, by the same mapper. */
final class JacksonJson implements Json {

    private final JsonMapper mapper =
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
                                    .disable(TokenStreamFactory.Feature.INTERN_PROPERTY_NAMES)
                                    .disable(TokenStreamFactory.Feature.CANONICALIZE_PROPERTY_NAMES)
                                    .build())
                    .enable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS)
                    .build();

    /** What Spring writes answers with. */
    JsonMapper mapper() {
        return mapper;
    }

    @Override
    public Object read(String text) throws Malformed {
        try {
            return mapper.readValue(text, Object.class);
        } catch (JacksonException e) {
            throw new Malformed(e);
        }
    }

    @Override
    public byte[] write(Object value) {
        return mapper.writeValueAsBytes(value);
    }
}
