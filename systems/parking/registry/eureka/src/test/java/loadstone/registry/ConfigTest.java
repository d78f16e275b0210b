package loadstone.registry;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.HashMap;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ConfigTest {

    @Test
    void aPortIsEnough() {
        assertEquals(8761, Config.read(Map.of("PORT", "8761")).port());
        assertEquals(0, Config.read(Map.of("PORT", "0", "DISCOVERY_PROTOCOL", "h1c")).port());
    }

    @ParameterizedTest
    @CsvSource({
        "PORT, ''",
        "PORT, 65536",
        "PORT, +1",
        "PORT, x",
        "DISCOVERY_PROTOCOL, ''",
        "DISCOVERY_PROTOCOL, h2c",
    })
    void aWrongVariableIsNamedWithItsValue(String name, String value) {
        var environment = new HashMap<>(Map.of("PORT", "8761"));
        environment.put(name, value);
        String message =
                assertThrows(IllegalArgumentException.class, () -> Config.read(environment))
                        .getMessage();
        assertTrue(message.startsWith(name + " must be "), message);
        assertTrue(message.endsWith(", not \"" + value + "\""), message);
    }
}
