package loadstone.conference;

import java.util.HashMap;
import java.util.Map;

/** The settings of Quarkus that follow from the environment of SPEC.md. */
final class Settings {

    private static final int FORGOTTEN_AFTER_LIMITS = 2;

    private Settings() {}

    /** Gives them by their names in Quarkus. */
    static Map<String, String> of(Config config) {
        var properties = new HashMap<String, String>();
        properties.put("quarkus.http.port", Integer.toString(config.port()));
        putLog(properties, level(config));
        putDatabase(properties, config);
        putCountry(properties, config);
        return properties;
    }

    private static void putLog(Map<String, String> properties, String level) {
        properties.put("quarkus.log.level", level);
        if (level.equals("OFF")) {
            properties.put("quarkus.log.category.\"" + StartLog.LOGGER + "\".level", "INFO");
            properties.put("quarkus.log.console.filter", StartLog.NAME);
        }
    }

    private static void putDatabase(Map<String, String> properties, Config config) {
        String size = Integer.toString(config.poolSize());
        String source = "quarkus.datasource.";
        properties.put(source + "username", config.database().user());
        properties.put(source + "password", config.database().password());
        properties.put(source + "jdbc.url", PatientDriver.url(config));
        properties.put(source + "jdbc.initial-size", size);
        properties.put(source + "jdbc.min-size", size);
        properties.put(source + "jdbc.max-size", size);
        properties.put(source + "jdbc.acquisition-timeout", config.databaseTimeout().toString());
    }

    private static void putCountry(Map<String, String> properties, Config config) {
        // They end what nobody waits for. The limit of the whole attempt decides before.
        String timeoutMillis =
                Long.toString(FORGOTTEN_AFTER_LIMITS * config.countryTimeout().toMillis());
        String country = "quarkus.rest-client.country.";
        properties.put(country + "url", config.country().toString());
        properties.put(country + "connect-timeout", timeoutMillis);
        properties.put(country + "read-timeout", timeoutMillis);
        properties.put(
                country + "connection-pool-size", Integer.toString(config.countryConnections()));
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
