package loadstone.conference;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.net.URI;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ConfigTest {

    private static final Map<String, String> LEAST =
            Map.of(
                    "PORT", "9090",
                    "DATABASE_URL", "mysql://dbuser:dbpwd123@127.0.0.1:3306/conferencedb",
                    "COUNTRY_URL", "http://127.0.0.1:9000");

    @Test
    void threeVariablesAreEnough() {
        var config = Config.read(LEAST);
        assertEquals(9090, config.port());
        assertEquals(
                new Config.DatabaseAddress("127.0.0.1", 3306, "conferencedb", "dbuser", "dbpwd123"),
                config.database());
        assertEquals(URI.create("http://127.0.0.1:9000"), config.country());
        assertEquals(10, config.poolSize());
        assertEquals(Duration.ofSeconds(1), config.databaseTimeout());
        assertEquals(Duration.ofSeconds(2), config.countryTimeout());
        assertEquals(Strategy.SEQUENTIAL, config.strategy());
        assertFalse(config.hasBreaker());
    }

    @Test
    void eachVariableIsRead() {
        var environment = new HashMap<>(LEAST);
        environment.putAll(
                Map.of(
                        "POOL_SIZE", "1000",
                        "STRATEGY", "batched",
                        "BATCH_SIZE", "7",
                        "RETRY_INTERVAL_MS", "0",
                        "BREAKER", "on",
                        "LOG_LEVEL", "debug"));
        var config = Config.read(environment);
        assertEquals(1000, config.poolSize());
        assertEquals(Strategy.BATCHED, config.strategy());
        assertEquals(7, config.batchSize());
        assertEquals(Duration.ZERO, config.retryInterval());
        assertTrue(config.hasBreaker());
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
        "DB_TIMEOUT_MS, 0",
        "DB_TIMEOUT_MS, 60001",
        "COUNTRY_URL, 127.0.0.1:9000",
        "COUNTRY_URL, https://127.0.0.1:9000",
        "COUNTRY_URL, http://127.0.0.1:9000/path",
        "COUNTRY_TIMEOUT_MS, 1.5",
        "COUNTRY_CONNECTIONS, 0",
        "STRATEGY, SEQUENTIAL",
        "WIDTH, 0",
        "BATCH_SIZE, 1001",
        "RETRIES, 11",
        "RETRY_INTERVAL_MS, -1",
        "BREAKER, true",
        "CLIENT_PROTOCOL, h2c",
        "LOOKUP_PROTOCOL, ''",
        "LOG_LEVEL, trace",
    })
    void aWrongVariableIsNamedWithItsValue(String name, String value) {
        String message = messageOf(name, value);
        assertTrue(message.startsWith(name + " must be "), message);
        assertTrue(message.endsWith(", not \"" + value + "\""), message);
    }

    @ParameterizedTest
    @CsvSource({
        "''",
        "postgres://dbuser:secret@127.0.0.1:3306/conferencedb",
        "mysql://secret@127.0.0.1:3306/conferencedb",
        "mysql://dbuser:secret@127.0.0.1:65536/conferencedb",
        "mysql://dbuser:secret@127.0.0.1:3306/",
        "mysql://dbuser:secret@127.0.0.1:3306/conferencedb?a=b",
    })
    void theAddressOfTheDatabaseIsNotShown(String value) {
        String message = messageOf("DATABASE_URL", value);
        assertTrue(message.startsWith("DATABASE_URL must be "), message);
        assertFalse(message.contains("secret"), message);
    }

    private static String messageOf(String name, String value) {
        var environment = new HashMap<>(LEAST);
        environment.put(name, value);
        return assertThrows(IllegalArgumentException.class, () -> Config.read(environment))
                .getMessage();
    }
}
