package loadstone.booking;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The environment that every stack takes, validated. */
record Config(
        String host,
        int port,
        DatabaseAddress database,
        int poolSize,
        Duration poolWait,
        String tokenSecret,
        Duration tokenLife,
        int passwordCost,
        String logLevel) {

    /** Where the database is, and as whom it is asked. */
    record DatabaseAddress(String host, int port, String name, String user, String password) {}

    private static final int MOST_PORT = 65_535;
    private static final int MOST_CONNECTIONS = 1_000;
    private static final int MOST_WAIT_MILLIS = 60_000;
    private static final int MOST_LIFE_SECONDS = 86_400;
    private static final int LEAST_COST = 4;
    private static final int MOST_COST = 14;
    private static final List<String> LOG_LEVELS = List.of("error", "warn", "info", "debug");
    private static final List<String> PROTOCOLS = List.of("h1c");

    /** No part has an escape, and none may end the URL of the driver that is made of them. */
    private static final Pattern DATABASE =
            Pattern.compile("postgres://([^:@/]+):([^@/]+)@([\\w.-]+):([0-9]{1,5})/([\\w$-]+)");

    private static final Pattern SECRET = Pattern.compile("[!-~]{32,256}");

    /** Reads the variables. Throws IllegalArgumentException, whose message names the wrong one. */
    static Config read(Map<String, String> environment) {
        var variables = new Variables(environment);
        variables.word("CLIENT_PROTOCOL", "h1c", PROTOCOLS);
        return new Config(
                variables.address("HOST"),
                variables.number("PORT", "", 0, MOST_PORT),
                variables.database("DATABASE_URL"),
                variables.number("POOL_SIZE", "10", 1, MOST_CONNECTIONS),
                Duration.ofMillis(variables.number("POOL_WAIT_MS", "1000", 1, MOST_WAIT_MILLIS)),
                variables.secret("JWT_SECRET"),
                Duration.ofSeconds(variables.number("JWT_TTL", "3600", 1, MOST_LIFE_SECONDS)),
                variables.number("PASSWORD_COST", "10", LEAST_COST, MOST_COST),
                variables.word("LOG_LEVEL", "warn", LOG_LEVELS));
    }

    /** The texts, each read as what it means. */
    private record Variables(Map<String, String> environment) {

        private String address(String name) {
            String text = environment.getOrDefault(name, "127.0.0.1");
            if (!text.matches("([0-9]{1,3}\\.){3}[0-9]{1,3}")) {
                throw wrong(name, "be an IPv4 address", text);
            }
            return text;
        }

        private int number(String name, String otherwise, int least, int most) {
            String text = environment.getOrDefault(name, otherwise);
            if (text.matches("[0-9]{1,9}")) {
                int number = Integer.parseInt(text);
                if (number >= least && number <= most) {
                    return number;
                }
            }
            throw wrong(name, "be a number from " + least + " to " + most, text);
        }

        private String word(String name, String otherwise, List<String> words) {
            String text = environment.getOrDefault(name, otherwise);
            if (!words.contains(text)) {
                throw wrong(name, "be one of " + String.join(", ", words), text);
            }
            return text;
        }

        private DatabaseAddress database(String name) {
            Matcher parts = DATABASE.matcher(environment.getOrDefault(name, ""));
            if (parts.matches() && Integer.parseInt(parts.group(4)) <= MOST_PORT) {
                int port = Integer.parseInt(parts.group(4));
                return new DatabaseAddress(
                        parts.group(3), port, parts.group(5), parts.group(1), parts.group(2));
            }
            // Its value is not shown, since it has a password.
            throw new IllegalArgumentException(
                    name + " must be like postgres://user:password@127.0.0.1:5432/database");
        }

        /** Its value is not shown either. */
        private String secret(String name) {
            String text = environment.getOrDefault(name, "");
            if (!SECRET.matcher(text).matches()) {
                throw new IllegalArgumentException(
                        name + " must be 32 to 256 characters of visible ASCII");
            }
            return text;
        }

        private static IllegalArgumentException wrong(String name, String rule, String value) {
            return new IllegalArgumentException(name + " must " + rule + ", not \"" + value + "\"");
        }
    }
}
