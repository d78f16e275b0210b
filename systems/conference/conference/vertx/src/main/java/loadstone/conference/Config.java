package loadstone.conference;

import java.net.URI;
import java.net.URISyntaxException;
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
        Duration databaseTimeout,
        URI country,
        Duration countryTimeout,
        int countryConnections,
        Strategy strategy,
        int width,
        int batchSize,
        int retries,
        Duration retryInterval,
        boolean hasBreaker,
        String logLevel) {

    /** Where the database is, and as whom it is asked. */
    record DatabaseAddress(String host, int port, String name, String user, String password) {}

    private static final int MOST_PORT = 65_535;
    private static final int MOST_MILLIS = 60_000;
    private static final int MOST_CONNECTIONS = 1_000;

    /** The service country refuses larger batches; as many look-ups at once are enough. */
    private static final int MOST_NAMES = 1_000;

    private static final int MOST_RETRIES = 10;
    private static final List<String> LOG_LEVELS = List.of("error", "warn", "info", "debug");
    private static final List<String> PROTOCOLS = List.of("h1c");
    private static final List<String> SWITCH = List.of("on", "off");

    /** No part has an escape, and none may end the URL of the driver that is made of them. */
    private static final Pattern DATABASE =
            Pattern.compile("mysql://([^:@/]+):([^@/]+)@([\\w.-]+):([0-9]{1,5})/([\\w$-]+)");

    /** Reads the variables. Throws IllegalArgumentException, whose message names the wrong one. */
    static Config read(Map<String, String> environment) {
        var variables = new Variables(environment);
        variables.word("CLIENT_PROTOCOL", "h1c", PROTOCOLS);
        variables.word("LOOKUP_PROTOCOL", "h1c", PROTOCOLS);
        return new Config(
                variables.address("HOST"),
                variables.number("PORT", "", 0, MOST_PORT),
                variables.database("DATABASE_URL"),
                variables.number("POOL_SIZE", "10", 1, MOST_CONNECTIONS),
                variables.millis("DB_TIMEOUT_MS", "1000", 1),
                variables.origin("COUNTRY_URL"),
                variables.millis("COUNTRY_TIMEOUT_MS", "2000", 1),
                variables.number("COUNTRY_CONNECTIONS", "64", 1, MOST_CONNECTIONS),
                variables.strategy("STRATEGY", "sequential"),
                variables.number("WIDTH", "8", 1, MOST_NAMES),
                variables.number("BATCH_SIZE", "100", 1, MOST_NAMES),
                variables.number("RETRIES", "0", 0, MOST_RETRIES),
                variables.millis("RETRY_INTERVAL_MS", "100", 0),
                variables.word("BREAKER", "off", SWITCH).equals("on"),
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

        private Duration millis(String name, String otherwise, int least) {
            return Duration.ofMillis(number(name, otherwise, least, MOST_MILLIS));
        }

        private String word(String name, String otherwise, List<String> words) {
            String text = environment.getOrDefault(name, otherwise);
            if (!words.contains(text)) {
                throw wrong(name, "be one of " + String.join(", ", words), text);
            }
            return text;
        }

        private Strategy strategy(String name, String otherwise) {
            String text = environment.getOrDefault(name, otherwise);
            Strategy strategy = Strategy.of(text);
            if (strategy == null) {
                throw wrong(name, "be one of sequential, concurrent, batched", text);
            }
            return strategy;
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
                    name + " must be like mysql://user:password@127.0.0.1:3306/database");
        }

        private URI origin(String name) {
            String text = environment.getOrDefault(name, "");
            try {
                URI uri = new URI(text);
                if ("http".equals(uri.getScheme()) && isOrigin(uri)) {
                    return URI.create(uri.getScheme() + "://" + uri.getRawAuthority());
                }
            } catch (URISyntaxException e) {
                // As wrong as any other text.
            }
            throw wrong(name, "be like http://127.0.0.1:9000", text);
        }

        /** Whether there is nothing but scheme and authority: what else there is would be lost. */
        private static boolean isOrigin(URI uri) {
            String path = uri.getRawPath();
            return uri.getHost() != null
                    && uri.getPort() <= MOST_PORT
                    && (path == null || path.isEmpty() || path.equals("/"))
                    && uri.getRawQuery() == null
                    && uri.getRawFragment() == null
                    && uri.getRawUserInfo() == null;
        }

        private static IllegalArgumentException wrong(String name, String rule, String value) {
            return new IllegalArgumentException(name + " must " + rule + ", not \"" + value + "\"");
        }
    }
}
