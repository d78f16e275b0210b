package loadstone.users;

import java.util.HashMap;
import java.util.Map;

/** The settings of Quarkus that follow from the environment of SPEC.md. */
final class Settings {

    private static final String TLS = "callers";

    private Settings() {}

    /** Gives them by their names in Quarkus. */
    static Map<String, String> of(Config config) {
        var settings = new HashMap<String, String>();
        settings.put("quarkus.http.http2", Boolean.toString(config.protocol().isHttp2()));
        String port = Integer.toString(config.port());
        if (config.protocol().isTls()) {
            settings.put("quarkus.http.insecure-requests", "disabled");
            settings.put("quarkus.http.ssl-port", port);
            settings.put("quarkus.http.tls-configuration-name", TLS);
            String pair = "quarkus.tls." + TLS + ".key-store.pem.own.";
            settings.put(pair + "cert", config.certificate().toAbsolutePath().toString());
            settings.put(pair + "key", config.key().toAbsolutePath().toString());
        } else {
            settings.put("quarkus.http.port", port);
        }
        String size = Integer.toString(config.poolSize());
        String source = "quarkus.datasource.";
        settings.put(source + "username", config.database().user());
        settings.put(source + "password", config.database().password());
        settings.put(source + "jdbc.url", PatientDriver.url(config.database()));
        settings.put(source + "jdbc.initial-size", size);
        settings.put(source + "jdbc.min-size", size);
        settings.put(source + "jdbc.max-size", size);
        settings.put(source + "jdbc.acquisition-timeout", Limits.POOL_WAIT.toString());
        return settings;
    }
}
