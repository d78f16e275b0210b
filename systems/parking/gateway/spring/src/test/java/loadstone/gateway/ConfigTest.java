package loadstone.gateway;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class ConfigTest {

    private static final String SECRET = "0123456789abcdef0123456789abcdef";

    private static final Map<String, String> LEAST =
            Map.of(
                    "PORT", "9090",
                    "STATIC_INSTANCES", "users=http://127.0.0.1:8090",
                    "JWT_SECRET", SECRET);

    @Test
    void threeVariablesAreEnough() {
        var config = Config.read(LEAST);
        assertEquals(9090, config.port());
        assertEquals(Protocol.H1C, config.clientProtocol());
        assertEquals(Protocol.H1C, config.upstreamProtocol());
        assertNull(config.certificate());
        assertNull(config.authority());
        assertEquals(List.of("http://127.0.0.1:8090"), config.instances());
        assertNull(config.registry());
        assertEquals(SECRET, config.tokenSecret());
        assertEquals(Duration.ofSeconds(5), config.upstreamTimeout());
        assertNull(config.allowedOrigin());
    }

    @Test
    void eachVariableIsRead(@TempDir Path folder) throws Exception {
        Path file = Files.createFile(folder.resolve("file.pem"));
        var environment = new HashMap<>(LEAST);
        environment.putAll(
                Map.of(
                        "CLIENT_PROTOCOL", "h2",
                        "UPSTREAM_PROTOCOL", "h1",
                        "DISCOVERY_PROTOCOL", "h1c",
                        "TLS_CERT", file.toString(),
                        "TLS_KEY", file.toString(),
                        "TLS_CA", file.toString(),
                        "STATIC_INSTANCES", "users=https://a:1,https://b:2",
                        "UPSTREAM_TIMEOUT_MS", "60000",
                        "ALLOWED_ORIGIN", "https://park.example"));
        var config = Config.read(environment);
        assertEquals(Protocol.H2, config.clientProtocol());
        assertEquals(Protocol.H1, config.upstreamProtocol());
        assertEquals(file.toFile(), config.key());
        assertEquals(file.toFile(), config.authority());
        assertEquals(List.of("https://a:1", "https://b:2"), config.instances());
        assertEquals(Duration.ofMinutes(1), config.upstreamTimeout());
        assertEquals("https://park.example", config.allowedOrigin());
    }

    @Test
    void withARegistryThereAreNoInstances() {
        var environment = new HashMap<>(LEAST);
        environment.put("REGISTRY", "eureka");
        environment.put("REGISTRY_URL", "http://127.0.0.1:8761");
        var config = Config.read(environment);
        assertNull(config.instances());
        assertEquals("http://127.0.0.1:8761", config.registry());
        environment.remove("STATIC_INSTANCES");
        assertEquals("http://127.0.0.1:8761", Config.read(environment).registry());
        environment.remove("REGISTRY_URL");
        assertThrows(IllegalArgumentException.class, () -> Config.read(environment));
    }

    @ParameterizedTest
    @CsvSource({
        "PORT, ''",
        "PORT, 65536",
        "PORT, +1",
        "CLIENT_PROTOCOL, ''",
        "CLIENT_PROTOCOL, h2-downgrade",
        "UPSTREAM_PROTOCOL, http",
        "DISCOVERY_PROTOCOL, h1",
        "REGISTRY, consul",
        "UPSTREAM_TIMEOUT_MS, 0",
        "UPSTREAM_TIMEOUT_MS, 60001",
        "ALLOWED_ORIGIN, ''",
        "ALLOWED_ORIGIN, '*'",
        "ALLOWED_ORIGIN, https://park.example/",
    })
    void aWrongVariableIsNamedWithItsValue(String name, String value) {
        assertWrong(name, value);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "users",
                "users=",
                "http://127.0.0.1:1",
                "parks=http://127.0.0.1:1",
                "users=http://127.0.0.1:1,",
                "users=https://127.0.0.1:1",
                "users=http://127.0.0.1:1/path",
                "users=http://127.0.0.1:65536",
                "users=http://a:1;parks=http://b:1",
            })
    void instancesAreUrlsOfTheService(String value) {
        assertWrong("STATIC_INSTANCES", value);
    }

    @Test
    void thereAreAtMost16Instances() {
        var environment = new HashMap<>(LEAST);
        String most = "users=http://a:1" + ",http://a:1".repeat(15);
        environment.put("STATIC_INSTANCES", most);
        assertEquals(16, Config.read(environment).instances().size());
        assertWrong("STATIC_INSTANCES", most + ",http://a:1");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"", "secret6789abcdef0123456789abcde", "secret 789abcdef0123456789abcdef"})
    void theKeyIsNotShown(String value) {
        String message = messageOf("JWT_SECRET", value);
        assertTrue(message.startsWith("JWT_SECRET must be "), message);
        assertFalse(message.contains("secret"), message);
    }

    private static void assertWrong(String name, String value) {
        String message = messageOf(name, value);
        assertTrue(message.startsWith(name + " must be "), message);
        assertTrue(message.endsWith(", not \"" + value + "\""), message);
    }

    private static String messageOf(String name, String value) {
        var environment = new HashMap<>(LEAST);
        environment.put(name, value);
        return assertThrows(IllegalArgumentException.class, () -> Config.read(environment))
                .getMessage();
    }
}
