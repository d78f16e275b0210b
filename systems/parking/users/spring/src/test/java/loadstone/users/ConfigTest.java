package loadstone.users;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ConfigTest {

    private static final String SECRET = "0123456789abcdef0123456789abcdef";
    private static final String KEY = "0123456789abcdef";

    private static final Map<String, String> LEAST =
            Map.of(
                    "PORT",
                    "9090",
                    "DATABASE_URL",
                    "postgres://dbuser:dbpwd123@127.0.0.1:5432/park",
                    "JWT_SECRET",
                    SECRET,
                    "INTERNAL_KEY",
                    KEY);

    @Test
    void fourVariablesAreEnough() {
        var config = Config.read(LEAST);
        assertEquals(9090, config.port());
        assertEquals(Protocol.H1C, config.protocol());
        assertNull(config.certificate());
        assertEquals(
                new Config.DatabaseAddress("127.0.0.1", 5432, "park", "dbuser", "dbpwd123"),
                config.database());
        assertEquals(10, config.poolSize());
        assertEquals(SECRET, config.tokenSecret());
        assertEquals(Duration.ofMinutes(10), config.tokenLife());
        assertEquals(KEY, config.internalKey());
        assertNull(config.registry());
    }

    @Test
    void eachVariableIsRead(@TempDir Path folder) throws Exception {
        Path file = Files.createFile(folder.resolve("file.pem"));
        var environment = new HashMap<>(LEAST);
        environment.putAll(
                Map.of(
                        "UPSTREAM_PROTOCOL", "h2",
                        "DISCOVERY_PROTOCOL", "h1c",
                        "TLS_CERT", file.toString(),
                        "TLS_KEY", file.toString(),
                        "POOL_SIZE", "1000",
                        "TOKEN_SECONDS", "86400",
                        "REGISTRY", "eureka",
                        "REGISTRY_URL", "http://127.0.0.1:8761"));
        var config = Config.read(environment);
        assertEquals(Protocol.H2, config.protocol());
        assertEquals(file, config.certificate());
        assertEquals(file, config.key());
        assertEquals(1000, config.poolSize());
        assertEquals(Duration.ofDays(1), config.tokenLife());
        assertEquals(URI.create("http://127.0.0.1:8761"), config.registry());
    }

    @Test
    void aRegistryThatIsNotUsedIsNotLookedAt() {
        var environment = new HashMap<>(LEAST);
        environment.put("REGISTRY_URL", "x");
        assertNull(Config.read(environment).registry());
        environment.put("REGISTRY", "eureka");
        assertThrows(IllegalArgumentException.class, () -> Config.read(environment));
        environment.remove("REGISTRY_URL");
        assertThrows(IllegalArgumentException.class, () -> Config.read(environment));
    }

    @ParameterizedTest
    @CsvSource({
        "PORT, ''",
        "PORT, 65536",
        "PORT, +1",
        "UPSTREAM_PROTOCOL, ''",
        "UPSTREAM_PROTOCOL, h2-downgrade",
        "DISCOVERY_PROTOCOL, h1",
        "DISCOVERY_PROTOCOL, ''",
        "POOL_SIZE, ''",
        "POOL_SIZE, 0",
        "POOL_SIZE, 1001",
        "TOKEN_SECONDS, 0",
        "TOKEN_SECONDS, 86401",
        "TOKEN_SECONDS, 1e1",
        "REGISTRY, ''",
        "REGISTRY, Eureka",
    })
    void aWrongVariableIsNamedWithItsValue(String name, String value) {
        String message = messageOf(name, value);
        assertTrue(message.startsWith(name + " must be "), message);
        assertTrue(message.endsWith(", not \"" + value + "\""), message);
    }

    @Test
    void overTlsFilesAreNeeded() {
        String message = messageOf("UPSTREAM_PROTOCOL", "h1");
        assertTrue(message.startsWith("TLS_CERT must be "), message);
    }

    @ParameterizedTest
    @CsvSource({
        "DATABASE_URL, ''",
        "DATABASE_URL, mysql://dbuser:secret@127.0.0.1:5432/park",
        "DATABASE_URL, postgres://secret@127.0.0.1:5432/park",
        "DATABASE_URL, postgres://dbuser:secret@127.0.0.1:65536/park",
        "DATABASE_URL, postgres://dbuser:secret@127.0.0.1:5432/",
        "DATABASE_URL, postgres://dbuser:secret@127.0.0.1:5432/park?a=b",
        "JWT_SECRET, ''",
        "JWT_SECRET, secret6789abcdef0123456789abcde",
        "JWT_SECRET, secret 789abcdef0123456789abcdef",
        "INTERNAL_KEY, ''",
        "INTERNAL_KEY, secret789abcdef",
        "INTERNAL_KEY, secret é789abcdef",
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
