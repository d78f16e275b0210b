package loadstone.registry;

import java.util.Map;

/** The environment that every stack takes, validated. */
record Config(String host, int port) {

    private static final int MOST_PORT = 65_535;
    private static final String PROTOCOL = "h1c";

    /** Reads the variables. Throws IllegalArgumentException, whose message names the wrong one. */
    static Config read(Map<String, String> environment) {
        String protocol = environment.getOrDefault("DISCOVERY_PROTOCOL", PROTOCOL);
        if (!protocol.equals(PROTOCOL)) {
            throw wrong("DISCOVERY_PROTOCOL", "be " + PROTOCOL, protocol);
        }
        String port = environment.getOrDefault("PORT", "");
        if (!port.matches("[0-9]{1,5}") || Integer.parseInt(port) > MOST_PORT) {
            throw wrong("PORT", "be a number from 0 to " + MOST_PORT, port);
        }
        String host = environment.getOrDefault("HOST", "127.0.0.1");
        if (!host.matches("([0-9]{1,3}\\.){3}[0-9]{1,3}")) {
            throw wrong("HOST", "be an IPv4 address", host);
        }
        return new Config(host, Integer.parseInt(port));
    }

    private static IllegalArgumentException wrong(String name, String rule, String value) {
        return new IllegalArgumentException(name + " must " + rule + ", not \"" + value + "\"");
    }
}
