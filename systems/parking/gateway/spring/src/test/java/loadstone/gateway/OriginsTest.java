package loadstone.gateway;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.http.HttpHeaders;

class OriginsTest {

    private static final String PARK = "https://park.example";

    private final Origins origins = new Origins(PARK);

    @Test
    void theOriginIsComparedToTheLetter() {
        assertTrue(origins.isAllowed(from(PARK)));
        assertFalse(origins.isAllowed(new HttpHeaders()));
        HttpHeaders two = from(PARK);
        two.add("Origin", PARK);
        assertFalse(origins.isAllowed(two));
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "null", "*", "https://PARK.example", "https://park.example/"})
    void anyOtherIsNot(String origin) {
        assertFalse(origins.isAllowed(from(origin)));
        assertFalse(new Origins(null).isAllowed(from(origin)));
    }

    @Test
    void aPreflightSaysWhatItWants() {
        HttpHeaders fields = from(PARK);
        assertFalse(origins.isPreflight("OPTIONS", fields));
        fields.set("Access-Control-Request-Method", "PUT");
        assertTrue(origins.isPreflight("OPTIONS", fields));
        assertFalse(origins.isPreflight("GET", fields));
    }

    @Test
    void thePageIsToldWhatItMayRead() {
        var answer = new HttpHeaders();
        origins.expose(answer);
        assertEquals(PARK, answer.getFirst("Access-Control-Allow-Origin"));
        assertEquals(
                "location, idempotency-replayed, x-request-id",
                answer.getFirst("Access-Control-Expose-Headers"));
        assertEquals("Origin", answer.getFirst("Vary"));
    }

    private static HttpHeaders from(String origin) {
        var fields = new HttpHeaders();
        fields.set("Origin", origin);
        return fields;
    }
}
