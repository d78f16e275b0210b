package loadstone.users;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class RouteTest {

    @ParameterizedTest
    @CsvSource({
        "/users, GET, LIST_USERS",
        "/users, POST, CREATE_USER",
        "/users, PUT,",
        "/users/login, POST, LOGIN",
        "/users/login, GET,",
        "/users/top-coins, GET, TOP_COINS",
        "/users/coins, POST, GRANT_COINS",
        "/users/9999999999999999, GET, GET_USER",
        "/users/1, DELETE,",
        "/users/1/status, PUT, SET_STATUS",
        "/users/1/vehicles, GET, VEHICLES",
        "/users/1/vehicles/LA-00012, PUT, PUT_VEHICLE",
        "/users/1/payment-method, GET, PAYMENT_METHOD",
        "/users/1/payment-method, PUT, SET_PAYMENT_METHOD",
        "/users/1/coins, GET, WALLET",
        "/internal/coins/debits, POST, DEBIT",
        "/health, GET, HEALTH",
        "/health, HEAD,",
        "/health, get,",
    })
    void aPathAndAMethodAreAnOperation(String path, String method, Operation operation) {
        assertEquals(operation, Route.of(path).route().operation(method));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "/",
                "/Users",
                "/users/",
                "/users;a=1",
                "/users/0",
                "/users/01",
                "/users/x",
                "/users/+1",
                "/users/1/",
                "/users/1\n",
                "/users/%31",
                "/users/12345678901234567",
                "/users/{id}",
                "/users/{id}/coins",
                "/users/1/Coins",
                "/users/1/login",
                "/users/1/vehicles/",
                "/users/1/vehicles/LA-0001",
                "/users/1/vehicles/la-00012",
                "/users/1/vehicles/{plate}",
                "/users/1/coins/LA-00012",
                "/users/1/LA-00012",
                "/users/login/",
                "/internal/coins",
                "//users",
                "/health/",
            })
    void anyOtherPathIsNone(String path) {
        assertNull(Route.of(path));
    }

    @Test
    void theIdOfAPathIsRead() {
        assertEquals(9_999_999_999_999_999L, Route.of("/users/9999999999999999/coins").userId());
        assertEquals(0, Route.of("/users").userId());
    }

    @Test
    void theMethodsOfAPathAreTold() {
        assertEquals("GET, PUT", Route.PAYMENT_METHOD.allowed());
    }
}
