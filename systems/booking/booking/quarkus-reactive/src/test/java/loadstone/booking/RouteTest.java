package loadstone.booking;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class RouteTest {

    @ParameterizedTest
    @CsvSource({
        "/accounts, POST, SIGN_UP",
        "/accounts, GET,",
        "/accounts/me, GET, ME",
        "/auth/login, POST, LOG_IN",
        "/clubs, GET, LIST_CLUBS",
        "/clubs, POST, CREATE_CLUB",
        "/clubs/1, GET, GET_CLUB",
        "/clubs/1, PUT, REPLACE_CLUB",
        "/clubs/1, DELETE,",
        "/clubs/1/facilities, POST, ADD_FACILITY",
        "/facilities, GET, LIST_FACILITIES",
        "/facilities/9999999999999999, GET, GET_FACILITY",
        "/facilities/20, PUT, REPLACE_FACILITY",
        "/facilities/20, DELETE, RETIRE_FACILITY",
        "/facilities/20/slots, GET, LIST_SLOTS",
        "/facilities/20/ratings, GET, LIST_RATINGS",
        "/reservations, POST, RESERVE",
        "/reservations, GET, LIST_RESERVATIONS",
        "/reservations/1, GET, GET_RESERVATION",
        "/reservations/1/accept, POST, ACCEPT",
        "/reservations/1/reject, POST, REJECT",
        "/reservations/1/cancel, POST, CANCEL",
        "/reservations/1/rating, PUT, RATE",
        "/healthz, GET, LIVE",
        "/healthz, HEAD,",
        "/readyz, GET, READY",
        "/readyz, get,",
    })
    void aPathAndAMethodAreAnOperation(String path, String method, Operation operation) {
        assertEquals(operation, Route.of(path).operation(method));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "/",
                "/Clubs",
                "/clubs/",
                "/clubs;a=1",
                "/clubs/0",
                "/clubs/01",
                "/clubs/x",
                "/clubs/+1",
                "/clubs/1/",
                "/clubs/1\n",
                "/clubs/%31",
                "/clubs/12345678901234567",
                "/clubs/{id}",
                "/clubs/{id}/facilities",
                "/clubs/1/slots",
                "/clubs/1/facilities/1",
                "/accounts/1",
                "/facilities/1/Slots",
                "/reservations/1/accept/",
                "/reservations/1/decline",
                "//clubs",
                "/healthz/",
            })
    void anyOtherPathIsNone(String path) {
        assertNull(Route.of(path));
    }

    @Test
    void theMethodsOfAPathAreTold() {
        assertEquals("GET, PUT, DELETE", Route.FACILITY.allowed());
    }
}
