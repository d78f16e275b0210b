package loadstone.conference;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class RouteTest {

    @ParameterizedTest
    @CsvSource({
        "/conferences, POST, INSERT",
        "/conferences, GET, LIST",
        "/conferenceswithcountry, GET, WITH_COUNTRY",
        "/conferences/CONF-2022-001, PUT, REPLACE",
        "/conferences/a.b_c~d, DELETE, REMOVE",
        "/healthz, GET, LIVE",
        "/readyz, GET, READY",
        "/readyz, POST,",
        "/conferences, HEAD,",
        "/conferences, get,",
    })
    void aPathAndAMethodAreAnOperation(String path, String method, Operation operation) {
        assertEquals(operation, Route.of(path).operation(method));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "/",
                "/Conferences",
                "/conferences/",
                "/conferences;a=1",
                "/conferences/a%20b",
                "/conferences/%41",
                "/conferences/-a",
                "/conferences/a/b",
                "/conferences/a\n",
                "/healthz/",
            })
    void anyOtherPathIsNone(String path) {
        assertNull(Route.of(path));
    }

    @Test
    void anIdHasAtMost64Characters() {
        assertEquals(Route.CONFERENCE, Route.of("/conferences/" + "a".repeat(64)));
        assertNull(Route.of("/conferences/" + "a".repeat(65)));
    }

    @Test
    void theMethodsOfAPathAreTold() {
        assertEquals("GET, PUT, DELETE", Route.CONFERENCE.allowed());
    }
}
