package loadstone.booking;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ConfigTest {

    private static final String SECRET = "0123456789abcdef0123456789abcdef";

    private static final Map<String, String> LEAST =
            Map.of(
                    "PORT", "9090",
                    "DATABASE_URL", "postgres://dbuser:dbpwd123@127.0.0.1:5432/booking",
                    "JWT_SECRET", SECRET);

    @Test
    void threeVariablesAreEnough() {
        var config = Config.read(LEAST);
        assertEquals(9090, config.port());
        assertEquals(
                new Config.DatabaseAddress("127.0.0.1", 5432, "booking", "dbuser", "dbpwd123"),
                config.database());
        assertEquals(SECRET, config.tokenSecret());
        assertEquals(10, config.poolSize());
        assertEquals(Duration.ofSeconds(1), config.poolWait());
        assertEquals(Duration.ofHours(1), config.tokenLife());
        assertEquals(10, config.passwordCost());
        assertEquals("warn", config.logLevel());
    }

    @Test
    void eachVariableIsRead() {
        var environment = new HashMap<>(LEAST);
        environment.putAll(
                Map.of(
                        "POOL_SIZE", "1000",
                        "POOL_WAIT_MS", "60000",
                        "JWT_TTL", "86400",
                        "PASSWORD_COST", "4",
                        "CLIENT_PROTOCOL", "h1c",
                        "LOG_LEVEL", "debug"));
        var config = Config.read(environment);
        assertEquals(1000, config.poolSize());
        assertEquals(Duration.ofMinutes(1), config.poolWait());
        assertEquals(Duration.ofDays(1), config.tokenLife());
        assertEquals(4, config.passwordCost());
        assertEquals("debug", config.logLevel());
    }

    @ParameterizedTest
    @CsvSource({
        "PORT, ''",
        "PORT, 65536",
        "PORT, +1",
        "POOL_SIZE, ''",
        "POOL_SIZE, 0",
        "POOL_SIZE, 1001",
        "POOL_WAIT_MS, 0",
        "POOL_WAIT_MS, 60001",
        "JWT_TTL, 0",
        "JWT_TTL, 86401",
        "PASSWORD_COST, 3",
        "PASSWORD_COST, 15",
        "PASSWORD_COST, 1e1",
        "CLIENT_PROTOCOL, h2c",
        "CLIENT_PROTOCOL, ''",
        "LOG_LEVEL, trace",
    })
    void aWrongVariableIsNamedWithItsValue(String name, String value) {
        String message = messageOf(name, value);
        assertTrue(message.startsWith(name + " must be "), message);
        assertTrue(message.endsWith(", not \"" + value + "\""), message);
    }

    @ParameterizedTest
    @CsvSource({
        "DATABASE_URL, ''",
        "DATABASE_URL, mysql://dbuser:secret@127.0.0.1:5432/booking",
        "DATABASE_URL, postgres://secret@127.0.0.1:5432/booking",
        "DATABASE_URL, postgres://dbuser:secret@127.0.0.1:65536/booking",
        "DATABASE_URL, postgres://dbuser:secret@127.0.0.1:5432/",
        "DATABASE_URL, postgres://dbuser:secret@127.0.0.1:5432/booking?a=b",
        "JWT_SECRET, ''",
        "JWT_SECRET, secret6789abcdef0123456789abcde",
        "JWT_SECRET, secret 789abcdef0123456789abcdef",
    })
    void whatIsSecretIsNotShown(String name, String value) {
        String message = messageOf(name, value);
        assertTrue(message.startsWith(name + " must be "), message);
        assertFalse(message.contains("secret"), message);
    }

    @Test
    void aSecretHasAtMost256Characters() {
        var environment = new HashMap<>(LEAST);
        environment.put("JWT_SECRET", "~".repeat(256));
        assertEquals("~".repeat(256), Config.read(environment).tokenSecret());
        assertFalse(messageOf("JWT_SECRET", "~".repeat(257)).contains("~"));
    }

    private static String messageOf(String name, String value) {
        var environment = new HashMap<>(LEAST);
        environment.put(name, value);
        return assertThrows(IllegalArgumentException.class, () -> Config.read(environment))
                .getMessage();
    }
}
