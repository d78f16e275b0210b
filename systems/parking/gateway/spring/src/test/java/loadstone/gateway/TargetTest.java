package loadstone.gateway;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class TargetTest {

    @ParameterizedTest
    @ValueSource(
            strings = {
                "/users/..",
                "/users/../internal",
                "/./users",
                "/users/%2e%2E/internal",
                "/users/.%2e",
                "/users/%2E",
                "/users/..%2finternal",
                "/users%5C..\\internal",
                "/users/a%2f../b?c",
            })
    void aSegmentOfDotsIsFound(String text) {
        assertTrue(Target.of(text).hasDots());
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"/users/...", "/users/a..b", "/users/.a", "/users/%2e%2e%2e", "/users?/../"})
    void otherDotsAreNone(String text) {
        assertFalse(Target.of(text).hasDots());
    }

    @ParameterizedTest
    @ValueSource(strings = {"/users", "/users/", "/users/1", "/users?a=b", "/users//1"})
    void theFirstSegmentIsTheRoute(String text) {
        assertTrue(Target.of(text).isRouted());
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "/usersx",
                "/Users",
                "//users",
                "/%75sers",
                "/users;a",
                "/users%2f1",
                "/users#a",
                "/internal/coins/debits",
                "*",
                "http://a/users",
                "",
            })
    void anyOtherIsNone(String text) {
        assertFalse(Target.of(text).isRouted());
    }

    @Test
    void twoRequestsAreOpen() {
        assertTrue(Target.of("/users").isOpen("POST"));
        assertTrue(Target.of("/users/login?a").isOpen("POST"));
        assertFalse(Target.of("/users").isOpen("GET"));
        assertFalse(Target.of("/users/").isOpen("POST"));
        assertFalse(Target.of("/users/login/").isOpen("POST"));
    }

    @Test
    void thePathIsWithoutTheQuery() {
        assertEquals(new Target("/users?a=/?", "/users"), Target.of("/users?a=/?"));
    }
}
