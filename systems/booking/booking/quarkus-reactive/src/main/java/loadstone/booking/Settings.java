package loadstone.booking;

import java.util.HashMap;
import java.util.Map;

/** The settings of Quarkus that follow from the environment of SPEC.md. */
final class Settings {

    private Settings() {}

    /** Gives them by their names in Quarkus. */
    static Map<String, String> of(Config config) {
        var properties = new HashMap<String, String>();
        properties.put("quarkus.http.port", Integer.toString(config.port()));
        properties.put("quarkus.log.level", level(config));
        // One for each CPU: all that they do is never to wait.
        properties.put(
                "quarkus.vertx.event-loops-pool-size",
                Integer.toString(Runtime.getRuntime().availableProcessors()));
        return properties;
    }

    /** Libraries warn of each failed request, whose one line is the service's own. */
    private static String level(Config config) {
        return switch (config.logLevel()) {
            case "info" -> "INFO";
            case "debug" -> "DEBUG";
            default -> "OFF";
        };
    }
}
