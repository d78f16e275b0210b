package gateway;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.File;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ConfigTest {

    private static final Map<String, String> RIGHT =
            Map.of(
                    "PORT", "9090",
                    "UPSTREAM_URL", "http://127.0.0.1:8688",
                    "CLIENT_PROTOCOL", "h1c",
                    "UPSTREAM_PROTOCOL", "h1c");

    @TempDir Path folder;

    @Test
    void theEnvironmentIsReadOnce() {
        var config = Config.read(RIGHT);
        assertEquals(9090, config.port());
        assertEquals(Protocol.H1C, config.clientProtocol());
        assertEquals(URI.create("http://127.0.0.1:8688"), config.upstream());
    }

    @Test
    void aSlashIsNoPath() {
        var config = Config.read(with("UPSTREAM_URL", "http://[::1]:8688/"));
        assertEquals(URI.create("http://[::1]:8688"), config.upstream());
    }

    @Test
    void filesAreNeededWhereALegIsOverTls() throws Exception {
        String file = Files.createFile(folder.resolve("authority.pem")).toString();
        var environment = with("UPSTREAM_PROTOCOL", "h2");
        environment.put("UPSTREAM_URL", "https://localhost");
        assertThrows(IllegalArgumentException.class, () -> Config.read(environment));
        environment.put("TLS_CA", file);
        var config = Config.read(environment);
        assertEquals(new File(file), config.authority());
        assertNull(config.certificate());
    }

    @ParameterizedTest
    @CsvSource({
        "PORT, ''",
        "PORT, http",
        "PORT, 65536",
        "UPSTREAM_URL, ''",
        "UPSTREAM_URL, 127.0.0.1:8688",
        "UPSTREAM_URL, http://127.0.0.1:65536",
        "UPSTREAM_URL, https://127.0.0.1:8688",
        "UPSTREAM_URL, http://127.0.0.1:8688/path",
        "UPSTREAM_URL, http://127.0.0.1:8688?query",
        "CLIENT_PROTOCOL, h3",
        "CLIENT_PROTOCOL, H1C",
        "UPSTREAM_PROTOCOL, http",
    })
    void aWrongVariableIsNamed(String name, String value) {
        var environment = with(name, value);
        var wrong = assertThrows(IllegalArgumentException.class, () -> Config.read(environment));
        assertTrue(wrong.getMessage().startsWith(name + " must"), wrong.getMessage());
    }

    @ParameterizedTest
    @CsvSource({"TLS_CERT", "TLS_KEY"})
    void aFileThatIsNotThereIsNamed(String name) throws Exception {
        String file = Files.createFile(folder.resolve("server.pem")).toString();
        var environment = with("CLIENT_PROTOCOL", "h1");
        environment.put("TLS_CERT", file);
        environment.put("TLS_KEY", file);
        environment.put(name, "/nowhere");
        var wrong = assertThrows(IllegalArgumentException.class, () -> Config.read(environment));
        assertTrue(wrong.getMessage().startsWith(name + " must"), wrong.getMessage());
    }

    private static Map<String, String> with(String name, String value) {
        var environment = new HashMap<>(RIGHT);
        environment.put(name, value);
        return environment;
    }
}
