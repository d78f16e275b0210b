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
        String size = Integer.toString(config.poolSize());
        String source = "quarkus.datasource.";
        properties.put(source + "username", config.database().user());
        properties.put(source + "password", config.database().password());
        properties.put(source + "jdbc.url", PatientDriver.url(config.database()));
        properties.put(source + "jdbc.initial-size", size);
        properties.put(source + "jdbc.min-size", size);
        properties.put(source + "jdbc.max-size", size);
        properties.put(source + "jdbc.acquisition-timeout", config.poolWait().toString());
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
