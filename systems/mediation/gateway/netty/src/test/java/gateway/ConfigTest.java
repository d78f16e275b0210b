package gateway;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.HashMap;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ConfigTest {

    private static final Map<String, String> RIGHT =
            Map.of(
                    "PORT", "9090",
                    "UPSTREAM_URL", "http://127.0.0.1:8688",
                    "CLIENT_PROTOCOL", "h1c",
                    "UPSTREAM_PROTOCOL", "h1c");

    @Test
    void theEnvironmentIsReadOnce() {
        assertEquals(new Config(9090, "127.0.0.1", 8688, "127.0.0.1:8688"), Config.read(RIGHT));
    }

    @Test
    void anAddressOfVersion6LosesItsBrackets() {
        var environment = new HashMap<>(RIGHT);
        environment.put("UPSTREAM_URL", "http://[::1]:8688/");
        assertEquals(new Config(9090, "::1", 8688, "[::1]:8688"), Config.read(environment));
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
        "CLIENT_PROTOCOL, h2",
        "UPSTREAM_PROTOCOL, h2c",
    })
    void aWrongVariableIsNamed(String name, String value) {
        var environment = new HashMap<>(RIGHT);
        environment.put(name, value);
        var wrong = assertThrows(IllegalArgumentException.class, () -> Config.read(environment));
        assertTrue(wrong.getMessage().startsWith(name + " must"), wrong.getMessage());
    }
}
