package loadstone.users;

import java.net.URI;
import java.net.URISyntaxException;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The environment that every stack takes, validated. Files are null where no TLS needs them, and so
 * is the registry where the service does not register itself.
 */
record Config(
        String host,
        int port,
        Protocol protocol,
        Path certificate,
        Path key,
        DatabaseAddress database,
        int poolSize,
        String tokenSecret,
        Duration tokenLife,
        String internalKey,
        URI registry) {

    /** Where the database is, and as whom it is asked. */
    record DatabaseAddress(String host, int port, String name, String user, String password) {}

    private static final int MOST_PORT = 65_535;
    private static final int MOST_CONNECTIONS = 1_000;
    private static final int MOST_LIFE_SECONDS = 86_400;
    private static final String STATIC = "static";
    private static final String EUREKA = "eureka";

    /** No part has an escape, and none may end the URL of the driver that is made of them. */
    private static final Pattern DATABASE =
            Pattern.compile("postgres://([^:@/]+):([^@/]+)@([\\w.-]+):([0-9]{1,5})/([\\w$-]+)");

    /** Reads the variables. Throws IllegalArgumentException, whose message names the wrong one. */
    static Config read(Map<String, String> environment) {
        var variables = new Variables(environment);
        String host = variables.address("HOST");
        int port = variables.number("PORT", "", 0, MOST_PORT);
        Protocol protocol =
                Protocol.of(variables.word("UPSTREAM_PROTOCOL", "h1c", Protocol.names()));
        variables.word("DISCOVERY_PROTOCOL", "h1c", List.of("h1c"));
        return new Config(
                host,
                port,
                protocol,
                protocol.isTls() ? variables.file("TLS_CERT") : null,
                protocol.isTls() ? variables.file("TLS_KEY") : null,
                variables.database("DATABASE_URL"),
                variables.number("POOL_SIZE", "10", 1, MOST_CONNECTIONS),
                variables.secret("JWT_SECRET", 32, 256),
                Duration.ofSeconds(variables.number("TOKEN_SECONDS", "600", 1, MOST_LIFE_SECONDS)),
                variables.secret("INTERNAL_KEY", 16, 256),
                variables.registry());
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

        private Path file(String name) {
            String text = environment.getOrDefault(name, "");
            try {
                Path path = Path.of(text);
                if (Files.isRegularFile(path) && Files.isReadable(path)) {
                    return path;
                }
            } catch (InvalidPathException e) {
                // As wrong as any other text.
            }
            throw wrong(name, "be a PEM file that can be read", text);
        }

        private URI registry() {
            String kind = word("REGISTRY", STATIC, List.of(STATIC, EUREKA));
            return kind.equals(EUREKA) ? origin("REGISTRY_URL") : null;
        }

        private URI origin(String name) {
            String text = environment.getOrDefault(name, "");
            try {
                URI uri = new URI(text);
                if ("http".equals(uri.getScheme())
                        && uri.getHost() != null
                        && uri.getPort() <= MOST_PORT
                        && isOrigin(uri)) {
                    return URI.create("http://" + uri.getRawAuthority());
                }
            } catch (URISyntaxException e) {
                // As wrong as any other text.
            }
            throw wrong(name, "be like http://127.0.0.1:8761", text);
        }

        /** Whether there is nothing but scheme and authority: what else there is would be lost. */
        private static boolean isOrigin(URI uri) {
            String path = uri.getRawPath();
            return (path == null || path.isEmpty() || path.equals("/"))
                    && uri.getRawQuery() == null
                    && uri.getRawFragment() == null
                    && uri.getRawUserInfo() == null;
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
        private String secret(String name, int least, int most) {
            String text = environment.getOrDefault(name, "");
            if (!text.matches("[!-~]{" + least + "," + most + "}")) {
                throw new IllegalArgumentException(
                        "%s must be %d to %d characters of visible ASCII"
                                .formatted(name, least, most));
            }
            return text;
        }

        private static IllegalArgumentException wrong(String name, String rule, String value) {
            return new IllegalArgumentException(name + " must " + rule + ", not \"" + value + "\"");
        }
    }
}
